import { afterAll, beforeAll, expect, it } from 'vitest';

import { updateUser } from '../../src/users/service.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const userEmail = 'nobody@acme.example';
const links = { userEmail, reports: [] };

it.each([
  ['DELETE', `/api/user/${userEmail}`, undefined, 'Check the e-mail. Nothing was deleted.'],
  ['DELETE', `/api/user/${userEmail}/sessions`, undefined, 'Check the e-mail.'],
  ['PUT', '/api/user/unlink-reports', links, 'Check the e-mail.'],
  ['PUT', '/api/user/link-reports', links, 'Create the user first.'],
  ['POST', '/api/identity/url', { userEmail }, 'Create the user first.'],
])(
  '%s %s for an unknown user answers with advice for that endpoint',
  async (method, path, json, advice) => {
    const answer = await portal.api(method, path, { json });
    expect([answer.status, answer.json().code]).toEqual([404, 'user_not_found']);
    expect(answer.json().detail).toBe(
      `There is no user ${userEmail} in this organization. ${advice}`,
    );
  },
);

it('an update of an unknown user fails with advice', async () => {
  await expect(updateUser(portal.acme.ctx, { userEmail, name: 'N' })).rejects.toThrow(
    /Check the e-mail\.$/,
  );
});
