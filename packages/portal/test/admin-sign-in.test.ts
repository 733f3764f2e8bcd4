import { randomUUID } from 'node:crypto';

import { sql, type RawBuilder } from 'kysely';
import { send } from 'testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { inviteUser, startSession } from '../src/auth/sign-in/service.ts';
import { findAccountByEmail } from '../src/auth/sign-in/store.ts';
import { deleteOperator, inviteOperator, listOperators } from '../src/operators/service.ts';
import { createUser, updateUser } from '../src/users/service.ts';
import { listNewest } from './support/activity.ts';
import { openAdminBrowser, signInAs, testPassword } from './support/admin.ts';
import { expectProblem } from './support/http.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ trustProxy: true });
});
afterAll(() => portal.close());

const newEmail = () => `${randomUUID()}@acme.example`;
const administrator = (email = newEmail()) => signInAs(portal, portal.acme, 1, email);
/** Another network for each caller, so that tests do not use up each other's attempts. */
const fromNetwork = (address: string) => ({ headers: { 'x-forwarded-for': address } });

const credentials = (email: string, password = testPassword) => ({
  organization: 'acme',
  email,
  password,
});

describe('an invitation', () => {
  it('an invitation sets a password and signs in, once', async () => {
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

  it('an invitation is accepted by one of several simultaneous requests', async () => {
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

  it('an invitation ends after 24 hours, and when another one is made', async () => {
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

  it('an invitation still works 23 hours and 59 minutes later', async () => {
    const { token } = await inviteUser(portal.acme.ctx, { email: newEmail() });
    await sql`UPDATE admin_invitations SET expires_at = expires_at - interval '1439 minutes'`.execute(
      portal.db,
    );
    const check = await openAdminBrowser(portal).send('POST', '/invitation/check', {
      json: { token },
    });
    expect(check.status).toBe(200);
  });

  it('an invitation ends when its user changes the password', async () => {
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
  ])('an invitation is not spent by a password %s', async (_, choose) => {
    const email = newEmail();
    const { token } = await inviteUser(portal.acme.ctx, { email });
    const browser = openAdminBrowser(portal);
    const accept = (password: string) =>
      browser.send('POST', '/invitation/accept', { json: { token, password } });
    expectProblem(await accept(choose(email)), 'weak_password');
    expect((await accept('kq9-pwzxvt')).status).toBe(200);
  });

  it('an invitation of somebody new is in the activity log, and makes the e-mail their name', async () => {
    const email = newEmail();
    await inviteUser(portal.acme.ctx, { email });
    expect(await listNewest(portal, 2)).toMatchObject([
      { action: 'inviteAdministrator', subject: email, actor: { kind: 'operator' } },
      { action: 'createUser', subject: email, details: { name: email, role: 1 } },
    ]);
  });

  it('an invitation of an operator names no organization', async () => {
    const email = newEmail();
    const { token } = await inviteOperator(portal.db, { email });
    const check = await openAdminBrowser(portal).send('POST', '/invitation/check', {
      json: { token },
    });
    expect(check.json()).toEqual({ email, name: email, organizationName: null });
  });

  it('an invitation of an operator is renewed by another one', async () => {
    const email = newEmail();
    const check = async (token: string) =>
      (await openAdminBrowser(portal).send('POST', '/invitation/check', { json: { token } }))
        .status;
    const first = await inviteOperator(portal.db, { email });
    await sql`UPDATE admin_invitations SET expires_at = now()`.execute(portal.db);
    const second = await inviteOperator(portal.db, { email });
    expect([await check(first.token), await check(second.token)]).toEqual([410, 200]);
  });

  it('an invitation of a viewer is refused', async () => {
    const { west } = portal.acme.emails;
    await expect(inviteUser(portal.acme.ctx, { email: west })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('is a viewer'),
    });
  });
});

describe('a sign-in', () => {
  it('a sign-in works with organization, e-mail and password, in any letter case of the e-mail', async () => {
    const email = newEmail();
    await administrator(email);
    const browser = openAdminBrowser(portal);
    const json = credentials(email.toUpperCase());
    const answer = await browser.send('POST', '/session', { json });
    expect(answer.json()).toMatchObject({ email, organization: { slug: 'acme' } });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^portal-admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(await listNewest(portal, 1)).toMatchObject([
      { action: 'signIn', subject: email, actor: { kind: 'user', name: email } },
    ]);
  });

  it('a sign-in works with the organization in any letter case', async () => {
    const email = newEmail();
    await administrator(email);
    const json = { ...credentials(email), organization: 'ACME' };
    const answer = await openAdminBrowser(portal).send('POST', '/session', { json });
    expect(answer.json()).toMatchObject({ email, organization: { slug: 'acme' } });
  });

  it('a sign-in of an operator names no organization', async () => {
    const email = newEmail();
    await signInAs(portal, portal.acme, 'operator', email);
    const json = { ...credentials(email.toUpperCase()), organization: null };
    const answer = await openAdminBrowser(portal).send('POST', '/session', { json });
    expect(answer.json()).toMatchObject({
      kind: 'operator',
      email,
      role: null,
      organization: null,
    });
  });

  it('a sign-in fails if the password changes after it was checked', async () => {
    const { db } = portal;
    const email = newEmail();
    const browser = await administrator(email);
    const account = (await findAccountByEmail(db, { organization: 'acme', email }))!;
    const json = { password: 'another long sentence' };
    expect((await browser.send('PUT', '/account/password', { json })).status).toBe(200);
    const proof = { passwordHash: account.passwordHash! };
    const client = { network: '192.0.2.7', userAgent: '' };
    await expect(startSession(db, client, account, proof)).rejects.toMatchObject({
      code: 'sign_in_failed',
    });
  });

  it('a sign-in fails with the same answer for a wrong password, an unknown e-mail and a viewer', async () => {
    const email = newEmail();
    await administrator(email);
    const attempts = [
      credentials(email, 'a wrong password'),
      credentials(newEmail()),
      credentials(portal.acme.emails.west),
      { ...credentials(email), organization: 'globex' },
      { ...credentials(email), organization: null },
    ];
    for (const json of attempts) {
      const answer = await openAdminBrowser(portal).send('POST', '/session', { json });
      expectProblem(answer, 'sign_in_failed');
      expect(answer.json().detail).toBe(
        'Organization, e-mail or password is wrong. Check them, or ask an administrator for a new invitation.',
      );
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  it('a sign-in of a user who has expired fails', async () => {
    const email = newEmail();
    await administrator(email);
    await updateUser(portal.acme.ctx, { userEmail: email, expirationDate: new Date(0) });
    const json = credentials(email);
    expectProblem(
      await openAdminBrowser(portal).send('POST', '/session', { json }),
      'sign_in_failed',
    );
  });

  it('a sign-in of a user whose access ends later works', async () => {
    const email = newEmail();
    await administrator(email);
    const expirationDate = new Date(Date.now() + 3_600_000);
    await updateUser(portal.acme.ctx, { userEmail: email, expirationDate });
    const browser = openAdminBrowser(portal);
    await browser.send('POST', '/session', { json: credentials(email) });
    expect((await browser.send('GET', '/session')).json()).toMatchObject({ email });
  });

  it('a sign-in does not depend on another organization that knows the same e-mail', async () => {
    const email = newEmail();
    await administrator(email);
    await createUser(portal.globex.ctx, { email, name: 'Ada', role: 1 });
    const json = { ...credentials(email), organization: 'globex' };
    expectProblem(
      await openAdminBrowser(portal).send('POST', '/session', { json }),
      'sign_in_failed',
    );
  });
});

describe('guessing a password', () => {
  const guess = (email: string, address: string, password = 'a wrong password') =>
    openAdminBrowser(portal).send('POST', '/session', {
      json: credentials(email, password),
      ...fromNetwork(address),
    });

  it('guessing a password is refused after ten attempts in a quarter of an hour, and the owner can still sign in', async () => {
    const email = newEmail();
    await administrator(email);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => guess(email, '198.51.100.7')),
    );
    const codes = answers.map(({ status }) => status);
    expect(codes.filter((status) => status === 401)).toHaveLength(10);
    const refused = answers.find(({ status }) => status === 429)!;
    expectProblem(refused, 'rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
    expect((await guess(email, '198.51.100.7', testPassword)).status).toBe(429);
    expect((await guess(email, '203.0.113.9', testPassword)).status).toBe(200);
  });

  it('guessing a password from many networks is refused after a hundred attempts, except where the owner has signed in', async () => {
    const email = newEmail();
    await administrator(email);
    expect((await guess(email, '192.0.2.1', testPassword)).status).toBe(200);
    const statuses = new Set<number>();
    for (let network = 0; network < 13; network++) {
      const address = `10.1.${network}.1`;
      const some = await Promise.all(Array.from({ length: 8 }, () => guess(email, address)));
      for (const { status } of some) statuses.add(status);
    }
    expect(statuses).toEqual(new Set([401, 429]));
    expect((await guess(email, '10.2.0.1', testPassword)).status).toBe(429);
    expect((await guess(email, '192.0.2.1', testPassword)).status).toBe(200);
  });

  it('guessing a password costs the same attempts for an e-mail that does not exist', async () => {
    const email = newEmail();
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt++)
      statuses.push((await guess(email, '198.51.100.99')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });

  it('mistyping a password before a sign-in uses up none of the ten attempts after it', async () => {
    const email = newEmail();
    await administrator(email);
    const mistype = async () => {
      const answers = await Promise.all(
        Array.from({ length: 9 }, () => guess(email, '198.51.100.51')),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 401));
    };
    await mistype();
    expect((await guess(email, '198.51.100.51', testPassword)).status).toBe(200);
    await mistype();
  });
});

describe('a session', () => {
  it('a session ends at sign-out, and its cookie is worthless afterwards', async () => {
    const browser = await administrator();
    const cookie = browser.cookie();
    expect((await browser.send('DELETE', '/session')).status).toBe(200);
    expect(browser.cookie()).toBe('');
    expectProblem(
      await openAdminBrowser(portal, cookie).send('GET', '/session'),
      'sign_in_required',
    );
  });

  it('a session has a token that the client cannot choose', async () => {
    const email = newEmail();
    await administrator(email);
    const fixed = `portal-admin=${'a'.repeat(43)}`;
    const browser = openAdminBrowser(portal, fixed);
    await browser.send('POST', '/session', { json: credentials(email) });
    expect(browser.cookie()).not.toBe(fixed);
    expectProblem(
      await openAdminBrowser(portal, fixed).send('GET', '/session'),
      'sign_in_required',
    );
  });

  it.each([
    ['role', { role: 2 }],
    ['expiry', { expirationDate: new Date(Date.now() + 3_600_000) }],
  ])('a session ends when the %s of its user changes', async (_, change) => {
    const email = newEmail();
    const browser = await administrator(email);
    await updateUser(portal.acme.ctx, { userEmail: email, ...change });
    expectProblem(await browser.send('GET', '/session'), 'sign_in_required');
  });

  it('a session ends when the password changes elsewhere', async () => {
    const email = newEmail();
    const first = await administrator(email);
    const second = openAdminBrowser(portal);
    await second.send('POST', '/session', { json: credentials(email) });
    const json = { password: 'another long sentence' };
    expect((await second.send('PUT', '/account/password', { json })).status).toBe(200);
    expectProblem(await first.send('GET', '/session'), 'sign_in_required');
    expect((await second.send('GET', '/session')).status).toBe(200);
    const old = await openAdminBrowser(portal).send('POST', '/session', {
      json: credentials(email),
    });
    expectProblem(old, 'sign_in_failed');
  });

  it.each([
    ['30 minutes after its last use', 'touched_at', '31 minutes'],
    ['twelve hours after its start', 'created_at', '12 hours 1 second'],
  ])('a session ends %s', async (_, column, age) => {
    const browser = await administrator();
    await sql`UPDATE admin_sessions SET ${sql.ref(column)} = now() - ${age}::interval`.execute(
      portal.db,
    );
    expectProblem(await browser.send('GET', '/session'), 'sign_in_required');
  });

  it('a session is not ended by another account that changes its password', async () => {
    const [email, invited] = [newEmail(), newEmail()];
    const [browser, other] = [await administrator(email), await administrator()];
    const { token } = await inviteUser(portal.acme.ctx, { email: invited });
    const json = { password: 'another long sentence' };
    expect((await other.send('PUT', '/account/password', { json })).status).toBe(200);
    expect((await browser.send('GET', '/session')).status).toBe(200);
    const answers = [
      await browser.send('POST', '/invitation/check', { json: { token } }),
      await openAdminBrowser(portal).send('POST', '/session', { json: credentials(email) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('a session records its last use at most once a minute', async () => {
    const browser = await administrator();
    const readUse = async (idle: string) => {
      await sql`UPDATE admin_sessions SET touched_at = now() - ${idle}::interval`.execute(
        portal.db,
      );
      const { sessions } = (await browser.send('GET', '/account/sessions')).json();
      return (Date.now() - Date.parse(sessions[0].lastUsedAt)) / 1_000;
    };
    expect(await readUse('50 seconds')).toBeGreaterThan(45);
    expect(await readUse('61 seconds')).toBeLessThan(45);
  });

  it('a session ends when the access of its user does', async () => {
    const email = newEmail();
    const browser = await administrator(email);
    // As if the time had come: a change through the portal ends the session itself.
    await sql`UPDATE users SET expiration_date = now() WHERE email = ${email}`.execute(portal.db);
    expectProblem(await browser.send('GET', '/session'), 'sign_in_required');
  });

  it('a session in use lasts for twelve hours, and prolongs no other', async () => {
    const [used, idle] = [await administrator(), await administrator()];
    const age = (change: RawBuilder<unknown>) =>
      sql`UPDATE admin_sessions SET ${change}`.execute(portal.db);
    await age(sql`created_at = now() - interval '11 hours 59 minutes'`);
    for (let time = 0; time < 2; time++) {
      await age(sql`touched_at = touched_at - interval '29 minutes'`);
      expect((await used.send('GET', '/session')).status).toBe(200);
    }
    expectProblem(await idle.send('GET', '/session'), 'sign_in_required');
  });

  it('a session is listed with its times and the first 300 characters of its user agent', async () => {
    const email = newEmail();
    const browser = await administrator(email);
    const [createdAt, lastUsedAt] = [20, 10].map((minutes) =>
      new Date(Date.now() - minutes * 60_000).toISOString(),
    );
    await sql`UPDATE admin_sessions SET created_at = ${createdAt}, touched_at = ${lastUsedAt}`.execute(
      portal.db,
    );
    const headers = { 'user-agent': 'x'.repeat(301) };
    await browser.send('POST', '/session', { json: credentials(email), headers });
    const { sessions } = (await browser.send('GET', '/account/sessions')).json();
    expect(sessions).toMatchObject([
      { isCurrent: true, userAgent: 'x'.repeat(300) },
      { createdAt, lastUsedAt },
    ]);
  });

  it('a session that has ended is not listed', async () => {
    const email = newEmail();
    await administrator(email);
    await sql`UPDATE admin_sessions SET touched_at = now() - interval '31 minutes'`.execute(
      portal.db,
    );
    const browser = openAdminBrowser(portal);
    await browser.send('POST', '/session', { json: credentials(email) });
    const { sessions } = (await browser.send('GET', '/account/sessions')).json();
    expect(sessions).toMatchObject([{ isCurrent: true }]);
  });

  it('a session is listed, and ended from another one', async () => {
    const email = newEmail();
    const first = await administrator(email);
    const second = openAdminBrowser(portal);
    await second.send('POST', '/session', {
      json: credentials(email),
      headers: { 'user-agent': 'Second' },
    });
    const { sessions } = (await second.send('GET', '/account/sessions')).json();
    expect(sessions).toMatchObject([
      { isCurrent: true, userAgent: 'Second' },
      { isCurrent: false, userAgent: '' },
    ]);
    await second.send('DELETE', `/account/sessions/${sessions[1].id}`);
    expectProblem(await first.send('GET', '/session'), 'sign_in_required');
    expect((await second.send('GET', '/session')).status).toBe(200);
  });

  it('the list of operators is sorted by e-mail, and says who has a password', async () => {
    const tag = randomUUID();
    const email = (first: string) => `${first}-${tag}@portal.example`;
    await signInAs(portal, portal.acme, 'operator', email('b'));
    await inviteOperator(portal.db, { email: email('A') });
    const listed = (await listOperators(portal.db)).filter((each) => each.email.includes(tag));
    expect(listed).toMatchObject([
      { email: email('A'), has_password: false },
      { email: email('b'), has_password: true },
    ]);
  });

  it('a session ends when its operator is deleted, and other operators keep theirs', async () => {
    const emails = [newEmail(), newEmail()] as const;
    const [gone, kept] = [
      await signInAs(portal, portal.acme, 'operator', emails[0]),
      await signInAs(portal, portal.acme, 'operator', emails[1]),
    ];
    await deleteOperator(portal.db, emails[0].toUpperCase());
    expectProblem(await gone.send('GET', '/session'), 'sign_in_required');
    expect((await kept.send('GET', '/session')).json()).toMatchObject({ email: emails[1] });
    await expect(deleteOperator(portal.db, emails[0])).rejects.toMatchObject({
      code: 'user_not_found',
    });
  });

  it('a session does not end sessions of other accounts', async () => {
    const other = await administrator();
    const { sessions } = (await other.send('GET', '/account/sessions')).json();
    const browser = await administrator();
    await browser.send('DELETE', `/account/sessions/${sessions[0].id}`);
    expect((await other.send('GET', '/session')).status).toBe(200);
  });
});

describe('a change of the sign-in', () => {
  it('a change of the sign-in needs the password if it was checked more than ten minutes ago', async () => {
    const browser = await administrator();
    await sql`UPDATE admin_sessions SET authenticated_at = now() - interval '11 minutes'`.execute(
      portal.db,
    );
    const change = () =>
      browser.send('PUT', '/account/password', { json: { password: 'another long sentence' } });
    expectProblem(await change(), 'fresh_sign_in_required');
    const confirm = (password: string) =>
      browser.send('POST', '/session/confirm', { json: { password } });
    expectProblem(await confirm('a wrong password'), 'sign_in_failed');
    const before = browser.cookie();
    expect((await confirm(testPassword)).status).toBe(200);
    expect(browser.cookie()).not.toBe(before);
    expect((await change()).status).toBe(200);
  });

  it('a change of the sign-in needs no password for ten minutes after it was checked', async () => {
    const browser = await administrator();
    await sql`UPDATE admin_sessions SET authenticated_at = now() - interval '590 seconds'`.execute(
      portal.db,
    );
    const { freshForSeconds, authenticatedSecondsAgo } = (
      await browser.send('GET', '/session')
    ).json();
    expect(freshForSeconds).toBe(600);
    expect(authenticatedSecondsAgo).toBeGreaterThanOrEqual(590);
    const json = { password: 'another long sentence' };
    expect((await browser.send('PUT', '/account/password', { json })).status).toBe(200);
  });

  it('a change of the sign-in limits guesses of the password like a sign-in', async () => {
    const browser = await administrator();
    const confirm = async (password: string) =>
      (await browser.send('POST', '/session/confirm', { json: { password } })).status;
    const useUp = (attempts: number) =>
      sql`UPDATE sign_in_attempts SET attempts = ${attempts}`.execute(portal.db);
    expect(await confirm('a wrong password')).toBe(401);
    await useUp(9);
    // The right password gives the attempts back.
    for (let time = 0; time < 2; time++) expect(await confirm(testPassword)).toBe(200);
    expect(await confirm('a wrong password')).toBe(401);
    await useUp(10);
    expect(await confirm(testPassword)).toBe(429);
  });

  it('a change of the sign-in is in the activity log', async () => {
    const email = newEmail();
    const browser = await administrator(email);
    expect(await listNewest(portal, 2)).toMatchObject([
      { action: 'acceptInvitation', subject: email, actor: { name: email } },
      { action: 'signIn', subject: email },
    ]);
    const json = { password: 'another long sentence' };
    await browser.send('PUT', '/account/password', { json });
    expect(await listNewest(portal, 2)).toMatchObject([
      { action: 'changePassword', subject: email, actor: { name: email } },
      { action: 'signIn', subject: email },
    ]);
  });
});

describe('a request of another site', () => {
  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['the origin null', { origin: 'null' }],
    ['a page of the portal', { origin: 'http://acme.portal.localhost' }],
    ['another site with a copied origin', { 'sec-fetch-site': 'cross-site' }],
    ['the same site', { 'sec-fetch-site': 'same-site' }],
  ])('a request of another site is refused with %s, and changes nothing', async (_, headers) => {
    const browser = await administrator();
    expectProblem(await browser.send('DELETE', '/session', { headers }), 'cross_site');
    expect((await browser.send('GET', '/session')).status).toBe(200);
  });

  it('a request of another site cannot read either, but an address that the user enters can', async () => {
    const browser = await administrator();
    const read = (site: string, method = 'GET') =>
      browser.send(method, '/session', { headers: { 'sec-fetch-site': site } });
    expectProblem(await read('cross-site'), 'cross_site');
    expect((await read('none')).status).toBe(200);
    expectProblem(await read('none', 'DELETE'), 'cross_site');
    expect((await read('same-origin')).status).toBe(200);
  });

  it('a request of another site is refused without an origin', async () => {
    const browser = await administrator();
    const answer = await send(`${portal.adminUrl}/admin/api/session`, {
      method: 'DELETE',
      headers: { cookie: browser.cookie() },
    });
    expectProblem(answer, 'cross_site');
  });
});

describe('the host of the administration', () => {
  it.each(['/embed', '/identity?token=x', '/api/users', '/openapi.json', '/viewer/reports'])(
    'the host of the administration does not serve %s',
    async (path) => {
      const answer = await send(portal.adminUrl + path, { headers: { accept: '*/*' } });
      expectProblem(answer, 'not_found');
    },
  );

  it.each(['/livez', '/readyz'])(
    'the host of the administration answers the health check %s',
    async (path) => {
      expect((await send(portal.adminUrl + path)).status).toBe(200);
    },
  );

  it('the root of the host of the administration links to the administration', async () => {
    const { status, body } = await send(`${portal.adminUrl}/`, {
      headers: { accept: 'text/html' },
    });
    expect(status).toBe(200);
    expect(body).toContain(`href="${portal.adminUrl}/admin"`);
  });

  it.each(['/admin', '/admin/api/session'])(
    'only the host of the administration serves %s',
    async (path) => {
      for (const origin of [portal.publicUrl, portal.acme.address])
        expect((await send(origin + path)).status).toBe(404);
    },
  );

  it('the host of the administration sends pages that no other page can frame or read, and that browsers do not store', async () => {
    const { headers } = await send(`${portal.adminUrl}/admin/organizations/x`);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('the host of the administration sends answers that browsers do not store', async () => {
    const browser = await administrator();
    for (const path of ['/session', `/organizations/${portal.acme.id}/users`])
      expect((await browser.send('GET', path)).headers['cache-control']).toBe('no-store');
  });

  it('the host of the administration reads at most 64,000 bytes of a request', async () => {
    const ask = (bytes: number) => {
      const empty = JSON.stringify({ email: '' }).length;
      const json = { email: 'x'.repeat(bytes - empty) };
      return openAdminBrowser(portal).send('POST', '/session', { json });
    };
    expectProblem(await ask(64_000), 'invalid_request');
    expectProblem(await ask(64_001), 'body_too_large');
  });

  it('the host of the administration sends pages that load and send nothing elsewhere', async () => {
    const { headers } = await send(`${portal.adminUrl}/admin`);
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      expect.stringMatching(/^style-src 'self' 'nonce-[\w+/]{22}=='$/),
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "frame-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('the host of the administration lets a page frame the portal of its organization, if the session may see it', async () => {
    const { acme, globex, adminUrl } = portal;
    const readFrames = async (id: string, cookie: string) => {
      const page = await send(`${adminUrl}/admin/organizations/${id}/users`, {
        headers: { cookie },
      });
      return /; frame-src ([^;]*);/.exec(String(page.headers['content-security-policy']))?.[1];
    };
    const own = (await administrator()).cookie();
    expect(await readFrames(acme.id, own)).toBe(acme.address);
    expect(await readFrames(globex.id, own)).toBe("'none'");
    expect(await readFrames(acme.id, '')).toBe("'none'");
    const operator = (await signInAs(portal, acme, 'operator', newEmail())).cookie();
    expect(await readFrames(acme.id, operator)).toBe(acme.address);
    expect(await readFrames(globex.id, operator)).toBe(globex.address);
  });
});
