import { readerView } from 'report-engine/testing/reader-view';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Connections, openConnections } from '#report-engine';
import type { ReaderFilter } from '#viewer/requests';

import { deleteGrant } from '../../src/connections/store.ts';
import { applyContent } from '../../src/content/service.ts';
import { ordersReport } from '../support/content-files.ts';
import { dumpTables } from '../support/dump.ts';
import { exportTile, readExported } from '../support/exported.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { listValues, view } from '../support/viewer.ts';
import {
  datasetOver,
  grant,
  publish,
  startReader,
  startWarehouse,
  type Warehouse,
} from '../support/warehouse.ts';

let warehouse: Warehouse;
let portal: TestPortal;
let connections: Connections;
beforeAll(async () => {
  warehouse = await startWarehouse();
  const define = (name: string, user: string) => ({
    name,
    engine: 'postgres' as const,
    url: warehouse.urlOf(user),
  });
  connections = openConnections(
    [
      define('acme-db', 'acme'),
      define('globex-db', 'globex'),
      define('unused-db', 'acme'),
      { name: 'away-db', engine: 'postgres', url: 'postgres://u:secret@127.0.0.1:1/x' },
    ],
    { sourceQueries: 4, userQueries: 2, memoryMb: 256 },
  );
  portal = await startTestPortal({ connections });
  await grant(portal, portal.acme, 'acme-db');
  await grant(portal, portal.globex, 'globex-db');
  await grant(portal, portal.acme, 'away-db');
});
afterAll(async () => {
  await portal.close();
  await warehouse.close();
});

const fresh = 'freshness: 0 seconds';
const acmeTable = `connection: acme-db, table: acme.orders, ${fresh}`;

const put = (files: Record<string, string>) =>
  portal.api('PUT', '/api/content', { json: { files } });

/** The reader's number of rows, and the sum of their sales. */
async function readTotals(name: 'west' | 'both', reportId: string, ...filters: ReaderFilter[]) {
  const { acme } = portal;
  const bearer = await startReader(portal, acme, name, reportId);
  const answer = await view(acme.address, bearer, reportId, { view: readerView(...filters) });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  const { rowCount, page } = answer.json();
  return [rowCount, page.rows[0][0].value];
}

