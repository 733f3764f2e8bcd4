import { sql } from 'kysely';
import pg from 'pg';
import { send } from 'test-support';
import { chooseRepetitions } from 'test-support/repetitions';
import { startStopwatch } from 'test-support/stopwatch';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { createApiKey } from '../../src/api-keys/service.ts';
import { lockApiKey, touchApiKey } from '../../src/api-keys/store.ts';
import { migrate } from '../../src/db/connection/migrate.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import type { PortalError } from '../../src/errors.ts';
import { lockForChange, lockForDeletion } from '../../src/organizations/store.ts';
import { removeOidc, setOidc } from '../../src/sign-in/oidc/provider-settings.ts';
import { startSession as startAdminSession } from '../../src/sign-in/service.ts';
import {
  findAccountByEmail,
  listSessions,
  setPassword,
  type FoundAccount,
} from '../../src/sign-in/store.ts';
import { listUsers, updateUser } from '../../src/users/service.ts';
import { versionOf } from '../../src/users/user-version.ts';
import { signInAs } from '../support/admin.ts';
import { createTestDatabase } from '../support/database.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startScriptedProvider } from '../support/scripted-provider.ts';
import { mint, open, readSession, startSession, view } from '../support/viewer.ts';

const rounds = chooseRepetitions(6, 200);

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const email = 'leaver@acme.example';
const adminClient = { network: '192.0.2.7', userAgent: '' };

/** An account of the administration, without a session. */
async function createAccount(userEmail: string): Promise<FoundAccount> {
  const browser = await signInAs(portal, portal.acme, 1, userEmail);
  await browser.send('DELETE', '/session');
  return (await findAccountByEmail(portal.db, { organization: 'acme', email: userEmail }))!;
}

/** Sends a request during the deletion of the user, and commits once the request waits for it. */
async function whileDeleting<Result>(request: () => Promise<Result>): Promise<Result> {
  return portal.db
    .transaction()
    .execute(async (transaction) => {
      await sql`DELETE FROM users WHERE email = ${email}`.execute(transaction);
      const answer = request();
      await expect.poll(() => countLockWaits(portal.db)).toBe(1);
      return { answer };
    })
    .then(({ answer }) => answer);
}

async function createLeaver(): Promise<void> {
  await portal.api('POST', '/api/user', { json: { email, name: 'Leaver', role: 3 } });
  const { reportId } = portal.acme;
  await portal.api('PUT', '/api/user/link-reports', {
    json: { userEmail: email, reports: [reportId] },
  });
}

it('a sign-in starts no session if the password changes meanwhile', async () => {
  const { db } = portal;
  const account = await createAccount('ada@acme.example');
  const answer = await db
    .transaction()
    .execute(async (transaction) => {
      await setPassword(transaction, account.id, 'another hash');
      const starting = startAdminSession(db, adminClient, account, {
        passwordHash: account.passwordHash!,
      }).catch((error: PortalError) => error.code);
      await expect.poll(() => countLockWaits(db)).toBe(1);
      // In an object, because `execute` would await a returned promise before the commit.
      return { starting };
    })
    .then(({ starting }) => starting);
  expect(answer).toBe('sign_in_failed');
  expect(await listSessions(db, account.id)).toEqual([]);
});

it('a session that is created while the identity provider changes ends, too', async () => {
  const { db, acme } = portal;
  const account = await createAccount('ben@acme.example');
  const { issuer } = await startScriptedProvider();
  await db
    .transaction()
    .execute(async (transaction) => {
      await startAdminSession(transaction, adminClient, account, {
        passwordHash: account.passwordHash!,
      });
      const provider = { issuer, clientId: 'a', passwords: true, trustEmails: false };
      const setting = setOidc(acme.ctx, provider);
      await expect.poll(() => countLockWaits(db)).toBe(1);
      return { setting };
    })
    .then(({ setting }) => setting);
  expect(await listSessions(db, account.id)).toEqual([]);
  await removeOidc(acme.ctx);
});

