import { jsonAnswer, problemAnswer } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import { client, catchError, portal, startPortalForEachTest, userEmail } from '../test/stage.ts';

startPortalForEachTest();

describe('a request id', () => {
  it('the request id is sent, and the error has it', async () => {
    portal.answer(jsonAnswer(404, {}));
    const call = client.users.delete({ userEmail }, { requestId: 'host-7' });
    expect(await catchError(call)).toMatchObject({ requestId: 'host-7' });
    expect(portal.received[0]!.headers['x-request-id']).toBe('host-7');
  });

  it.each(['', 'a b', 'a\r\nX-API-Key: other', 'ümlaut', 'x'.repeat(201), 7 as never])(
    'a call with the invalid request id %j is not sent',
    async (requestId) => {
      const error = await catchError(client.users.delete({ userEmail }, { requestId }));
      expect(error).toMatchObject({ code: 'invalid_request', status: undefined, retryable: false });
      expect(error.message).toBe(
        'DELETE /api/user/{userEmail} was not sent: requestId must be 1 to 200 visible ASCII characters',
      );
      expect(error.errors).toMatchObject([{ path: 'requestId' }]);
      expect(portal.received).toHaveLength(0);
    },
  );

  it('has 1 to 200 visible ASCII characters', async () => {
    for (const requestId of ['!', `~${'x'.repeat(199)}`]) {
      await client.users.delete({ userEmail }, { requestId });
      expect(portal.received.at(-1)!.headers['x-request-id']).toBe(requestId);
    }
  });

  it("the request id of the portal's answer takes precedence", async () => {
    portal.answer(problemAnswer(404, 'user_not_found'));
    const call = client.users.delete({ userEmail }, { requestId: 'host-7' });
    expect(await catchError(call)).toMatchObject({ requestId: 'portal-1' });
  });
});
