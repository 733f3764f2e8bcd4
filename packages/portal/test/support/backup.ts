import fs from 'node:fs';
import path from 'node:path';

import { sql } from 'kysely';
import { createTemporaryFolder } from 'test-support';
import { onTestFinished } from 'vitest';

import { listTables } from '../../src/backup/tables.ts';
import { openDatabase, type Database } from '../../src/db/connection/open.ts';
import { foldRowCounts } from '../../src/db/query/row-counts.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestOrganization, type TestOrganization } from './organization.ts';

type Where = Pick<TestDatabase, 'dataDir' | 'databaseUrl'>;

/** A text with everything that COPY escapes. */
const specialText = 'Zoë\t東京 😀\r\n\\N \\. "quoted" \u0001\u007F';

const inserts = [
  `UPDATE organizations SET logo = '\\x00ff0a0d5c', logo_hash = 'hash'`,
  `UPDATE users SET department = $1 WHERE email LIKE 'west@%'`,
  `INSERT INTO operators (id, email, email_key, name)
    VALUES (gen_random_uuid(), 'olivia@portal.example', 'olivia@portal.example', $1)`,
  `INSERT INTO admin_accounts (operator_id, password_hash) SELECT id, $1 FROM operators`,
  `INSERT INTO admin_accounts (organization_id, user_id)
    SELECT organization_id, id FROM users WHERE email LIKE 'east@%'`,
  `INSERT INTO admin_known_clients (account_id, client_hash)
    SELECT id, '\\x01' FROM admin_accounts`,
  `INSERT INTO companies (organization_id, id, name)
    SELECT id, gen_random_uuid(), $1 FROM organizations`,
  `INSERT INTO company_users (organization_id, company_id, user_id)
    SELECT organization_id, companies.id, users.id FROM companies JOIN users USING (organization_id)`,
  `INSERT INTO connection_grants (organization_id, connection) SELECT id, 'sales' FROM organizations`,
  // A portal that runs changes a connection whose synchronization is due.
  `INSERT INTO platform_connections (organization_id, platform, settings, sync_due_at)
    SELECT id, 'powerbi', jsonb_build_object('tenant', $1::text), '2100-01-01' FROM organizations`,
  `INSERT INTO organization_oidc (organization_id, issuer, client_id, passwords)
    SELECT id, 'https://login.example', 'portal', true FROM organizations`,
  `INSERT INTO report_marks (organization_id, user_id, report_id, is_favorite)
    SELECT organization_id, users.id, reports.id, true FROM users JOIN reports USING (organization_id)`,
  `INSERT INTO rls_role_groups (organization_id, role_id, group_id)
    SELECT organization_id, rls_roles.id, groups.id FROM rls_roles JOIN groups USING (organization_id)`,
  `INSERT INTO workspace_contributors (organization_id, workspace_id, user_id)
    SELECT organization_id, workspaces.id, users.id FROM workspaces JOIN users USING (organization_id)`,
  `INSERT INTO dataset_workspaces (organization_id, dataset_id, workspace_id)
    SELECT organization_id, datasets.id, workspaces.id
    FROM datasets JOIN workspaces USING (organization_id) ON CONFLICT DO NOTHING`,
  // The first key refers to one that follows it.
  `INSERT INTO api_keys (id, organization_id, name, key_hash, permissions, replaced_by)
    SELECT new.id, organizations.id, new.name, decode(md5(new.id::text), 'hex'), '{users:read}', new.next
    FROM organizations, (VALUES
      ('00000000-0000-4000-8000-000000000001'::uuid, 'old', '00000000-0000-4000-8000-000000000002'::uuid),
      ('00000000-0000-4000-8000-000000000002', 'new', NULL)) AS new(id, name, next)
    WHERE slug = 'acme'`,
  `INSERT INTO audit_entries (organization_id, user_id, user_email, user_email_key, report_id, report_name, action, created_at)
    SELECT organization_id, users.id, users.email, email_key, reports.id, $1, 1,
      timestamptz '2026-01-01T00:00:00.123456Z' + n * interval '1 hour'
    FROM users JOIN reports USING (organization_id), generate_series(1, 20) AS n`,
  `INSERT INTO sign_in_attempts (key, attempts, expires_at) VALUES ('\\x01', 3, now() + interval '1 day')`,
  `INSERT INTO admin_invitations (account_id, token_hash, expires_at)
    SELECT id, '\\x02', now() + interval '1 day' FROM admin_accounts LIMIT 1`,
];

/** Rows in every table that a backup contains, and in some others. */
export async function fillTables(
  db: Database,
  dataDir: string,
): Promise<Record<'acme' | 'globex', TestOrganization>> {
  const scope = { db, dataDir, publicUrl: 'http://localhost:4000' };
  const organizations = {
    acme: await createTestOrganization(scope, 'acme'),
    globex: await createTestOrganization(scope, 'globex'),
  };
  for (const row of inserts) {
    const [before = '', after] = row.split('$1');
    await (
      after === undefined
        ? sql.raw(row)
        : sql`${sql.raw(before)}${specialText}::text${sql.raw(after)}`
    ).execute(db);
  }
  await db.transaction().execute((transaction) => foldRowCounts(transaction, 1_000));
  await sql
    .raw(`UPDATE users SET department = department || '!' WHERE email LIKE 'none@%'`)
    .execute(db);
  await sql
    .raw(`INSERT INTO users (organization_id, id, email, email_key, name, role, can_edit_report, can_create_report, can_overwrite_report)
      SELECT id, gen_random_uuid(), 'late@' || slug, 'late@' || slug, 'Late', 4, false, true, false FROM organizations`)
    .execute(db);
  return organizations;
}

/** A database with rows in every table, and data files. */
export async function createFilledDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(database.remove);
  const { db, close } = await openDatabase(database);
  await fillTables(db, database.dataDir);
  await close();
  return database;
}

/** The number of rows of each table, and a hash of them. */
export async function hashTables(database: Where): Promise<Record<string, string>> {
  const { db, close } = await openDatabase({ ...database, migrate: false });
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`SET LOCAL timezone = 'UTC'`.execute(transaction);
      const query = async <Row extends object>(text: string): Promise<Row[]> =>
        (await sql.raw<Row>(text).execute(transaction)).rows;
      const hashes: Record<string, string> = {};
      for (const { name } of await listTables({ query })) {
        const rows = await query<{ hash: string }>(`
          SELECT count(*) || ' ' || coalesce(md5(string_agg(each::text, E'\\n' ORDER BY each::text COLLATE "C")), '')
            AS hash
          FROM (SELECT to_jsonb(t) AS each FROM "${name}" AS t) AS rows`);
        hashes[name] = rows[0]!.hash;
      }
      return hashes;
    });
  } finally {
    await close();
  }
}

/** Lists the data files that a portal could read, with their contents. */
export function readDataFiles({ dataDir }: Where): Record<string, string> {
  const root = path.join(dataDir, 'datasets');
  const names = fs.readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .toSorted()
      .map((file) => [path.relative(root, file), fs.readFileSync(file, 'base64')]),
  );
}

/** An empty data directory, which is removed after the test. */
export function createFolder(): string {
  const folder = createTemporaryFolder('portal-backup-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database without tables. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ isEmpty: true });
  onTestFinished(database.remove);
  return database;
}