it('a mint for a user who is deleted during the request answers 404', async () => {
  const { acme } = portal;
  for (const one of [{}, { organizationId: acme.id, reportId: acme.reportId }]) {
    await createLeaver();
    const answer = await whileDeleting(() =>
      portal.api('POST', '/api/identity/url', { json: { userEmail: email, ...one } }),
    );
    expect([answer.status, answer.json().code]).toEqual([404, 'user_not_found']);
  }
});

it('viewing the portal as a user who is deleted during the request answers 404', async () => {
  const { acme } = portal;
  const browser = await signInAs(portal, acme, 1, 'cleo@acme.example');
  await createLeaver();
  const { id } = (await portal.api('GET', `/api/user?email=${email}`)).json().data[0];
  const path = `/organizations/${acme.id}/users/${id}/view`;
  const answer = await whileDeleting(() => browser.send('POST', path, { json: {} }));
  expect([answer.status, answer.json().code]).toEqual([404, 'user_not_found']);
});

it('a URL whose user is deleted while it opens answers 410', async () => {
  await createLeaver();
  const url = await mint(portal, portal.acme, { userEmail: email });
  const answer = await whileDeleting(() => open(url));
  expect(answer.status).toBe(410);
});

it('link-reports answers 404 and link-users 422 for a user who is deleted during the request', async () => {
  const { reportId, datasetId } = portal.acme;
  await createLeaver();
  const linked = await whileDeleting(() =>
    portal.api('PUT', '/api/user/link-reports', {
      json: { userEmail: email, reports: [reportId] },
    }),
  );
  expect([linked.status, linked.json().code]).toEqual([404, 'user_not_found']);
  await createLeaver();
  const named = await whileDeleting(() =>
    portal.api('PUT', '/api/datasets/rls/link-users', {
      json: { usersEmails: [email], datasetId, role: 'West' },
    }),
  );
  expect([named.status, named.json().code]).toEqual([422, 'unknown_references']);
});

it(`deleting a user causes no server error in ${rounds} rounds of simultaneous requests`, async () => {
  const { acme } = portal;
  for (let round = 0; round < rounds; round++) {
    await createLeaver();
    const urls = await Promise.all([1, 2].map(() => mint(portal, acme, { userEmail: email })));
    const one = { organizationId: acme.id, reportId: acme.reportId };
    const json = { userEmail: email, reports: [acme.reportId] };
    const answers = await Promise.all([
      portal.api('POST', '/api/identity/url', { json: { userEmail: email, ...one } }),
      open(urls[0]!),
      portal.api('DELETE', `/api/user/${email}`),
      open(urls[1]!),
      portal.api('PUT', '/api/user/link-reports', { json }),
      portal.api('PUT', '/api/user/unlink-reports', { json }),
      portal.api('POST', '/api/user', { json: { email, name: 'Again', role: 3 } }),
      portal.api('POST', '/api/identity/url', { json: { userEmail: email } }),
    ]);
    for (const answer of answers)
      expect([answer.status < 500, answer.body]).toEqual([true, answer.body]);
    await portal.api('DELETE', `/api/user/${email}`);
    const after = await portal.api('POST', '/api/identity/url', { json: { userEmail: email } });
    expect(after.status).toBe(404);
  }
});

