import { sql, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { listEntries } from '../src/access-log/store.ts';
import type { Database } from '../src/db/connection/open.ts';
import type { PageRequest } from '../src/db/query/paging.ts';
import { listReports } from '../src/reports/store.ts';
import { listRoles } from '../src/rls/store.ts';
import { listUsers } from '../src/users/store.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  const { id, reportId } = portal.acme;
  await sql`
    INSERT INTO audit_entries (organization_id, user_id, user_email, user_email_key, report_id,
      report_name, action)
    SELECT ${id}::uuid, gen_random_uuid(), 'a', 'a', ${reportId}::uuid, 'Orders', 1
    FROM generate_series(1, 20)`.execute(portal.db);
});
afterAll(() => portal.close());

/** Counts the statements that `read` runs on the database it is given. */
async function countStatements(read: (db: Database) => Promise<unknown>): Promise<number> {
  let count = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  await read(portal.db.withPlugin(counter));
  return count;
}

describe('the number of statements for a page', () => {
  it.each<[string, (db: Database, request: PageRequest) => Promise<{ data: unknown[] }>]>([
    ['users', (db, request) => listUsers(db, portal.acme.id, request)],
    ['users by name', (db, request) => listUsers(db, portal.acme.id, { ...request, name: 'o' })],
    ['reports', (db, request) => listReports(db, portal.acme.id, request)],
    ['roles', (db, request) => listRoles(db, portal.acme.id, request)],
    ['entries', (db, request) => listEntries(db, portal.acme.id, request)],
  ])('of %s does not depend on the number of items', async (_list, read) => {
    const few = await countStatements(async (db) => {
      const { data } = await read(db, { pageNumber: 1, pageSize: 1 });
      expect(data).toHaveLength(1);
    });
    const many = await countStatements(async (db) => {
      const { data } = await read(db, { pageNumber: 1, pageSize: 200 });
      expect(data.length).toBeGreaterThan(1);
    });
    expect(few).toBeGreaterThan(0);
    expect(many).toBe(few);
  });
});
