import { permissions } from '@portal-embed/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createApiKey, revokeApiKey, rotateApiKey } from '../../src/api-keys/service.ts';
import { findApiKeyByHash } from '../../src/api-keys/store.ts';
import { openDatabase, type Database } from '../../src/db/connection/open.ts';
import { sha256 } from '../../src/secrets.ts';
import { createUser } from '../../src/users/service.ts';
import { findUserByEmail } from '../../src/users/store.ts';
import { keyActor } from '../support/actors.ts';
import { createGlobex, runForResult, runInProcess } from '../support/command-line.ts';
import type { TestDatabase } from '../support/database.ts';
import type { TestOrganization } from '../support/organization.ts';

let database: TestDatabase;
let globex: TestOrganization;
beforeAll(async () => {
  ({ database, globex } = await createGlobex());
});
afterAll(() => database.remove());

async function withDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const { db, close } = await openDatabase(database);
  try {
    return await work(db);
  } finally {
    await close();
  }
}

/** The next opening of the database migrates again, from the state of the earlier release. */
async function undoMigration(db: Database): Promise<void> {
  await sql`DROP INDEX users_by_subject`.execute(db);
  await sql`DELETE FROM schema_migrations WHERE name LIKE '0022%'`.execute(db);
}

const earlier = permissions.filter((permission) => permission !== 'administrators:write');

it('the migration gives administrators:write to the keys that hold all nine other permissions', async () => {
  const create = (db: Database, held: typeof earlier) =>
    createApiKey({ ...globex.ctx, db }, { name: 'old', permissions: held });
  const [all, narrow] = await withDatabase(async (db) => {
    const keys = [await create(db, earlier.toReversed()), await create(db, earlier.slice(1))];
    await undoMigration(db);
    return keys;
  });
  const read = (db: Database, key: string) => findApiKeyByHash(db, sha256(key));
  await withDatabase(async (db) => {
    const { permissions: held } = (await read(db, all!.key))!;
    expect(held.toSorted()).toEqual([...permissions].toSorted());
    expect((await read(db, narrow!.key))!.permissions).toEqual(earlier.slice(1));
  });
});

it('portal migrate names the keys that have created administrators and can no longer', async () => {
  const kept = await withDatabase(async (db) => {
    const ctx = { ...globex.ctx, db };
    let users = 0;
    /** A key of the earlier release that has created a user with this role. */
    const createFormer = async (name: string, role: number) => {
      const held = ['users:write'] as const;
      const created = await createApiKey(ctx, { name, permissions: held });
      const actor = { ...keyActor(created.id), permissions: new Set(permissions) };
      const email = `made-${(users += 1)}@globex.example`;
      await createUser({ ...ctx, actor }, { email, name, role });
      return created;
    };
    const { id } = await createFormer('Directory', 2);
    await createFormer('Provisioning', 3);
    await revokeApiKey(ctx, await createFormer('Revoked', 1));
    const old = await createFormer('Rotated', 4);
    const next = await rotateApiKey(ctx, { id: old.id, oldWorksUntil: new Date() });
    const full = await createApiKey(ctx, { name: 'Full', permissions });
    const actor = { ...keyActor(full.id), permissions: new Set(permissions) };
    await createUser({ ...ctx, actor }, { email: 'x@globex.example', name: 'X', role: 1 });
    return [
      { organization: 'globex', id, name: 'Directory' },
      { organization: 'globex', id: next.id, name: 'Rotated' },
    ];
  });
  const answer = await runForResult(database, ['migrate']);
  expect(answer).toEqual({
    applied: [],
    keysWithoutAdministratorsWrite: kept,
    archivedWithoutContent: [],
  });
  const { stdout } = await runInProcess(database, ['migrate']);
  expect(stdout).toContain('needs the permission\nadministrators:write');
  for (const { id, name } of kept) expect(stdout).toMatch(new RegExp(`globex +${name} +${id}`));
});

it('the migration keeps a shared subject for the user who signed in last, and ends the sessions of the others', async () => {
  const emails = ['first', 'last', 'never', 'alone'].map((name) => `${name}@globex.example`);
  const [first, last, never, alone] = emails as [string, string, string, string];
  await withDatabase(async (db) => {
    await undoMigration(db);
    for (const email of emails) {
      await createUser({ ...globex.ctx, db }, { email, name: email, role: 1 });
      await sql`
        WITH own AS (
          UPDATE users SET directory_ad_user = ${email === alone ? 'another' : 'the subject'}
          WHERE email = ${email} RETURNING organization_id, id
        ), account AS (
          INSERT INTO admin_accounts (organization_id, user_id) SELECT * FROM own RETURNING id
        )
        INSERT INTO admin_sessions (token_hash, account_id, user_agent, created_at)
        SELECT sha256(convert_to(${email}, 'UTF8')), id, '', '2026-01-01' FROM account`.execute(db);
    }
    for (const [email, at] of [
      [last, '2026-03-01'],
      [first, '2026-02-01'],
      [alone, '2026-01-01'],
    ] as const)
      await sql`
        INSERT INTO activity_entries (organization_id, created_at, user_id, user_email, action, subject)
        SELECT organization_id, ${at}::timestamptz, id, email, 'signIn', email
        FROM users WHERE email = ${email}`.execute(db);
  });
  await withDatabase(async (db) => {
    const subjectOf = async (email: string) =>
      (await findUserByEmail(db, globex.id, email))!.directory_ad_user;
    expect(await Promise.all([first, last, never, alone].map(subjectOf))).toEqual([
      null,
      'the subject',
      null,
      'another',
    ]);
    const { rows } = await sql<{ email: string }>`
      SELECT email FROM admin_sessions JOIN admin_accounts ON admin_accounts.id = account_id
      JOIN users ON users.organization_id = admin_accounts.organization_id AND users.id = user_id
      ORDER BY email`.execute(db);
    expect(rows.map(({ email }) => email)).toEqual([alone, last]);
  });
});
