import { describe, expect, it } from 'vitest';

import { client, catchError, portal, startPortalForEachTest, userEmail } from '../test/stage.ts';

startPortalForEachTest();

const mintAt = async (date: string | undefined, expiresAt: string) => {
  portal.answer((_, response) => {
    response.sendDate = false;
    if (date) response.setHeader('Date', date);
    response.end(JSON.stringify({ embedUrl: 'https://portal.test/identity', expiresAt }));
  });
  return (await client.identity.mintUrl({ userEmail })).expiresIn;
};

describe('expiresIn', () => {
  it("is computed by the portal's clock", async () => {
    expect(await mintAt('Tue, 01 Jan 2030 00:00:00 GMT', '2030-01-01T00:04:30.5Z')).toBe(270);
  });

  it('is computed by the local clock if the answer has no date', async () => {
    const expiresAt = Date.now() + 60_000;
    const seconds = await mintAt(undefined, new Date(expiresAt).toISOString());
    expect(seconds).toBeGreaterThanOrEqual(Math.floor((expiresAt - Date.now()) / 1_000));
    expect(seconds).toBeLessThanOrEqual(60);
  });

  it('is between 0 and 300', async () => {
    expect(await mintAt('Tue, 01 Jan 2030 00:00:00 GMT', '2040-01-01T00:00:00Z')).toBe(300);
    expect(await mintAt('Tue, 01 Jan 2030 00:00:00 GMT', '2020-01-01T00:00:00Z')).toBe(0);
  });

  it.each(['soon', '', 'token=t0ken'])(
    'an answer with the expiresAt %j is an error',
    async (moment) => {
      const error = await catchError(mintAt('Tue, 01 Jan 2030 00:00:00 GMT', moment));
      expect(error).toMatchObject({ code: 'portal_answer_invalid', status: 200, retryable: false });
      expect(error.message).toContain('has no date in expiresAt');
      expect(error.message).not.toContain('t0ken');
    },
  );
});
