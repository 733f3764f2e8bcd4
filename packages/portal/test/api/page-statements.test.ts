import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { listEntries } from '../../src/access-log/store.ts';
import { listRoles } from '../../src/access/roles-store.ts';
import { listReports } from '../../src/catalogue/store.ts';
import type { Database } from '../../src/db/connection/open.ts';
import type { PageRequest } from '../../src/db/query/paging.ts';
import { listUsers } from '../../src/users/store.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { recordStatements } from '../support/statements.ts';

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

const countStatements = async (read: (db: Database) => Promise<unknown>): Promise<number> =>
  (await recordStatements(portal.db, read)).length;

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

it('a page without items loads none', async () => {
  const readPage = (pageNumber: number) =>
    countStatements((db) => listUsers(db, portal.acme.id, { pageNumber, pageSize: 50 }));
  expect((await readPage(1)) - (await readPage(2))).toBe(2);
});

it.each([
  // Reports, groups and companies; users and groups.
  ['users', 3, (db: Database, request: PageRequest) => listUsers(db, portal.acme.id, request)],
  ['roles', 2, (db: Database, request: PageRequest) => listRoles(db, portal.acme.id, request)],
])(
  'a page of %s reads at most one link above the limit, unless it has one item',
  async (_, kindsOfLinks, read) => {
    const isLimited = async (pageSize: number) => {
      const statements = await recordStatements(portal.db, (db) =>
        read(db, { pageNumber: 1, pageSize }),
      );
      return statements.join('').match(/100001/g)?.length ?? 0;
    };
    expect([await isLimited(2), await isLimited(1)]).toEqual([kindsOfLinks, 0]);
  },
);

it('the hour of an entry is looked up from an offset of 1,000', async () => {
  const { id, reportId } = portal.acme;
  await sql`
    INSERT INTO audit_entries (organization_id, user_id, user_email, user_email_key, report_id,
      report_name, action)
    SELECT ${id}::uuid, gen_random_uuid(), 'a', 'a', ${reportId}::uuid, 'Orders', 1
    FROM generate_series(1, 2500)`.execute(portal.db);
  const readAt = (pageNumber: number, pageSize: number) =>
    countStatements((db) => listEntries(db, id, { pageNumber, pageSize }));
  expect((await readAt(11, 100)) - (await readAt(28, 37))).toBe(1);
});