it('a URL whose opening deadlocks with the deletion of its user answers 410', async () => {
  const database = await createTestDatabase();
  const url = new URL(database.databaseUrl!);
  // The opening looks for a deadlock once, which must be after the deletion has begun.
  url.searchParams.set('options', '-c deadlock_timeout=5s');
  const slow = await startTestPortal({ database: { ...database, databaseUrl: url.href } });
  onTestFinished(() => slow.close());
  const { acme, db } = slow;
  const minted = await mint(slow, acme, { userEmail: acme.emails.west });
  const { opening } = await db.transaction().execute(async (transaction) => {
    const user = sql`FROM users WHERE email = ${acme.emails.west}`;
    // So that the opening detects the deadlock, and not the deletion.
    await sql`SET LOCAL deadlock_timeout = '1min'`.execute(transaction);
    await sql`SELECT ${user} FOR UPDATE`.execute(transaction);
    // The opening has used up the URL, and its session refers to the user.
    const opened = open(minted);
    await expect.poll(() => countLockWaits(db)).toBe(1);
    await sql`DELETE ${user}`.execute(transaction);
    return { opening: opened };
  });
  const page = await opening;
  expect([page.status, page.body]).toEqual([
    410,
    expect.stringContaining('data-session-required="unknown"'),
  ]);
});

it('a change of a user that is based on the version before a simultaneous change is refused', async () => {
  const { ctx, emails } = portal.acme;
  const userEmail = emails.none;
  const { data } = await listUsers(ctx, { email: userEmail, pageNumber: 1, pageSize: 1 });
  const change = { userEmail, baseVersion: versionOf(data[0]!) };
  const { late } = await portal.db.transaction().execute(async (transaction) => {
    await updateUser({ ...ctx, db: transaction }, { ...change, department: 'First' });
    const refused = updateUser(ctx, { ...change, department: 'Second' }).catch(
      (error: unknown) => error,
    );
    await expect.poll(() => countLockWaits(portal.db)).toBe(1);
    return { late: refused };
  });
  expect(await late).toMatchObject({ code: 'stale_version' });
});

it('a report answers 401 if its session is ended while it opens', async () => {
  const { acme, db } = portal;
  const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
  const { answer } = await db.transaction().execute(async (transaction) => {
    await sql`DELETE FROM portal_sessions`.execute(transaction);
    const viewing = view(acme.address, bearer, acme.reportId);
    await expect.poll(() => countLockWaits(db)).toBe(1);
    return { answer: viewing };
  });
  const { status, json } = await answer;
  expect([status, json().code]).toEqual([401, 'session_required']);
});

it('a print answers 401 if its organization is deleted at the same moment', async () => {
  const { db } = portal;
  const gone = await createTestOrganization(portal, 'gone');
  const { bearer } = await startSession(portal, gone, { userEmail: gone.emails.west });
  const { answer } = await db.transaction().execute(async (transaction) => {
    await sql`DELETE FROM organizations WHERE id = ${gone.id}`.execute(transaction);
    const printing = send(`${gone.address}/viewer/reports/${gone.reportId}/print`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
    });
    await expect.poll(() => countLockWaits(db)).toBe(1);
    return { answer: printing };
  });
  const { status, json } = await answer;
  expect([status, json().code]).toEqual([401, 'session_required']);
});

it('endSessions also ends a session whose URL is being opened', async () => {
  const { acme, db } = portal;
  const userEmail = acme.emails.west;
  const url = await mint(portal, acme, { userEmail, reportId: acme.reportId });
  const { opening, ending } = await db.transaction().execute(async (transaction) => {
    // The new session refers to its report, so the opening waits for the end of this transaction.
    await sql`SELECT FROM reports WHERE id = ${acme.reportId} FOR UPDATE`.execute(transaction);
    const opened = open(url);
    await expect.poll(() => countLockWaits(db)).toBe(1);
    const ended = portal.api('DELETE', `/api/user/${userEmail}/sessions`);
    await expect.poll(() => countLockWaits(db)).toBe(2);
    return { opening: opened, ending: ended };
  });
  expect(await ending).toMatchObject({ status: 204 });
  const { bearer } = readSession(await opening);
  expect((await view(acme.address, bearer, acme.reportId)).status).toBe(401);
});

