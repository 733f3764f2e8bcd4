import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openDatabase, type OpenDatabase } from '../src/db/open.ts';
import { listReports } from '../src/reports/service.ts';
import { listUsers } from '../src/users/service.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { createTestOrganization } from './support/organization.ts';

let testDatabase: TestDatabase;
let database: OpenDatabase;

/** A role that may create tables, but no extension. */
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
  testDatabase = await createTestDatabase();
  const databaseUrl = await createPlainRole(testDatabase.databaseUrl!);
  database = await openDatabase({ databaseUrl, dataDir: testDatabase.dataDir });
});
afterAll(async () => {
  await database.close();
  await testDatabase.remove();
});

it('a role that may create no extension is enough for everything, filters by name too', async () => {
  const { db } = database;
  const { rows } = await sql`SELECT extname FROM pg_extension`.execute(db);
  expect(rows).toEqual([{ extname: 'plpgsql' }]);
  const { ctx, emails } = await createTestOrganization(
    { db, publicUrl: 'http://localhost:4000' },
    `plain-${Date.now()}`,
  );
  const request = { pageNumber: 1, pageSize: 50 };
  const users = await listUsers(ctx, { ...request, email: 'WEST@' });
  expect(users.data.map((user) => user.email)).toEqual([emails.west]);
  const reports = await listReports(ctx, { ...request, reportName: 'of the' });
  expect(reports.data.map((report) => report.name)).toEqual(['Orders of the group']);
});
