import { randomUUID } from 'node:crypto';

import { endpoints, requestLimits } from '@portal-embed/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { chooseRepetitions } from 'test-support/repetitions';
import { readSeed } from 'test-support/seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { listEntries } from '../../src/access-log/store.ts';
import { listReports } from '../../src/catalogue/store.ts';
import type { Database } from '../../src/db/connection/open.ts';
import { containsIndexed, combineFilters } from '../../src/db/query/filters.ts';
import { listUsers } from '../../src/users/store.ts';
import { insertAuditEntries } from '../support/audit.ts';
import type { TestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

fc.configureGlobal({ seed: readSeed() });

// Hard cases for a substring filter: wildcards, unusual letter case, surrogate pairs.
const plain = ['a', 'A', 'b', 'ab', ' ', '.', '@', '-', '0', "'", '"', '%', '_', '\\', '\\%', '\t'];
const cased = [
  'ä',
  'Ä',
  'e\u0301',
  'ß',
  'ẞ',
  'İ',
  'I',
  'i',
  'ı',
  'ς',
  'σ',
  'Σ',
  'ǅ',
  '\u212a',
  'Д',
];
const wide = ['中', '文', '😀', '👩‍👧', '𐐀', '𐐨', '\u200d'];
const character = fc.constantFrom(...plain, ...cased, ...wide);
// With only two letters, many texts have all parts of a filter but not the filter itself.
const text = (size: { minLength: number; maxLength: number }) =>
  fc
    .oneof(fc.array(character, size), fc.array(fc.constantFrom('x', 'Y'), size))
    .map((characters) => characters.join(''));

/** Folds each character by itself, as the databases do: `İ` becomes one lower-case letter. */
const fold = (value: string) =>
  Array.from(value, (one) => String.fromCodePoint(one.toLowerCase().codePointAt(0)!)).join('');

interface Item {
  id: string;
  text: string;
}

const rowCount = 150;
let portal: TestPortal;
/** Acme's items of each list, in the order of the list. */
let items: Record<'name' | 'email' | 'report' | 'workspace', Item[]>;

async function insertRows(organization: TestOrganization, prefix = '') {
  const texts = () =>
    fc.sample(text({ minLength: 1, maxLength: 12 }), rowCount).map((value) => prefix + value);
  const ids = Array.from({ length: rowCount }, () => randomUUID());
  const [names, reports, workspaces] = [texts(), texts(), texts()];
  // The API stores and searches e-mails in this form.
  const emails = texts().map((value) => value.normalize('NFC'));
  const columns = sql`unnest(${ids}::uuid[], ${names}::text[], ${emails}::text[],
    ${reports}::text[], ${workspaces}::text[])
    WITH ORDINALITY AS made (id, name, email, report, workspace, n)`;
  const key = sql`'~' || lpad(n::text, 9, '0') || id`;
  await sql`
    INSERT INTO users (organization_id, id, email, email_key, name, role,
      can_edit_report, can_create_report, can_overwrite_report)
    SELECT ${organization.id}::uuid, id, email, ${key}, name, 3, false, false, false
    FROM ${columns}`.execute(portal.db);
  await sql`
    INSERT INTO workspaces (organization_id, id, name)
    SELECT ${organization.id}::uuid, id, workspace FROM ${columns}`.execute(portal.db);
  await sql`
    INSERT INTO reports (organization_id, id, slug, name, dataset_id, workspace_id, report_type,
      content, source)
    SELECT ${organization.id}::uuid, id, id::text, report, ${organization.datasetId}::uuid, id, 1,
      '', '{}'
    FROM ${columns}`.execute(portal.db);
  await sql`
    INSERT INTO audit_entries (organization_id, id, created_at, user_id, user_email,
      user_email_key, report_id, report_name, action)
    SELECT ${organization.id}::uuid, id, now() - n * interval '1 hour', id, 'a', 'a', id, report, 1
    FROM ${columns}`.execute(portal.db);
}

async function readItems(table: string, column: string, order: string): Promise<Item[]> {
  const { rows } = await sql<Item>`
    SELECT id, ${sql.raw(column)} AS text FROM ${sql.table(table)}
    WHERE organization_id = ${portal.acme.id} ORDER BY ${sql.raw(order)}`.execute(portal.db);
  return rows;
}

beforeAll(async () => {
  portal = await startTestPortal();
  await insertRows(portal.acme);
  await insertRows(portal.globex);
  const workspace = `(SELECT name FROM workspaces
    WHERE organization_id = reports.organization_id AND id = workspace_id)`;
  items = {
    name: await readItems('users', 'name', 'email_key'),
    email: await readItems('users', 'email', 'email_key'),
    report: await readItems('reports', 'name', 'name COLLATE "C", id'),
    workspace: await readItems('reports', workspace, 'name COLLATE "C", id'),
  };
});
afterAll(() => portal.close());

/** Up to five characters, either arbitrary or from the middle of an existing text. */
const filter = fc.oneof(
  text({ minLength: 0, maxLength: 5 }),
  fc
    .record({
      list: fc.constantFrom('name', 'email', 'report', 'workspace'),
      index: fc.nat(rowCount - 1),
      start: fc.nat(11),
      length: fc.integer({ min: 1, max: 5 }),
      change: fc.constantFrom(
        (part: string) => part,
        (part: string) => part.toUpperCase(),
        (part: string) => part.toLowerCase(),
      ),
    })
    .map(({ list, index, start, length, change }) => {
      const characters = Array.from(items[list][index]!.text);
      const from = start % characters.length;
      return change(characters.slice(from, from + length).join(''));
    }),
);

async function expectPage(
  path: string,
  parameter: string,
  expected: string[],
  filterRequest: FilterRequest,
) {
  const { pageSize, part } = filterRequest;
  const totalPages = Math.ceil(expected.length / pageSize);
  const pageNumber = Math.max(1, Math.ceil(totalPages * filterRequest.depth));
  const query = { [parameter]: part, pageSize: `${pageSize}`, pageNumber: `${pageNumber}` };
  const answer = await portal.api('GET', `${path}?${new URLSearchParams(query).toString()}`);
  const page = answer.json();
  const ids = page.data?.map((item: { id: string }) => item.id);
  const start = (pageNumber - 1) * pageSize;
  expect({ totalPages: page.totalPages, ids }).toEqual({
    totalPages,
    ids: expected.slice(start, start + pageSize),
  });
}

interface FilterRequest {
  part: string;
  pageSize: number;
  depth: number;
}

const filterRequest: fc.Arbitrary<FilterRequest> = fc.record({
  part: filter,
  pageSize: fc.constantFrom(2, 200),
  depth: fc.constantFrom(0, 0.1, 0.5, 1),
});

const normalize = (parameter: string, part: string) =>
  parameter === 'email' ? part.normalize('NFC') : part;

/** Characters with an ASCII form are refused in e-mails. */
const isAcceptedInEmails = (part: string) =>
  endpoints.listUsers.query.safeParse({ email: part }).success;

const matching = (list: Item[], part: string) =>
  list.filter((item) => fold(item.text).includes(fold(part))).map(({ id }) => id);

describe('a substring filter', () => {
  it.each([
    ['/api/user', 'name', () => items.name],
    ['/api/user', 'email', () => items.email],
    ['/api/report', 'reportName', () => items.report],
    ['/api/report', 'workspaceName', () => items.workspace],
    ['/api/report-audit', 'reportName', () => loggedReports()],
  ])(
    'of %s by %s finds all items that contain it, for any characters',
    async (path, parameter, read) => {
      const list = read();
      await fc.assert(
        fc.asyncProperty(filterRequest, (request) => {
          fc.pre(parameter !== 'email' || isAcceptedInEmails(request.part));
          const found = matching(list, normalize(parameter, request.part));
          return expectPage(path, parameter, found, request);
        }),
        { numRuns: chooseRepetitions(20, 150) },
      );
    },
  );

  it('combined with a second one finds the items that match both', async () => {
    await fc.assert(
      fc.asyncProperty(filter, filter.filter(isAcceptedInEmails), async (name, email) => {
        const both = matching(items.name, name).filter((id) =>
          matching(items.email, normalize('email', email)).includes(id),
        );
        const query = new URLSearchParams({ name, email, pageSize: '200' });
        const page = (await portal.api('GET', `/api/user?${query.toString()}`)).json();
        expect(page.data.map((user: Item) => user.id)).toEqual(both);
      }),
      { numRuns: chooseRepetitions(15, 100) },
    );
  });
});

it('a time range of the access log includes its start and excludes its end', async () => {
  const { acme, db } = portal;
  const time = '2021-05-04T03:02:01.500Z';
  const email = 'span@acme.example';
  await insertAuditEntries(db, acme, [{ email, at: new Date(time) }]);
  const count = async (span: { from?: string; to?: string }) => {
    const query = new URLSearchParams({ userEmail: email, ...span });
    const answer = await portal.api('GET', `/api/report-audit?${query.toString()}`);
    return answer.json().data.length;
  };
  const [earlier, later] = ['2021-05-04T03:02:01.499Z', '2021-05-04T03:02:01.501Z'];
  expect([await count({ from: time }), await count({ to: time })]).toEqual([1, 0]);
  expect([await count({ from: later }), await count({ to: later })]).toEqual([0, 1]);
  expect(await count({ from: earlier, to: later })).toBe(1);
  expect(await count({ from: '2021-05-04T05:02:01.500+02:00' })).toBe(1);
});

it('an e-mail of the maximum length is found in both lists', async () => {
  const label = 'x'.repeat(60);
  const userEmail = `${label}@${label}.${label}.${label}.example`.padStart(
    requestLimits.email,
    'y',
  );
  const { reportId, id: organizationId } = portal.acme;
  await portal.api('POST', '/api/user', { json: { email: userEmail, name: 'Long', role: 3 } });
  await portal.api('PUT', '/api/user/link-reports', { json: { userEmail, reports: [reportId] } });
  const minted = await portal.api('POST', '/api/identity/url', {
    json: { userEmail, organizationId, reportId },
  });
  expect(minted.status).toBe(200);
  for (const path of [`/api/user?email=${userEmail}`, `/api/report-audit?userEmail=${userEmail}`])
    expect((await portal.api('GET', path)).json().data).toHaveLength(1);
  await portal.api('DELETE', `/api/user/${userEmail}`);
});

/** One entry for each report of the test, newest first. */
const loggedReports = (): Item[] => {
  const byId = new Map(items.report.map((item) => [item.id, item]));
  return items.name.flatMap(({ id }) => byId.get(id) ?? []);
};

describe('a substring filter of a large list', () => {
  const page = { pageNumber: 1, pageSize: 50 };
  type Read = (db: Database, organizationId: string, part: string) => Promise<unknown>;
  const lists: [string, string, Read][] = [
    [
      'users by name',
      'users_by_name_parts',
      (db, id, name) => listUsers(db, id, { ...page, name }),
    ],
    [
      'users by e-mail',
      'users_by_email_parts',
      (db, id, email) => listUsers(db, id, { ...page, email }),
    ],
    [
      'reports by name',
      'reports_by_name_parts',
      (db, id, reportName) => listReports(db, id, { ...page, reportName }),
    ],
    [
      'entries by report',
      'report_names_by_parts',
      (db, id, reportName) => listEntries(db, id, { ...page, reportName }),
    ],
  ];

  beforeAll(async () => {
    for (let round = 0; round < 10; round++) await insertRows(portal.globex, '~');
    await sql`ANALYZE users, reports, report_names`.execute(portal.db);
  });

  it.each(lists)('looks up %s in %s, even for short and unselective filters', (_, index, read) =>
    portal.db.transaction().execute(async (transaction) => {
      const scans = async () => {
        const { rows } = await sql<{ scans: number }>`
          SELECT pg_stat_get_xact_numscans(${index}::regclass) AS scans`.execute(transaction);
        return rows[0]!.scans;
      };
      for (const part of ['q', 'zq', 'qzq', '%', '中文', 'ab ab', '~']) {
        const before = await scans();
        await read(transaction, portal.globex.id, part);
        expect([part, (await scans()) > before]).toEqual([part, true]);
      }
    }),
  );

  it('has no statistics that would keep the planner from using the index', async () => {
    const { rows } = await sql<{ index: string }>`
      SELECT tablename AS index FROM pg_stats WHERE schemaname = 'public' AND tablename LIKE '%parts'`.execute(
      portal.db,
    );
    expect(rows).toEqual([]);
  });
});

it.each([
  ['users', 'name', 'users_by_name_parts'],
  ['users', 'email', 'users_by_email_parts'],
  ['reports', 'name', 'reports_by_name_parts'],
  ['report_names', 'name', 'report_names_by_parts'],
])('a search of %s by %s uses the index %s', async (table, column, index) => {
  const { acme, db } = portal;
  await db.transaction().execute(async (transaction) => {
    await sql`SET LOCAL enable_seqscan = off`.execute(transaction);
    const { rows } = await sql`
      EXPLAIN SELECT FROM ${sql.table(table)} WHERE organization_id = ${acme.id}
        AND ${combineFilters([containsIndexed(acme.id, column, 'orders')])}`.execute(transaction);
    expect(JSON.stringify(rows)).toContain(index);
  });
});