it('a refusal is neither delayed nor recorded while its organization is deleted', async () => {
  const { db, acme } = portal;
  const refuse = async () =>
    (await portal.api('DELETE', '/api/user/nobody@acme.example')).json().code;
  const count = async () =>
    (
      await db
        .selectFrom('activity_entries')
        .select('id')
        .where('refusal', 'is not', null)
        .execute()
    ).length;
  const before = await count();
  await db.transaction().execute(async (transaction) => {
    await lockForDeletion(transaction, acme.id);
    expect(await refuse()).toBe('user_not_found');
  });
  expect(await count()).toBe(before);
  expect(await refuse()).toBe('user_not_found');
  expect(await count()).toBe(before + 1);
});

it('a migration that finds a table in use gives way after a second and retries', async () => {
  const database = await createTestDatabase();
  const { db, close } = await openDatabase(database);
  const pool = new pg.Pool({ connectionString: database.databaseUrl });
  const { migrating } = await db.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE schema_migrations`.execute(transaction);
    const migrated = migrate(pool);
    await expect.poll(() => countLockWaits(db)).toBe(1);
    await expect.poll(() => countLockWaits(db)).toBe(0);
    return { migrating: migrated };
  });
  const stop = startStopwatch();
  expect(await migrating).toEqual([]);
  expect(stop()).toBeLessThan(5_000);
  await pool.end();
  await close();
  await database.remove();
});

it('a migration limits only its wait for a table', async () => {
  const database = await createTestDatabase();
  const pool = new pg.Pool({
    connectionString: database.databaseUrl,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
  });
  const limits: unknown[] = [];
  pool.on('connect', (client) => {
    client.on('error', () => {});
    const query = client.query.bind(client) as (text: string) => Promise<pg.QueryResult>;
    client.query = (async (text: string, ...rest: []) => {
      if (text.includes('CREATE TABLE'))
        limits.push(
          ...(
            await query(`SELECT current_setting('statement_timeout') AS statement,
              current_setting('idle_in_transaction_session_timeout') AS idle,
              current_setting('lock_timeout') AS lock`)
          ).rows,
        );
      return query(text, ...rest);
    }) as typeof client.query;
  });
  expect(await migrate(pool)).toEqual([]);
  expect(limits).toEqual([{ statement: '0', idle: '0', lock: '500ms' }]);
  await pool.end();
  await database.remove();
});

it('the use of a key that is locked is not recorded, and does not wait', async () => {
  const { ctx, id: organizationId } = portal.acme;
  const { id } = await createApiKey(ctx, { name: 'x', permissions: [] });
  await portal.db.transaction().execute(async (transaction) => {
    await lockApiKey(transaction, organizationId, id);
    expect(await touchApiKey(portal.db, id, 'last_used_at')).toBe(false);
  });
  expect(await touchApiKey(portal.db, id, 'last_used_at')).toBe(true);
});

it('a refusal is recorded while its organization is changed', async () => {
  const { db, acme } = portal;
  const userEmail = 'changed@acme.example';
  await db.transaction().execute(async (transaction) => {
    await lockForChange(transaction, acme.id);
    await portal.api('DELETE', `/api/user/${userEmail}`);
  });
  const { rows } = await sql`
    SELECT refusal FROM activity_entries WHERE subject = ${userEmail}`.execute(db);
  expect(rows).toEqual([{ refusal: 'user_not_found' }]);
});

it('a migration waits for that of another release, whose lock has the same number', async () => {
  const database = await createTestDatabase();
  const { db, close } = await openDatabase(database);
  const pool = new pg.Pool({ connectionString: database.databaseUrl });
  const { migrating } = await db.transaction().execute(async (other) => {
    // Only an exclusive lock waits for a shared one.
    await sql`SELECT pg_advisory_xact_lock_shared(4207315011)`.execute(other);
    const migrated = migrate(pool);
    await expect.poll(() => countLockWaits(db)).toBe(1);
    return { migrating: migrated };
  });
  expect(await migrating).toEqual([]);
  await pool.end();
  await close();
  await database.remove();
});
