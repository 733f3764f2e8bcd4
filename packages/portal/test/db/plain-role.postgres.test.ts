import path from 'node:path';

import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { createGroup } from '../../src/access/create-group.ts';
import { listReadableReports } from '../../src/access/readable-reports.ts';
import { linkReports } from '../../src/access/report-links.ts';
import { listRoles } from '../../src/access/roles.ts';
import { listReports } from '../../src/catalogue/service.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/connection/open.ts';
import { readRights, requireRights } from '../../src/db/connection/role-rights.ts';
import { listGroups } from '../../src/groups/service.ts';
import { mintIdentityUrl } from '../../src/identity-urls/service.ts';
import { createSweepTasks } from '../../src/jobs/sweeper.ts';
import { listUsers } from '../../src/users/service.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addItems, regionRole } from '../support/items.ts';
import { createTestOrganization } from '../support/organization.ts';

let testDatabase: TestDatabase;
let database: OpenDatabase;

/** Creates a role that may create tables but no extensions. */
async function createPlainRole(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`CREATE ROLE plain LOGIN; GRANT ALL ON SCHEMA public TO plain`);
  await client.end();
  const url = new URL(databaseUrl);
  url.username = 'plain';
  return url.href;
}

beforeAll(async () => {
  testDatabase = await createTestDatabase({ isEmpty: true });
  const databaseUrl = await createPlainRole(testDatabase.databaseUrl!);
  database = await openDatabase({ databaseUrl, dataDir: testDatabase.dataDir });
});
afterAll(async () => {
  await database.close();
  await testDatabase.remove();
});

it('a role without CREATE serves a database that another role migrated', async () => {
  const owner = new pg.Client({ connectionString: testDatabase.databaseUrl });
  await owner.connect();
  await owner.query(`
    CREATE ROLE runs LOGIN;
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    GRANT USAGE ON SCHEMA public TO runs;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO runs`);
  await owner.end();
  const url = new URL(testDatabase.databaseUrl!);
  url.username = 'runs';
  const { dataDir } = testDatabase;
  const opened = await openDatabase({ databaseUrl: url.href, dataDir, migrate: false });
  onTestFinished(() => opened.close());
  const rights = await readRights(opened.db);
  expect(rights).toMatchObject({ role: 'runs', isOwner: false, lacking: [] });
  expect(() => requireRights({ ...rights, lacking: ['users'] })).toThrow(
    'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "runs"',
  );
  await expect(sql`CREATE TABLE change ()`.execute(opened.db)).rejects.toThrow('permission denied');
  const scope = { db: opened.db, dataDir, publicUrl: 'http://localhost:4000' };
  const { ctx, emails } = await createTestOrganization(scope, `runs-${Date.now()}`);
  const minted = await mintIdentityUrl(ctx, { userEmail: emails.west });
  expect(minted.token).toMatch(/\w/);
  for (const { sweep } of createSweepTasks({ mintLogDays: 90 }))
    await opened.db.transaction().execute((transaction) => sweep(transaction, 10));
});

it('the rights of a role name each table that it may not read and write', async () => {
  const owner = await readRights(database.db);
  expect(owner).toMatchObject({ role: 'plain', isOwner: true, lacking: [] });
  const admin = new pg.Client({ connectionString: testDatabase.databaseUrl });
  await admin.connect();
  await admin.query(`CREATE ROLE partial LOGIN CONNECTION LIMIT 7;
    GRANT USAGE ON SCHEMA public TO partial;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO partial;
    REVOKE UPDATE, DELETE ON audit_entries, activity_entries FROM partial;
    REVOKE DELETE ON users FROM partial; REVOKE INSERT ON identity_urls FROM partial`);
  await admin.end();
  const url = new URL(testDatabase.databaseUrl!);
  url.username = 'partial';
  const opened = await openDatabase({ databaseUrl: url.href, dataDir: testDatabase.dataDir });
  onTestFinished(() => opened.close());
  expect(await readRights(opened.db)).toEqual({
    role: 'partial',
    isOwner: false,
    lacking: ['identity_urls', 'users'],
    connections: 7,
  });
});

it('a table of another program with the same owner does not stop a start', async () => {
  const rights = await readRights(database.db);
  expect(() => requireRights({ ...rights, lacking: ['invoices'] })).not.toThrow();
  expect(() => requireRights({ ...rights, lacking: ['invoices', 'users'] })).toThrow(
    'these tables: invoices, users.',
  );
});

it('a role that cannot create extensions is sufficient, even for filters by name', async () => {
  const { db } = database;
  const { rows } = await sql`SELECT extname FROM pg_extension`.execute(db);
  expect(rows).toEqual([{ extname: 'plpgsql' }]);
  const { ctx, emails } = await createTestOrganization(
    { db, dataDir: testDatabase.dataDir, publicUrl: 'http://localhost:4000' },
    `plain-${Date.now()}`,
  );
  const request = { pageNumber: 1, pageSize: 50 };
  const users = await listUsers(ctx, { ...request, email: 'WEST@' });
  expect(users.data.map((user) => user.email)).toEqual([emails.west]);
  const reports = await listReports(ctx, { ...request, reportName: 'of the' });
  expect(reports.data.map((report) => report.name)).toEqual(['Orders of the group']);
});

it('lists are in the order of the bytes in any locale', async () => {
  const { ctx, emails } = await createTestOrganization(
    { db: database.db, dataDir: testDatabase.dataDir, publicUrl: 'http://localhost:4000' },
    `order-${Date.now()}`,
  );
  const names = ['b', 'A', 'ä', 'a', 'B'];
  const added = await addItems(ctx, path.join(testDatabase.dataDir, 'datasets'), {
    datasets: { order: { roles: names.map(regionRole) } },
    reports: Object.fromEntries(
      names.map((name, index) => [
        `order-${index}`,
        { name, workspace: 'Order', dataset: 'order' },
      ]),
    ),
  });
  await linkReports(ctx, { userEmail: emails.outsider, reports: Object.values(added.reports) });
  for (const name of names) await createGroup(ctx, { name, memberEmails: [], reports: [] });
  const page = { pageNumber: 1, pageSize: 50 };
  const sorted = (rows: { name: string }[]) =>
    rows.map(({ name }) => name).filter((name) => names.includes(name));
  const byBytes = ['A', 'B', 'a', 'b', 'ä'];
  expect(sorted((await listReports(ctx, { ...page, workspaceName: 'Order' })).data)).toEqual(
    byBytes,
  );
  expect(sorted((await listReports(ctx, page)).data)).toEqual(byBytes);
  expect(
    sorted((await listRoles(ctx, { ...page, datasetId: added.datasets['order'] })).data),
  ).toEqual(byBytes);
  expect(sorted(await listGroups(ctx))).toEqual(byBytes);
  const [user] = (await listUsers(ctx, { ...page, email: emails.outsider })).data;
  const reader = { organizationId: ctx.organizationId, userId: user!.id };
  expect(sorted(await listReadableReports(database.db, reader))).toEqual(byBytes);
});