describe('a report over PostgreSQL', () => {
  it.each([
    ['table', acmeTable],
    ['table on the search path', `connection: acme-db, table: orders, ${fresh}`],
    [
      'SELECT with a join',
      `connection: acme-db, ${fresh}, sql: 'SELECT orders.* FROM orders JOIN acme.orders AS o USING ("Region", "Ordered")'`,
    ],
  ])('over a %s has the rows of the reader’s roles', async (_title, source) => {
    const { reportId } = await publish(portal, portal.acme, datasetOver(source));
    expect(await readTotals('west', reportId)).toEqual([2, 30]);
    expect(await readTotals('both', reportId)).toEqual([4, 70]);
    const east = { field: 'Region', values: ['East'] };
    expect(await readTotals('both', reportId, east)).toEqual([2, 40]);
    expect(await readTotals('west', reportId, east)).toEqual([0, null]);
    const days = { field: 'Ordered', values: ['2024-02-01..2024-02-29'] };
    expect(await readTotals('both', reportId, days)).toEqual([1, 20]);
  });

  it('lists the values of a filter in the reader’s rows, by a search in any letter case', async () => {
    const { reportId } = await publish(portal, portal.acme, datasetOver(acmeTable));
    const listRegions = async (name: 'west' | 'both', search?: string) => {
      const bearer = await startReader(portal, portal.acme, name, reportId);
      const request = { field: 'Region', search };
      return (await listValues(portal.acme.address, bearer, reportId, request)).json();
    };
    const [east, west] = ['East', 'West'].map((key) => ({ key, count: 2 }));
    expect(await listRegions('both')).toEqual({ values: [east, west], valueCount: 2 });
    expect(await listRegions('both', 'EA')).toEqual({ values: [east], valueCount: 1 });
    expect(await listRegions('west')).toEqual({ values: [west], valueCount: 1 });
  });

  it.each(['csv', 'xlsx'] as const)(
    'exports every row of the reader’s roles and filters once as %s',
    async (format) => {
      const lines = `SELECT CASE i % 2 WHEN 0 THEN 'West' ELSE 'East' END AS "Region",
        'line ' || i AS "Owner", date '2023-01-15' + make_interval(months => i % 24) AS "Ordered",
        i + 0.25 AS "Sales" FROM generate_series(1, 30000) AS i`.replaceAll("'", "''");
      const source = `connection: acme-db, sql: '${lines}', ${fresh}`;
      const table = `          - type: table
            dimensions: [Owner, Ordered by month]
            metrics: [Sales]
            sort: -Sales
`;
      const { acme } = portal;
      const { reportId } = await publish(
        portal,
        acme,
        datasetOver(source),
        ordersReport.replace('      - tiles:\n', `      - tiles:\n${table}`),
      );
      const month = { field: 'Ordered', values: [3], grain: 'month of year' as const };
      const answer = await exportTile(acme.address, {
        bearer: await startReader(portal, acme, 'west', reportId),
        reportId,
        json: { tile: '0.0.0', format, view: readerView(month) },
      });
      expect(answer.status).toBe(200);
      const rows = await readExported(format, answer);
      const expected = Array.from({ length: 30_000 }, (_, index) => index + 1)
        .filter((line) => line % 2 === 0 && line % 12 === 2)
        .map((line) => [
          `line ${line}`,
          line % 24 === 2 ? '2023-03-01' : '2024-03-01',
          String(line + 0.25),
        ]);
      expect(rows).toEqual([['Owner', 'Ordered by month', 'Sales'], ...expected.toReversed()]);
    },
  );

  it('has roles that look up values in another table, in any letter case', async () => {
    const managers =
      'name: Managers\nsource: { connection: acme-db, table: managers }\nrowAccess: everyone\n';
    const rows = 'rows: { field: Region, in: { lookup: managers, key: email, value: region } }';
    const dataset = datasetOver(acmeTable).replace('rows: { field: Region, in: [West] }', rows);
    expect((await put({ 'datasets/managers.yaml': managers })).status).toBe(200);
    const { reportId } = await publish(portal, portal.acme, dataset);
    expect(await readTotals('west', reportId)).toEqual([2, 30]);
    await warehouse.admin.query('UPDATE acme.managers SET region = NULL');
    expect(await readTotals('west', reportId)).toEqual([2, 30]);
  });

  it('compares a day with the day before, without the rows of the day itself', async () => {
    const { acme } = portal;
    const report = `name: Days
workspace: Sales
dataset: orders
pages:
  - name: Overview
    rows:
      - tiles: [{ type: kpi, metric: Sales, compare: previous day }]
`;
    const { reportId } = await publish(portal, acme, datasetOver(acmeTable), report);
    const bearer = await startReader(portal, acme, 'both', reportId);
    const { page } = (await view(acme.address, bearer, reportId)).json();
    expect(page.rows[0][0]).toMatchObject({
      value: 25,
      comparison: { from: '2024-02-29', to: '2024-03-01', value: null },
    });
  });

  it('shows new rows when an answer is older than the freshness of the dataset', async () => {
    const insert = `INSERT INTO acme.orders VALUES ('West', 'a', 'Desks', '2024-03-01', 1)`;
    const { reportId } = await publish(portal, portal.acme, datasetOver(acmeTable));
    expect(await readTotals('west', reportId)).toEqual([2, 30]);
    await warehouse.admin.query(insert);
    expect(await readTotals('west', reportId)).toEqual([3, 31]);
    const kept = acmeTable.replace('0 seconds', '1 hour');
    await publish(portal, portal.acme, datasetOver(kept));
    expect(await readTotals('west', reportId)).toEqual([3, 31]);
    await warehouse.admin.query(`DELETE FROM acme.orders WHERE "Owner" = 'a'`);
    expect(await readTotals('west', reportId)).toEqual([3, 31]);
  });

  it('ends with the grant of its connection, for kept answers too', async () => {
    const { acme } = portal;
    const kept = acmeTable.replace('0 seconds', '1 hour');
    const { reportId } = await publish(portal, acme, datasetOver(kept));
    await readTotals('west', reportId);
    const ofAcme = { organizationId: acme.id, connection: 'acme-db' };
    await deleteGrant(portal.db, ofAcme);
    const bearer = await startReader(portal, acme, 'west', reportId);
    const answer = await view(acme.address, bearer, reportId);
    expect(answer.status).toBe(502);
    expect(answer.json()).toMatchObject({ code: 'report_failed', reason: 'unavailable' });
    expect(answer.body).toContain('The data source is unavailable.');
    expect(answer.body).not.toContain('acme-db');
    expect(portal.log.join('')).toContain('connection \\"acme-db\\" is not granted');
    await grant(portal, acme, 'acme-db');
    await readTotals('west', reportId);
  });

  it('fails when its table loses a column, and works again without a restart', async () => {
    const { reportId } = await publish(
      portal,
      portal.acme,
      datasetOver(`connection: acme-db, ${fresh}, sql: SELECT * FROM acme.orders`),
    );
    await readTotals('west', reportId);
    await warehouse.admin.query('ALTER TABLE acme.orders RENAME "Sales" TO sold');
    const bearer = await startReader(portal, portal.acme, 'west', reportId);
    const answer = await view(portal.acme.address, bearer, reportId);
    expect(answer.body).toContain('"failure":{"code":"failed"}');
    expect(answer.body).not.toContain('does not exist');
    expect(portal.log.join('')).toContain('does not exist (42703)');
    await warehouse.admin.query('ALTER TABLE acme.orders RENAME sold TO "Sales"');
    expect(await readTotals('west', reportId)).toEqual([2, 30]);
  });
});

