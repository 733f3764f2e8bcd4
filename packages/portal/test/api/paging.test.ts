import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findAuditHour, foldRowCounts, readTotal } from '../../src/db/query/row-counts.ts';
import { insertAuditEntries } from '../support/audit.ts';
import { addItems } from '../support/items.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

interface Page {
  pageIndex: number;
  totalPages: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  data: { id: string }[];
}

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

async function readPage(path: string, query: Record<string, string | number>): Promise<Page> {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const answer = await portal.api('GET', `${path}?${search.toString()}`);
  if (answer.status !== 200) throw new Error(`${path} failed: ${answer.body}`);
  return answer.json();
}

async function readAllIds(path: string, pageSize: number, query: Record<string, string> = {}) {
  const ids: string[] = [];
  for (let pageNumber = 1; ; pageNumber++) {
    const page = await readPage(path, { ...query, pageNumber, pageSize });
    ids.push(...page.data.map((item) => item.id));
    expect(page.hasPreviousPage).toBe(pageNumber > 1 && page.totalPages > 0);
    if (!page.hasNextPage) return ids;
    expect(page.data).toHaveLength(pageSize);
  }
}

/** IDs in the documented order of the list, read from the table. */
async function expectedIds(table: string, order: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(table)} WHERE organization_id = ${portal.acme.id}
    ORDER BY ${sql.raw(order)}`.execute(portal.db);
  return rows.map((row) => row.id);
}

const insertUsers = (prefix: string, count: number) =>
  sql`
    INSERT INTO users (organization_id, id, email, email_key, name, role,
      can_edit_report, can_create_report, can_overwrite_report)
    SELECT ${portal.acme.id}::uuid, gen_random_uuid(), ${prefix} || n || '@acme.example',
      ${prefix} || n || '@acme.example', 'Person ' || n, 3, false, false, false
    FROM generate_series(1, ${count}::int) AS n`.execute(portal.db);

/** Entries of one report, one minute apart. */
const insertEntries = (entry: { email: string; reportId: string; name: string }, count: number) =>
  sql`
    INSERT INTO audit_entries (organization_id, created_at, user_id, user_email, user_email_key,
      report_id, report_name, action)
    SELECT ${portal.acme.id}::uuid, '2024-03-01T12:30:00Z'::timestamptz - n * interval '1 minute',
      gen_random_uuid(), ${entry.email}, ${entry.email}, ${entry.reportId}::uuid, ${entry.name}, 1
    FROM generate_series(0, ${count}::int - 1) AS n`.execute(portal.db);

describe('a list', () => {
  beforeAll(async () => {
    await insertUsers('person', 60);
    await insertEntries(
      { email: 'log@acme.example', reportId: portal.acme.reportId, name: 'Orders' },
      200,
    );
  });

  it.each([
    ['/api/user', 'users', 'email_key COLLATE "C"'],
    ['/api/report', 'reports', 'name COLLATE "C", id'],
    ['/api/datasets/rls', 'rls_roles', 'dataset_id, name COLLATE "C"'],
    ['/api/report-audit', 'audit_entries', 'created_at DESC, id DESC'],
  ])('%s has each item once, in order, at every page size', async (path, table, order) => {
    const expected = await expectedIds(table, order);
    const sizes = [3, 7, expected.length - 1, expected.length, expected.length + 1];
    for (const pageSize of new Set(sizes.filter((size) => size > 0 && size <= 200))) {
      const { totalPages } = await readPage(path, { pageSize });
      expect(totalPages).toBe(Math.ceil(expected.length / pageSize));
      expect(await readAllIds(path, pageSize)).toEqual(expected);
    }
  });

  it.each(['/api/user', '/api/report', '/api/datasets/rls', '/api/report-audit'])(
    '%s answers a page past the end with no items and the right total',
    async (path) => {
      const { totalPages } = await readPage(path, { pageSize: 2 });
      for (const pageNumber of [totalPages + 1, 1_000_000_000]) {
        const page = await readPage(path, { pageNumber, pageSize: 2 });
        expect(page).toMatchObject({ totalPages, hasNextPage: false, hasPreviousPage: true });
        expect(page.data).toEqual([]);
      }
    },
  );

  it.each([
    ['/api/user', { email: 'nobody-has-this' }],
    ['/api/report', { workspaceName: 'nobody-has-this' }],
    ['/api/datasets/rls', { datasetId: randomUUID() }],
    ['/api/report-audit', { reportName: 'nobody-has-this' }],
  ])('%s without a match has no pages', async (path, query) => {
    const page = await readPage(path, query);
    expect(page).toEqual({
      pageIndex: 1,
      totalPages: 0,
      hasNextPage: false,
      hasPreviousPage: false,
      data: [],
    });
  });

  it('has pages of the matches of a filter like those of the whole list', async () => {
    const all = await expectedIds('users', 'email_key COLLATE "C"');
    const matches = await readAllIds('/api/user', 7, { email: 'PERSON', name: 'person' });
    expect(matches).toHaveLength(60);
    expect(matches).toEqual(all.filter((id) => matches.includes(id)));
    expect(await readAllIds('/api/user', 3, { name: '5' })).toHaveLength(15);
  });
});

describe('the access log', () => {
  it('has the right pages far from both ends, even in an hour with many entries', async () => {
    const entry = { email: 'far@acme.example', reportId: randomUUID(), name: 'Far' };
    await insertEntries(entry, 12_000);
    await sql`
      INSERT INTO audit_entries (organization_id, created_at, user_id, user_email, user_email_key,
        report_id, report_name, action)
      SELECT ${portal.acme.id}::uuid, '2024-02-23T06:00:00Z', gen_random_uuid(), 'a', 'a',
        gen_random_uuid(), 'Burst', 1
      FROM generate_series(1, 2500)`.execute(portal.db);
    const expected = await expectedIds('audit_entries', 'created_at DESC, id DESC');
    const check = async () => {
      const lastPage = Math.ceil(expected.length / 100);
      for (const pageNumber of [1, 71, 72, 90, 100, 101, 102, 110, 120, lastPage - 1, lastPage]) {
        const page = await readPage('/api/report-audit', { pageNumber, pageSize: 100 });
        expect(page.totalPages).toBe(lastPage);
        const from = (pageNumber - 1) * 100;
        expect(page.data.map((item) => item.id)).toEqual(expected.slice(from, from + 100));
      }
    };
    await check();
    await foldRowCounts(portal.db, 1_000);
    await check();
  });

  it('finds entries by the name of the report at that time, even if it was renamed or deleted since', async () => {
    const { acme, db } = portal;
    const count = async (reportName: string) =>
      (await readPage('/api/report-audit', { reportName, pageSize: 1 })).totalPages;
    const [name, newName] = [`Kiwi ${randomUUID()}`, `Zebra ${randomUUID()}`];
    const { reports } = await addItems(acme.ctx, portal.datasetFolder, {
      reports: { kiwi: { name, dataset: 'sales' } },
    });
    const reportId = reports['kiwi']!;
    const its = { email: 'z@acme.example', reportId };
    await insertEntries({ ...its, name }, 2);
    expect(await count(name.toLowerCase())).toBe(2);
    const change = db.updateTable('reports').set({ name: newName }).where('id', '=', reportId);
    await change.execute();
    expect(await count(name.toUpperCase())).toBe(2);
    expect(await count(newName)).toBe(0);
    await insertEntries({ ...its, name: newName }, 3);
    expect(await count(newName.toLowerCase())).toBe(3);
    expect(await count(name)).toBe(2);
    await db.deleteFrom('reports').where('id', '=', reportId).execute();
    expect(await count(newName)).toBe(3);
    expect(await count('%')).toBe(0);
  });
});

/** Expects items and total of the same time: full pages, then a last page, then empty pages. */
function expectConsistent({ pageIndex, totalPages, data }: Page, pageSize: number): void {
  expect(data.length).toBeLessThanOrEqual(pageIndex > totalPages ? 0 : pageSize);
  expect(data.length).toBeGreaterThanOrEqual(
    pageIndex < totalPages ? pageSize : pageIndex === totalPages ? 1 : 0,
  );
}

describe('totals', () => {
  it('agree with the rows while users are created and deleted and counts are folded', async () => {
    const { acme, db } = portal;
    const path = '/api/user';
    const start = (await readPage(path, { pageSize: 1 })).totalPages;
    const done = new AbortController();
    const attempt = randomUUID();
    const churn = async (worker: number) => {
      for (let round = 0; round < 30; round++) {
        const email = `${worker}-${round}-${attempt}@acme.example`;
        await portal.api('POST', path, { json: { email, name: 'Churn', role: 3 } });
        if (round % 3 > 0) await portal.api('DELETE', `${path}/${encodeURIComponent(email)}`);
      }
    };
    const fold = async () => {
      while (!done.signal.aborted) {
        await foldRowCounts(db, 10);
        await delay(3);
      }
    };
    const read = async () => {
      while (!done.signal.aborted) {
        const first = await readPage(path, { pageSize: 7 });
        expectConsistent(first, 7);
        expectConsistent(await readPage(path, { pageSize: 7, pageNumber: first.totalPages }), 7);
        expectConsistent(
          await readPage(path, { pageSize: 7, pageNumber: first.totalPages + 1 }),
          7,
        );
        const single = await readPage(path, { pageSize: 1, pageNumber: 1 });
        expect(single.totalPages).toBeGreaterThanOrEqual(start);
        expect(single.totalPages).toBeLessThanOrEqual(start + 40 + 4);
      }
    };
    const background = [fold(), fold(), read()];
    const churned = Promise.all([0, 1, 2, 3].map(churn)).finally(() => {
      done.abort();
    });
    await Promise.all([churned, ...background]);
    const expected = await expectedIds('users', 'email_key COLLATE "C"');
    expect(expected).toHaveLength(start + 40);
    expect((await readPage(path, { pageSize: 1 })).totalPages).toBe(expected.length);
    await foldRowCounts(db, 1_000);
    expect((await readPage(path, { pageSize: 1 })).totalPages).toBe(expected.length);
    const { rows } = await sql<{ left: number }>`
      SELECT count(*) AS left FROM row_count_changes WHERE organization_id = ${acme.id}`.execute(
      db,
    );
    expect(rows[0]?.left).toBe(0);
  });

  it('count the rows of a transaction only once it is committed', async () => {
    const total = async () => (await readPage('/api/user', { pageSize: 1 })).totalPages;
    const before = await total();
    await expect(
      portal.db.transaction().execute(async (transaction) => {
        await sql`
          INSERT INTO users (organization_id, id, email, email_key, name, role,
            can_edit_report, can_create_report, can_overwrite_report)
          VALUES (${portal.acme.id}, gen_random_uuid(), 'undone@acme.example',
            'undone@acme.example', 'Undone', 3, false, false, false)`.execute(transaction);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await total()).toBe(before);
  });

  it('are 0 for a list that never had a row', async () => {
    expect(await readTotal(portal.db, randomUUID(), 'reports')).toBe(0);
  });

  it('count the rows of one organization and list, folded or not', async () => {
    const { acme, globex, db } = portal;
    const lists = ['users', 'reports', 'rls_roles', 'audit_entries'] as const;
    await insertAuditEntries(db, globex, [{ email: 'total@globex.example' }]);
    const compare = async () => {
      for (const { id } of [acme, globex])
        for (const list of lists) {
          const { rows } = await sql<{ total: number }>`
            SELECT count(*) AS total FROM ${sql.table(list)} WHERE organization_id = ${id}`.execute(
            db,
          );
          expect([id, list, await readTotal(db, id, list)]).toEqual([id, list, rows[0]!.total]);
        }
    };
    await compare();
    await foldRowCounts(db, 1_000_000);
    await compare();
    for (const { apiKey } of [acme, globex]) {
      const json = { email: 'total@list.example', name: 'Total', role: 3 };
      expect((await portal.api('POST', '/api/user', { key: apiKey, json })).status).toBe(201);
    }
    await compare();
  });
});

describe('the hour of an entry in the access log', () => {
  it('is found among the entries of one organization, folded or not', async () => {
    const { acme, globex, db } = portal;
    const at = (hour: number) => new Date(Date.UTC(2001, 0, 1, hour, 30));
    const entriesOf = (hours: number[]) =>
      hours.map((hour) => ({ email: 'hour@list.example', at: at(hour) }));
    const hoursOf = async (direction: 'asc' | 'desc', position: number) => {
      const found = await findAuditHour(db, acme.id, position, direction);
      return [found.hour.getTime(), found.position];
    };
    const compare = async () => {
      const { rows } = await sql<{ hour: Date; id: string }>`
        SELECT date_trunc('hour', created_at) AS hour FROM audit_entries
        WHERE organization_id = ${acme.id} ORDER BY created_at`.execute(db);
      const hours = rows.map(({ hour }) => hour.getTime());
      for (const [direction, ordered] of [
        ['asc', hours],
        ['desc', hours.toReversed()],
      ] as const)
        for (const position of [0, 1, 2, 3, ordered.length - 2, ordered.length - 1])
          expect(await hoursOf(direction, position)).toEqual([
            ordered[position],
            position - ordered.indexOf(ordered[position]!),
          ]);
    };
    await insertAuditEntries(db, acme, entriesOf([1, 3, 3, 5]));
    await insertAuditEntries(db, globex, entriesOf([0, 1, 2, 3, 4]));
    await insertUsers('hour', 3);
    await compare();
    await foldRowCounts(db, 1_000_000);
    await compare();
  });
});

describe('a page with too many links', () => {
  it('is rejected with advice, and can be read one item at a time', async () => {
    const { acme, db } = portal;
    await sql`DELETE FROM reports WHERE name LIKE 'Bulk %'`.execute(db);
    await sql`
      WITH made AS (
        INSERT INTO reports (organization_id, id, slug, name, dataset_id, workspace_id, report_type,
          content, source)
        SELECT organization_id, gen_random_uuid(), 'bulk-' || n, 'Bulk ' || n, dataset_id,
          workspace_id, 1, content, source
        FROM reports, generate_series(1, 2100) AS n
        WHERE organization_id = ${acme.id} AND id = ${acme.groupReportId}
        RETURNING organization_id, id
      ), linked AS (
        INSERT INTO report_groups (organization_id, report_id, group_id)
        SELECT organization_id, id, ${acme.groupId} FROM made
      )
      INSERT INTO group_members (organization_id, group_id, user_id)
      SELECT organization_id, ${acme.groupId}, id FROM users
      WHERE organization_id = ${acme.id} AND email_key LIKE 'person%'
      ON CONFLICT DO NOTHING`.execute(db);
    const query = 'email=person&pageSize=';
    const refused = await portal.api('GET', `/api/user?${query}60`);
    expect(refused.status).toBe(400);
    expect(refused.json()).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'pageSize' }],
    });
    const smaller = await portal.api('GET', `/api/user?${query}40`);
    expect(smaller.status).toBe(200);
    const one = await readPage('/api/user', { email: 'person7', pageSize: 1 });
    expect((one.data[0] as unknown as { reports: string[] }).reports).toHaveLength(2101);
  });

  it('has links to groups counted too, even without other links', async () => {
    const { globex, db } = portal;
    await sql`DELETE FROM groups WHERE name LIKE 'Bulk %'`.execute(db);
    await sql`
      WITH made AS (
        INSERT INTO groups (organization_id, id, name)
        SELECT ${globex.id}::uuid, gen_random_uuid(), 'Bulk ' || n FROM generate_series(1, 20100) AS n
        RETURNING organization_id, id
      )
      INSERT INTO group_members (organization_id, group_id, user_id)
      SELECT made.organization_id, made.id, users.id FROM made
      JOIN users ON users.organization_id = made.organization_id`.execute(db);
    for (const table of ['report_users', 'report_groups'])
      await sql`DELETE FROM ${sql.table(table)} WHERE organization_id = ${globex.id}`.execute(db);
    const many = await portal.api('GET', '/api/user', { key: globex.apiKey });
    expect([many.status, many.json().errors?.[0].path]).toEqual([400, 'pageSize']);
    const one = await portal.api('GET', '/api/user?pageSize=1', { key: globex.apiKey });
    expect(one.json().data[0].groups.length).toBeGreaterThanOrEqual(20_100);
  });
});

describe('a page with too many links to companies', () => {
  it('is rejected, and can be read one item at a time', async () => {
    const { db } = portal;
    const { id, apiKey: key } = await createTestOrganization(portal, 'labeled');
    await db.transaction().execute(async (transaction) => {
      // Checking the foreign keys of many links takes seconds.
      await sql`SET LOCAL session_replication_role = replica`.execute(transaction);
      await sql`
        WITH made AS (
          INSERT INTO companies (organization_id, id, name)
          SELECT ${id}::uuid, gen_random_uuid(), n FROM generate_series(1, 20100) AS n
          RETURNING organization_id, id
        )
        INSERT INTO company_users (organization_id, company_id, user_id)
        SELECT made.organization_id, made.id, users.id
        FROM made JOIN users USING (organization_id)`.execute(transaction);
    });
    const many = await portal.api('GET', '/api/user', { key });
    expect([many.status, many.json().errors?.[0].path]).toEqual([400, 'pageSize']);
    const one = await portal.api('GET', '/api/user?pageSize=1', { key });
    expect(one.json().data[0].companies).toHaveLength(20_100);
  });
});

describe('the access log filtered by action', () => {
  it('has all entries for the only action of the log, and none for another', async () => {
    const total = async (query: string) => {
      const answer = await portal.api('GET', `/api/report-audit?pageSize=1${query}`);
      return answer.json().totalPages as number;
    };
    expect(await total('&action=1')).toBe(await total(''));
    expect(await total('')).toBeGreaterThan(0);
    expect(await total('&action=2')).toBe(0);
  });
});
