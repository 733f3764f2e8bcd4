import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { inviteOperator } from '../../src/sign-in/operators.ts';
import { inviteUser } from '../../src/sign-in/service.ts';
import { listNewest } from '../support/activity.ts';
import { openAdminBrowser, signInAs, testPassword } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ trustProxy: true });
});
afterAll(() => portal.close());

const newEmail = () => `${randomUUID()}@acme.example`;
const administrator = (email = newEmail()) => signInAs(portal, portal.acme, 1, email);

describe('an invitation', () => {
  it('sets a password and signs in, once', async () => {
    const email = newEmail();
    const { token } = await inviteUser(portal.acme.ctx, { email, name: 'Ada' });
    const browser = openAdminBrowser(portal);
    const check = await browser.send('POST', '/invitation/check', { json: { token } });
    expect(check.json()).toEqual({ email, name: 'Ada', organizationName: 'acme' });
    const accept = () =>
      browser.send('POST', '/invitation/accept', { json: { token, password: testPassword } });
    expect((await accept()).json()).toMatchObject({
      kind: 'user',
      email,
      role: 1,
      organization: { id: portal.acme.id },
    });
    expect((await browser.send('GET', '/session')).status).toBe(200);
    expectProblem(await accept(), 'invitation_ended');
  });

  it('is accepted by one of several simultaneous requests', async () => {
    const { token } = await inviteUser(portal.acme.ctx, { email: newEmail() });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        openAdminBrowser(portal).send('POST', '/invitation/accept', {
          json: { token, password: testPassword },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 410),
    ]);
  });

  it('ends after 24 hours, and when another one is made', async () => {
    const email = newEmail();
    const first = await inviteUser(portal.acme.ctx, { email });
    const second = await inviteUser(portal.acme.ctx, { email });
    const check = (token: string) =>
      openAdminBrowser(portal).send('POST', '/invitation/check', { json: { token } });
    expectProblem(await check(first.token), 'invitation_ended');
    expect((await check(second.token)).status).toBe(200);
    await sql`UPDATE admin_invitations SET expires_at = expires_at - interval '24 hours'`.execute(
      portal.db,
    );
    expectProblem(await check(second.token), 'invitation_ended');
  });

  it('still works 23 hours and 59 minutes later', async () => {
    const { token } = await inviteUser(portal.acme.ctx, { email: newEmail() });
    await sql`UPDATE admin_invitations SET expires_at = expires_at - interval '1439 minutes'`.execute(
      portal.db,
    );
    const check = await openAdminBrowser(portal).send('POST', '/invitation/check', {
      json: { token },
    });
    expect(check.status).toBe(200);
  });

  it('ends when its user changes the password', async () => {
    const email = newEmail();
    const browser = await administrator(email);
    const { token } = await inviteUser(portal.acme.ctx, { email });
    const json = { password: 'another long sentence' };
    expect((await browser.send('PUT', '/account/password', { json })).status).toBe(200);
    expectProblem(
      await browser.send('POST', '/invitation/check', { json: { token } }),
      'invitation_ended',
    );
  });

  it.each<[string, (email: string) => string]>([
    ['of nine characters', () => 'kq9-pwzxv'],
    ['that is common', () => 'Password123'],
    ['of three different characters', () => 'aabcaabcaabc'],
    ['that is a row of digits', () => '1234567890'],
    ['with the e-mail', (email) => `my-${email.toUpperCase()}`],
    ['that is the name in the e-mail twice', (email) => email.split('@')[0]!.repeat(2)],
  ])('is not spent by a password %s', async (_, choose) => {
    const email = newEmail();
    const { token } = await inviteUser(portal.acme.ctx, { email });
    const browser = openAdminBrowser(portal);
    const accept = (password: string) =>
      browser.send('POST', '/invitation/accept', { json: { token, password } });
    expectProblem(await accept(choose(email)), 'weak_password');
    expect((await accept('kq9-pwzxvt')).status).toBe(200);
  });

  it('of a new user is in the activity log, and the e-mail becomes their name', async () => {
    const email = newEmail();
    await inviteUser(portal.acme.ctx, { email });
    expect(await listNewest(portal, 2)).toMatchObject([
      { action: 'inviteAdministrator', subject: email, actor: { kind: 'operator' } },
      { action: 'createUser', subject: email, details: { name: email, role: 1 } },
    ]);
  });

  it('of an operator names no organization', async () => {
    const email = newEmail();
    const { token } = await inviteOperator(portal.db, { email });
    const check = await openAdminBrowser(portal).send('POST', '/invitation/check', {
      json: { token },
    });
    expect(check.json()).toEqual({ email, name: email, organizationName: null });
  });

  it('an operator whose invitation has expired can be invited again', async () => {
    const email = newEmail();
    const check = async (token: string) =>
      (await openAdminBrowser(portal).send('POST', '/invitation/check', { json: { token } }))
        .status;
    const first = await inviteOperator(portal.db, { email });
    await sql`UPDATE admin_invitations SET expires_at = now()`.execute(portal.db);
    const second = await inviteOperator(portal.db, { email });
    expect([await check(first.token), await check(second.token)]).toEqual([410, 200]);
  });

  it('of a viewer is refused', async () => {
    const { west } = portal.acme.emails;
    await expect(inviteUser(portal.acme.ctx, { email: west })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('is a viewer'),
    });
  });
});