describe('content over a connection', () => {
  const mistakesOf = async (source: string) => {
    const answer = await put({
      'datasets/orders.yaml': datasetOver(source),
      'reports/orders.yaml': ordersReport,
    });
    expect([answer.status, answer.json().code]).toEqual([422, 'invalid_content']);
    return (answer.json().errors as { path: string; message: string }[]).map(
      ({ path, message }) => `${path} ${message}`,
    );
  };

  it('names each mistake in its place', async () => {
    expect(await mistakesOf('connection: acme-db, table: acme.ordres')).toEqual([
      'datasets/orders.yaml:2:39 relation "acme.ordres" does not exist',
    ]);
    expect(await mistakesOf('connection: acme-db, sql: SELECT 1 AS x')).toContainEqual(
      expect.stringContaining('the table has no column "Ordered" any more'),
    );
    expect(await mistakesOf('connection: acme-bd, table: orders')).toEqual([
      'datasets/orders.yaml:2:23 unknown connection "acme-bd"; did you mean "acme-db"?',
    ]);
  });

  it('only operators see the address of a connection that is unavailable to content', async () => {
    const source = 'connection: away-db, table: orders';
    expect(await mistakesOf(source)).toEqual([
      'datasets/orders.yaml:2:23 the connection "away-db" is unavailable; try again later, or ask the operator of the portal',
    ]);
    const scope = { datasetFolder: portal.datasetFolder, connections };
    const files = { 'datasets/orders.yaml': datasetOver(source) };
    await expect(applyContent(portal.acme.ctx, scope, { files })).rejects.toThrow('127.0.0.1:1');
  });

  it('says how the connection and the table are when an operator checks it', async () => {
    const scope = { datasetFolder: portal.datasetFolder, connections };
    const files = {
      'datasets/orders.yaml': datasetOver('connection: acme-db, table: acme.orders'),
    };
    const { hints } = await applyContent(portal.acme.ctx, scope, {
      files,
      dryRun: true,
      inspect: true,
    });
    expect(hints).toEqual([
      expect.stringMatching(/^datasets\/orders\.yaml: reachable: PostgreSQL \d.*, user acme/),
      'datasets/orders.yaml: not encrypted; the server is on this machine',
      'datasets/orders.yaml: the user cannot write',
      expect.stringContaining('server time zone'),
      expect.stringMatching(/^datasets\/orders\.yaml: about [\d,]+ rows$/),
    ]);
  });

  it('names texts that are not values of their declared type', async () => {
    const select = `SELECT * FROM (VALUES ('West', DATE '2024-01-03', 10, '2024-01-03'),
      ('East', NULL, 20, '2024-02-30'), ('East', NULL, 30, 'n/a'), ('East', NULL, 30, 'n/a'),
      ('East', NULL, 30, ''), ('East', NULL, 30, NULL))
      AS t("Region", "Ordered", "Sales", "Shipped")`.replaceAll("'", "''");
    const source = `connection: acme-db, sql: '${select}'`;
    const files = {
      'datasets/orders.yaml': datasetOver(source).replace(
        '  - name: Region\n',
        '  - name: Region\n  - { name: Shipped, type: date }\n',
      ),
    };
    const scope = { datasetFolder: portal.datasetFolder, connections };
    const { hints } = await applyContent(portal.acme.ctx, scope, {
      files,
      dryRun: true,
      inspect: true,
    });
    expect(hints.at(-1)).toBe(
      'datasets/orders.yaml: warning: Shipped: 3 texts cannot be read as date, such as "n/a", "2024-02-30"; reports show them as blank',
    );
  });

  it('changes when its table has other columns', async () => {
    const files = { 'datasets/orders.yaml': datasetOver(acmeTable) };
    const changeOf = async () => (await put(files)).json().changes[0].change;
    await put(files);
    expect(await changeOf()).toBe('unchanged');
    await warehouse.admin.query('ALTER TABLE acme.orders ADD COLUMN discount float8');
    expect(await changeOf()).toBe('update');
    expect(await changeOf()).toBe('unchanged');
    await warehouse.admin.query('ALTER TABLE acme.orders DROP COLUMN discount');
    expect(await changeOf()).toBe('update');
  });
});

