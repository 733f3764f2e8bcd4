import { jsonAnswer, problemAnswer } from 'testing/fake-portal';
import { describe, expect, it } from 'vitest';

import { client, failureOf, portal, setStage, userEmail } from '../test/stage.ts';

setStage();

describe('a request id', () => {
  it('is sent, and comes back in the error', async () => {
    portal.answer(jsonAnswer(404, {}));
    const call = client.users.delete({ userEmail }, { requestId: 'host-7' });
    expect(await failureOf(call)).toMatchObject({ requestId: 'host-7' });
    expect(portal.received[0]!.headers['x-request-id']).toBe('host-7');
  });

  it.each(['', 'a b', 'a\r\nX-API-Key: other', 'ümlaut', 'x'.repeat(201), 7 as never])(
    'that no header can carry is refused, and nothing is sent: %j',
    async (requestId) => {
      const error = await failureOf(client.users.delete({ userEmail }, { requestId }));
      expect(error).toMatchObject({ code: 'invalid_request', status: undefined, retryable: false });
      expect(error.message).toBe(
        'DELETE /api/user/{userEmail} was not sent: requestId must be 1 to 200 visible ASCII characters',
      );
      expect(error.errors).toMatchObject([{ path: 'requestId' }]);
      expect(portal.received).toHaveLength(0);
    },
  );

  it('may hold any visible character, up to 200 of them', async () => {
    for (const requestId of ['!', `~${'x'.repeat(199)}`]) {
      await client.users.delete({ userEmail }, { requestId });
      expect(portal.received.at(-1)!.headers['x-request-id']).toBe(requestId);
    }
  });

  it("is the portal's own where it names one", async () => {
    portal.answer(problemAnswer(404, 'user_not_found'));
    const call = client.users.delete({ userEmail }, { requestId: 'host-7' });
    expect(await failureOf(call)).toMatchObject({ requestId: 'portal-1' });
  });
});
