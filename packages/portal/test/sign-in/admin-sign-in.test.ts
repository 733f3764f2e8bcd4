import { randomUUID } from 'node:crypto';

import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deleteOperator, inviteOperator, listOperators } from '../../src/sign-in/operators.ts';
import { inviteUser, startSession } from '../../src/sign-in/service.ts';
import { findAccountByEmail } from '../../src/sign-in/store.ts';
import { createUser, updateUser } from '../../src/users/service.ts';
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

const credentials = (email: string, password = testPassword) => ({
  organization: 'acme',
  email,
  password,
});

describe('a sign-in', () => {
  it('works with organization, e-mail and password, in any letter case of the e-mail', async () => {
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

  it('works with the organization in any letter case', async () => {
    const email = newEmail();
    await administrator(email);
    const json = { ...credentials(email), organization: 'ACME' };
    const answer = await openAdminBrowser(portal).send('POST', '/session', { json });
    expect(answer.json()).toMatchObject({ email, organization: { slug: 'acme' } });
  });

  it('of an operator names no organization', async () => {
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

  it('fails if the password changes after it was checked', async () => {
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

  it('fails with the same answer for a wrong password, an unknown e-mail and a viewer', async () => {
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
        'Organization, e-mail or password is wrong. Check them, or ask another administrator or the operator of the portal for a new invitation.',
      );
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  it('of a user who has expired fails', async () => {
    const email = newEmail();
    await administrator(email);
    await updateUser(portal.acme.ctx, { userEmail: email, expirationDate: new Date(0) });
    const json = credentials(email);
    expectProblem(
      await openAdminBrowser(portal).send('POST', '/session', { json }),
      'sign_in_failed',
    );
  });

  it('a user whose access has not ended yet can sign in', async () => {
    const email = newEmail();
    await administrator(email);
    const expirationDate = new Date(Date.now() + 3_600_000);
    await updateUser(portal.acme.ctx, { userEmail: email, expirationDate });
    const browser = openAdminBrowser(portal);
    await browser.send('POST', '/session', { json: credentials(email) });
    expect((await browser.send('GET', '/session')).json()).toMatchObject({ email });
  });

  it('does not depend on another organization that knows the same e-mail', async () => {
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

describe('a session', () => {
  it('ends at sign-out, and its cookie is worthless afterwards', async () => {
    const browser = await administrator();
    const cookie = browser.cookie();
    expect((await browser.send('DELETE', '/session')).status).toBe(200);
    expect(browser.cookie()).toBe('');
    expectProblem(
      await openAdminBrowser(portal, cookie).send('GET', '/session'),
      'sign_in_required',
    );
  });

  it('has a token that the client cannot choose', async () => {
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
  ])('ends when the %s of its user changes', async (_, change) => {
    const email = newEmail();
    const browser = await administrator(email);
    await updateUser(portal.acme.ctx, { userEmail: email, ...change });
    expectProblem(await browser.send('GET', '/session'), 'sign_in_required');
  });

  it('ends when the password changes elsewhere', async () => {
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
  ])('ends %s', async (_, column, age) => {
    const browser = await administrator();
    await sql`UPDATE admin_sessions SET ${sql.ref(column)} = now() - ${age}::interval`.execute(
      portal.db,
    );
    expectProblem(await browser.send('GET', '/session'), 'sign_in_required');
  });

  it('is not ended by another account that changes its password', async () => {
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

  it('records its last use at most once a minute', async () => {
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

  it('ends when the access of its user expires', async () => {
    const email = newEmail();
    const browser = await administrator(email);
    // As if the time had come: a change through the portal ends the session itself.
    await sql`UPDATE users SET expiration_date = now() WHERE email = ${email}`.execute(portal.db);
    expectProblem(await browser.send('GET', '/session'), 'sign_in_required');
  });

  it('using a session keeps it alive for almost twelve hours, and keeps no other session alive', async () => {
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

  it('is listed with its times and the first 300 characters of its user agent', async () => {
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

  it('that has ended is not listed', async () => {
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

  it('is listed, and ended from another one', async () => {
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

  it('ends when its operator is deleted, and other operators keep theirs', async () => {
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

  it('does not end sessions of other accounts', async () => {
    const other = await administrator();
    const { sessions } = (await other.send('GET', '/account/sessions')).json();
    const browser = await administrator();
    await browser.send('DELETE', `/account/sessions/${sessions[0].id}`);
    expect((await other.send('GET', '/session')).status).toBe(200);
  });
});

describe('a change of the sign-in', () => {
  it('needs the password if it was checked more than ten minutes ago', async () => {
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

  it('needs no password for ten minutes after it was checked', async () => {
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

  it('has the same limit of guesses as a sign-in', async () => {
    const browser = await administrator();
    const confirm = async (password: string) =>
      (await browser.send('POST', '/session/confirm', { json: { password } })).status;
    const setAttempts = (attempts: number) =>
      sql`UPDATE sign_in_attempts SET attempts = ${attempts}`.execute(portal.db);
    expect(await confirm('a wrong password')).toBe(401);
    await setAttempts(9);
    // The right password resets the count.
    for (let time = 0; time < 2; time++) expect(await confirm(testPassword)).toBe(200);
    expect(await confirm('a wrong password')).toBe(401);
    await setAttempts(10);
    expect(await confirm(testPassword)).toBe(429);
  });

  it('is in the activity log', async () => {
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