describe('the walls', () => {
  let before: unknown;
  beforeEach(async () => {
    before = await dumpTables(portal.db);
  });

  /** What content of Acme tries in order to read Globex's data. */
  const attempts: [string, RegExp][] = [
    ...['globex-db', 'unused-db', 'gone', 'globex', 'portal', 'default', 'public', 'postgres'].map(
      (name): [string, RegExp] => [
        `connection: ${name}, table: orders`,
        new RegExp(`:2:23 unknown connection "${name}"`),
      ],
    ),
    ...[
      'GLOBEX-DB',
      'globex_db',
      '../globex-db',
      'acme-db,globex-db',
      "'*'",
      "''",
      'acme-db?user=globex',
    ].map((name): [string, RegExp] => [
      `connection: "${name}", table: orders`,
      /lower-case letters, digits and single hyphens/,
    ]),
    ...['postgres://globex@127.0.0.1/postgres', 'host=127.0.0.1 user=globex'].map(
      (name): [string, RegExp] => [`connection: "${name}", table: orders`, /lower-case letters/],
    ),
    ...['globex.orders', 'globex.managers', 'pg_catalog.pg_authid', 'pg_authid', 'pg_shadow'].map(
      (name): [string, RegExp] => [`connection: acme-db, table: ${name}`, /permission denied/],
    ),
    ...['orders AS s, globex.orders', 'orders; --', 'postgres.globex.gone'].map(
      (name): [string, RegExp] => [
        `connection: acme-db, table: "${name}"`,
        /does not exist|not implemented|permission denied/,
      ],
    ),
    ['connection: acme-db, table: \'"globex"."orders"\'', /without quotes/],
    ['connection: acme-db, table: a.b.c.d', /write a table as NAME/],
    ['connection: acme-db, table: "orders\\0"', /cannot be stored/],
    ...[
      'SELECT * FROM globex.orders',
      'SELECT * FROM orders UNION ALL SELECT * FROM globex.orders',
      'TABLE globex.orders',
      'WITH g AS (TABLE globex.orders) SELECT * FROM g',
      'SELECT passwd FROM pg_shadow',
      'SELECT * FROM pg_statistic',
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT * FROM pg_ls_dir('.') AS f",
      "SELECT pg_read_binary_file('pg_hba.conf')",
      "SELECT lo_import('/etc/passwd')",
    ].map((text): [string, RegExp] => [
      `connection: acme-db, sql: ${JSON.stringify(text)}`,
      /permission denied|read-only/,
    ]),
    ...[
      'SET ROLE globex',
      'SET SESSION AUTHORIZATION globex',
      'RESET ROLE',
      'BEGIN',
      'ROLLBACK',
      "COPY orders TO PROGRAM 'id'",
      'COPY globex.orders TO STDOUT',
      "DO 'BEGIN END'",
      'CALL x()',
      'EXPLAIN ANALYZE SELECT 1',
      'LISTEN x',
      'EXECUTE x',
      'SELECT 1; SELECT * FROM globex.orders',
      'SELECT 1 AS a) AS s, (SELECT * FROM globex.orders',
      'SELECT 1 AS a) AS s --',
      'SELECT * FROM orders WHERE "Region" = $1',
      'INSERT INTO orders VALUES (1) RETURNING *',
      'SELECT * FROM orders /*',
    ].map((text): [string, RegExp] => [
      `connection: acme-db, sql: ${JSON.stringify(text)}`,
      /syntax error|multiple commands|must be one SELECT|a parameter|unterminated|permission denied/,
    ]),
    ['connection: acme-db, table: orders, file: orders.csv', /can have only one of them/],
    ['file: globex-db', /is not a CSV file/],
  ];

  it('there are at least 50 attempts', () => {
    expect(attempts.length).toBeGreaterThanOrEqual(50);
  });

  it.each(attempts)('content with %s is refused and changes nothing', async (source, reason) => {
    const answer = await put({ 'datasets/x.yaml': `name: X\nsource: { ${source} }\n` });
    expect([answer.status, answer.json().code]).toEqual([422, 'invalid_content']);
    const [mistake] = answer.json().errors as { path: string; message: string }[];
    expect(`${mistake!.path} ${mistake!.message}`).toMatch(reason);
    expect(answer.body).not.toContain('127.0.0.1');
    expect(await dumpTables(portal.db)).toEqual(before);
  });

  it('a connection of another organization and an unknown one have the same message', async () => {
    const messageOf = async (name: string) => {
      const source = `connection: ${name}, table: orders`;
      const answer = await put({ 'datasets/x.yaml': `name: X\nsource: { ${source} }\n` });
      const { detail, errors } = answer.json();
      return JSON.stringify([detail, errors]).replaceAll(name, 'NAME');
    };
    expect(await messageOf('globex-db')).toBe(await messageOf('unknown-9'));
  });

  describe('a filter', () => {
    const hostile = [
      "West' OR '1'='1",
      "West'; DROP TABLE acme.orders; --",
      "') OR true --",
      '$1',
      '$2',
      '{West,East}',
      'West","East',
      '\\',
      "\\' OR true --",
      'West\0',
      '\0',
      'NULL',
      '%',
      'West) UNION SELECT 1 --',
      '/* */ OR true',
      'e\u0301',
      '\ud800',
      "E'\\x27'",
      "U&'\\0027'",
      '${1}',
      'x'.repeat(1_000),
    ];
    let reportId: string;
    let bearer: string;
    beforeAll(async () => {
      ({ reportId } = await publish(portal, portal.acme, datasetOver(acmeTable)));
      bearer = await startReader(portal, portal.acme, 'west', reportId);
    });
    const readRows = async (...filters: ReaderFilter[]) => {
      const request = { view: readerView(...filters) };
      const answer = await view(portal.acme.address, bearer, reportId, request);
      return answer.status === 200
        ? [200, answer.json().rowCount, answer.json().unappliedFilters.length]
        : [answer.status, answer.json().code];
    };

    it.each(hostile.map((value) => ({ title: JSON.stringify(value).slice(0, 40), value })))(
      'with the value $title is a value or refused',
      async ({ value }) => {
        for (const field of ['Region', 'Ordered'])
          expect([
            [200, 0, 0],
            [400, 'invalid_request'],
          ]).toContainEqual(await readRows({ field, values: [value] }));
      },
    );

    it.each(hostile.map((key) => ({ title: JSON.stringify(key).slice(0, 40), key })))(
      'with the field $title is refused',
      async ({ key }) => {
        expect(await readRows({ field: key, values: ['West'] })).toEqual([400, 'invalid_request']);
      },
    );
  });
});
