import { randomUUID } from 'node:crypto';

import { sql, type RawBuilder } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { openAdminBrowser, signInAs, testPassword } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ trustProxy: true });
});
afterAll(() => portal.close());

const newEmail = () => `${randomUUID()}@acme.example`;
const administrator = (email: string) => signInAs(portal, portal.acme, 1, email);

const trySignIn = (email: string, address: string, password = 'a wrong password') =>
  openAdminBrowser(portal).send('POST', '/session', {
    json: { organization: 'acme', email, password },
    headers: { 'x-forwarded-for': address },
  });

// The tests change the attempts of all accounts and networks.
afterEach(() => sql`DELETE FROM sign_in_attempts`.execute(portal.db));

/** Changes the counts of each account at a network, of each network, and of each account. */
const changeAttempts = (change: RawBuilder<unknown>) =>
  sql`UPDATE sign_in_attempts SET ${change}`.execute(portal.db);

/** Uses up the limit of each account, the only one that lasts longer than a quarter of an hour. */
const useUpAccounts = () =>
  changeAttempts(sql`attempts = 100 WHERE expires_at > now() + interval '16 minutes'`);

it('guessing a password is refused after ten attempts in a quarter of an hour, and the owner can still sign in', async () => {
  const email = newEmail();
  await administrator(email);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => trySignIn(email, '198.51.100.7')),
  );
  const codes = answers.map(({ status }) => status);
  expect(codes.filter((status) => status === 401)).toHaveLength(10);
  const refused = answers.find(({ status }) => status === 429)!;
  expectProblem(refused, 'rate_limited');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
  expect((await trySignIn(email, '198.51.100.7', testPassword)).status).toBe(429);
  expect((await trySignIn(email, '203.0.113.9', testPassword)).status).toBe(200);
});

it('guessing a password from many networks is refused after a hundred attempts, except where the owner has signed in', async () => {
  const email = newEmail();
  await administrator(email);
  expect((await trySignIn(email, '192.0.2.1', testPassword)).status).toBe(200);
  const statuses = new Set<number>();
  for (let network = 0; network < 13; network++) {
    const address = `10.1.${network}.1`;
    const some = await Promise.all(Array.from({ length: 8 }, () => trySignIn(email, address)));
    for (const { status } of some) statuses.add(status);
  }
  expect(statuses).toEqual(new Set([401, 429]));
  expect((await trySignIn(email, '10.2.0.1', testPassword)).status).toBe(429);
  expect((await trySignIn(email, '192.0.2.1', testPassword)).status).toBe(200);
});

it('guessing a password costs the same attempts for an e-mail that does not exist', async () => {
  const email = newEmail();
  const statuses = [];
  for (let attempt = 0; attempt < 11; attempt++)
    statuses.push((await trySignIn(email, '198.51.100.99')).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
});

it('mistyping a password before a sign-in uses up none of the ten attempts after it', async () => {
  const email = newEmail();
  await administrator(email);
  const mistype = async () => {
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => trySignIn(email, '198.51.100.51')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 401));
  };
  await mistype();
  expect((await trySignIn(email, '198.51.100.51', testPassword)).status).toBe(200);
  await mistype();
});

it('guessing a password is possible again a quarter of an hour after the first attempt', async () => {
  const email = newEmail();
  const again = () => trySignIn(email, '198.51.100.61');
  await again();
  await changeAttempts(sql`attempts = 10`);
  expect(Number((await again()).headers['retry-after'])).toBeLessThanOrEqual(900);
  await changeAttempts(sql`expires_at = now() + interval '4 minutes 30 seconds'`);
  const refused = await again();
  expectProblem(refused, 'rate_limited');
  expect(refused.json().advice).toBe('Try again in 5 min.');
  await changeAttempts(sql`expires_at = now()`);
  expect((await again()).status).toBe(401);
});

it('guesses count together for an e-mail in any letter case', async () => {
  const email = newEmail();
  await trySignIn(email, '198.51.100.62');
  await changeAttempts(sql`attempts = 10`);
  expect((await trySignIn(email.toUpperCase(), '198.51.100.62')).status).toBe(429);
});

it('guessing the passwords of many accounts from one network is refused after a hundred attempts', async () => {
  await trySignIn(newEmail(), '198.51.100.63');
  await changeAttempts(sql`attempts = 99`);
  expect((await trySignIn(newEmail(), '198.51.100.63')).status).toBe(401);
  const refused = await trySignIn(newEmail(), '198.51.100.63');
  expectProblem(refused, 'rate_limited');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
  expect((await trySignIn(newEmail(), '198.51.100.64')).status).toBe(401);
});

it.each([
  [5, 10],
  [10, 5],
])(
  'a guess over the limits of its account (%i min) and its network (%i min) waits for both',
  async (ofAccount, ofNetwork) => {
    const email = newEmail();
    for (const each of [newEmail(), email]) await trySignIn(each, '198.51.100.69');
    // Only the network has two attempts.
    await changeAttempts(sql`attempts = 100, expires_at = now() + interval '1 minute' *
    CASE attempts WHEN 2 THEN ${ofNetwork}::integer ELSE ${ofAccount}::integer END`);
    const refused = await trySignIn(email, '198.51.100.69');
    expectProblem(refused, 'rate_limited');
    expect(refused.json().advice).toBe('Try again in 10 min.');
  },
);

it('a sign-in resets the count of guesses only for its own account', async () => {
  const [email, own] = [newEmail(), newEmail()];
  await administrator(own);
  await trySignIn(email, '198.51.100.65');
  await changeAttempts(sql`attempts = 10`);
  expect((await trySignIn(own, '198.51.100.65', testPassword)).status).toBe(200);
  expect((await trySignIn(email, '198.51.100.65')).status).toBe(429);
});

it('guesses that the limit of a network refuses do not count toward the limit of the account', async () => {
  const email = newEmail();
  await trySignIn(email, '198.51.100.66');
  await changeAttempts(sql`attempts = 10`);
  expect((await trySignIn(email, '198.51.100.66')).status).toBe(429);
  // Leaves the account one of its hundred attempts, as the refused guess was not counted.
  await changeAttempts(sql`attempts = attempts + 89`);
  expect((await trySignIn(email, '198.51.100.67')).status).toBe(401);
  const refused = await trySignIn(email, '198.51.100.68');
  expectProblem(refused, 'rate_limited');
  // An account waits for an hour, so that a day has at most 2,400 guesses.
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
});

it('a sign-in of another account does not exempt a network from the limit of an account', async () => {
  const [email, other] = [newEmail(), newEmail()];
  await administrator(email);
  await administrator(other);
  await trySignIn(email, '198.51.100.69');
  await useUpAccounts();
  expect((await trySignIn(other, '198.51.100.70', testPassword)).status).toBe(200);
  expect((await trySignIn(email, '198.51.100.70')).status).toBe(429);
});

it('a network is exempt from the limit of an account for 30 days after the latest sign-in of the account', async () => {
  const email = newEmail();
  await administrator(email);
  const signInLater = async (days: string) => {
    await sql`UPDATE admin_known_clients SET seen_at = seen_at - ${days}::interval`.execute(
      portal.db,
    );
    return (await trySignIn(email, '198.51.100.71', testPassword)).status;
  };
  expect(await signInLater('0 days')).toBe(200);
  await useUpAccounts();
  expect(await signInLater('29 days 23 hours')).toBe(200);
  expect(await signInLater('29 days 23 hours')).toBe(200);
  expect(await signInLater('30 days')).toBe(429);
});
