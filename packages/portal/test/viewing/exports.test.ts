import { auditActions } from '@portal-embed/contract';
import { sql } from 'kysely';
import { readSheet } from 'read-excel-file/node';
import { send, type Answer } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { ExportedTile } from '#platform';
import type { ExportRequest } from '#viewer/requests';

import { linkUsers, unlinkUsers } from '../../src/access/role-links.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { endSessions } from '../../src/viewer-sessions/service.ts';
import { writeFiles } from '../support/content-files.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSession } from '../support/viewer.ts';
import { publish } from '../support/warehouse.ts';

/** More rows than a workbook takes. */
const manyRows = 100_001;

const dataset = `name: Orders
source: { file: many.csv }
roles:
  - name: West
    rows: { field: Region, in: [West] }
  - name: East
    rows: { field: Region, in: [East] }
metrics:
  - name: Sales
    expression: sum(Sales)
`;

const report = `name: Orders
workspace: Sales
dataset: orders
pages:
  - name: Overview
    rows:
      - tiles:
          - type: table
            dimensions: [Customer, Day]
            metrics: [Sales]
          - type: text
            text: No values
  - name: Days
    rows:
      - tiles:
          - type: table
            dimensions: [Day]
            metrics: [Sales]
`;

const hostile = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', 'plain', 'a,"b"'];

let portal: TestPortal;
let manyId: string;
beforeAll(async () => {
  const usage = { max: 1, total: 0, idle: 0, waiting: 0 };
  portal = await startTestPortal({ metrics: createMetrics(() => usage) });
  const { acme } = portal;
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  writeFiles(portal.datasetFolder, {
    [`${acme.id}/many.csv`]: [
      'Region,Customer,Day,Sales',
      ...hostile.map((customer) => `West,${quote(customer)},2024-02-29,-1.5`),
      ...Array.from({ length: manyRows }, (_, index) => `East,c${index},2024-03-01,1`),
      '',
    ].join('\n'),
  });
  manyId = (await publish(portal, acme, dataset, report)).reportId;
}, 60_000);
afterAll(() => portal.close());

const exportAs = async (
  name: keyof TestPortal['acme']['emails'],
  request: Partial<ExportRequest> & { tile: string },
  { reportId = portal.acme.reportId, customFilters = [] as { key: string; value: string }[] } = {},
) => {
  const { acme } = portal;
  const userEmail = acme.emails[name];
  const { bearer } = await startSession(portal, acme, { userEmail, reportId, customFilters });
  return { bearer, ask: () => download(bearer, reportId, request) };
};

const download = (bearer: string, reportId: string, request: object, what = 'export') =>
  send(`${portal.acme.address}/viewer/reports/${reportId}/${what}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    json: what === 'export' ? { format: 'csv', ...request } : request,
  });

const linesOf = ({ body }: Answer) => body.replace('\uFEFF', '').trimEnd().split('\r\n');

const countExports = async () => {
  const { data } = (await portal.api('GET', '/api/report-audit?action=2&pageSize=200')).json();
  return data.length as number;
};

describe('a tile as CSV', () => {
  const tile = '0.1.1';

  it.each([
    ['west', ['Chairs,10', 'Desks,20']],
    ['both', ['Chairs,25', 'Desks,45']],
    ['none', []],
  ] as const)('has only the rows of %s', async (name, rows) => {
    const answer = await (await exportAs(name, { tile })).ask();
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-disposition']).toBe('attachment');
    expect(answer.body.startsWith('\uFEFFCategory,Sales\r\n')).toBe(true);
    expect(linesOf(answer).slice(1).toSorted()).toEqual(rows);
  });

  it('causes no warning about listeners, also if requests are measured', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    expect((await (await exportAs('west', { tile })).ask()).status).toBe(200);
    expect(warnings).toEqual([]);
  });

  it('is narrowed by the filters of the URL and by the reader’s view', async () => {
    const customFilters = [{ key: 'Region', value: 'East' }];
    const view = { filters: [{ field: 'Category', values: ['Desks'] }], sorts: [], drills: [] };
    const { ask } = await exportAs('both', { tile, view }, { customFilters });
    expect(linesOf(await ask())).toEqual(['Category,Sales', 'Desks,25']);
  });

  it('has the order that the reader has chosen', async () => {
    const sorts = [{ tile: '0.0.0', column: 0, descending: true }];
    const view = { filters: [], sorts, drills: [] };
    const { ask } = await exportAs('west', { tile: '0.0.0', view }, { reportId: manyId });
    expect(linesOf(await ask())[1]).toBe('plain,2024-02-29,-1.5');
  });

  it('is refused if the view filters by a field that the report does not show', async () => {
    const view = { filters: [{ field: 'Owner', values: ['x'] }], sorts: [], drills: [] };
    const { ask } = await exportAs('west', { tile, view });
    expect((await ask()).json()).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('is refused if the request has an unknown field', async () => {
    const request = { tile, surprise: true };
    const { ask } = await exportAs('west', request);
    expect((await ask()).json()).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('comes from the requested page', async () => {
    const request = { tile: '1.0.0', page: 1 };
    const { bearer, ask } = await exportAs('west', request, { reportId: manyId });
    expect(linesOf(await ask())).toEqual(['Day,Sales', '2024-02-29,-10.5']);
    const shown = await download(bearer, manyId, { intent: 'open', page: 1 }, 'view');
    expect(shown.json().page.index).toBe(1);
  });

  it('has dates in ISO 8601', async () => {
    const { ask } = await exportAs('both', { tile: '0.1.0' });
    expect(linesOf(await ask())).toEqual([
      'Ordered by month,Sales',
      '2024-01-01,25',
      '2024-02-01,20',
      '2024-03-01,25',
    ]);
  });

  it('has no formulas, and numbers stay numbers', async () => {
    const { ask } = await exportAs('west', { tile: '0.0.0' }, { reportId: manyId });
    expect(linesOf(await ask())).toEqual([
      'Customer,Day,Sales',
      "'\t'=1,2024-02-29,-1.5",
      "'+1,2024-02-29,-1.5",
      "'-1,2024-02-29,-1.5",
      "'=1+1,2024-02-29,-1.5",
      "'@SUM(A1),2024-02-29,-1.5",
      '"a,""b""",2024-02-29,-1.5',
      'plain,2024-02-29,-1.5',
    ]);
  });

  it('has every row of a table, each once', async () => {
    const customFilters = [{ key: 'Region', value: 'East' }];
    const { ask } = await exportAs('both', { tile: '0.0.0' }, { reportId: manyId, customFilters });
    const lines = linesOf(await ask());
    expect(lines).toHaveLength(manyRows + 1);
    expect(new Set(lines).size).toBe(manyRows + 1);
  }, 30_000);
});

describe('a tile as a workbook', () => {
  it('has numbers, dates and text, and no formulas', async () => {
    const request = { tile: '0.0.0', format: 'xlsx' } as const;
    const answer = await (await exportAs('west', request, { reportId: manyId })).ask();
    expect(answer.headers['content-type']).toMatch('spreadsheetml.sheet');
    const data = await readSheet(answer.bytes);
    const day = new Date('2024-02-29');
    expect(data[0]).toEqual(['Customer', 'Day', 'Sales']);
    expect(data.slice(2, 5)).toEqual([
      ['+1', day, -1.5],
      ['-1', day, -1.5],
      ['=1+1', day, -1.5],
    ]);
    expect(data).toHaveLength(hostile.length + 1);
  });

  it('with too many rows is refused, and the refusal names CSV', async () => {
    const request = { tile: '0.0.0', format: 'xlsx' } as const;
    const answer = await (await exportAs('both', request, { reportId: manyId })).ask();
    expect([answer.status, answer.json()]).toEqual([
      422,
      expect.objectContaining({
        code: 'export_too_large',
        detail:
          'The file would have 100008 rows, and at most 100000 fit. Download CSV, or filter the report.',
      }),
    ]);
  });
});

/** Replaces parts of what the platform exports until the end of the test. */
function replaceExported(parts: Partial<ExportedTile>) {
  const compute = portal.tiles.export;
  const computed = vi
    .spyOn(portal.tiles, 'export')
    .mockImplementation(async (request) => ({ ...(await compute(request)), ...parts }));
  onTestFinished(() => computed.mockRestore());
}

it.each([
  ['csv', 500_000, 200],
  ['csv', 500_001, 422],
  ['xlsx', 100_000, 200],
  ['xlsx', 100_001, 422],
] as const)('a %s file of %i rows is answered with %i', async (format, rowCount, status) => {
  replaceExported({ rowCount });
  const { ask } = await exportAs('west', { tile: '0.0.0', format });
  expect((await ask()).status).toBe(status);
});

it('a CSV file has no formula as the name of a column, and an empty cell for a missing value', async () => {
  replaceExported({
    columns: [
      { name: '=1+1', type: 'text' },
      { name: 'Sales', type: 'number' },
    ],
    rows: (async function* () {
      yield [
        [null, null],
        ['x', 1],
      ];
    })(),
  });
  const { ask } = await exportAs('west', { tile: '0.0.0' });
  expect(linesOf(await ask())).toEqual(["'=1+1,Sales", ',', 'x,1']);
});

it('a CSV file with too many rows is refused without the advice to download CSV', async () => {
  replaceExported({ rowCount: 500_001 });
  const { ask } = await exportAs('west', { tile: '0.0.0' });
  expect((await ask()).json().detail).toBe(
    'The file would have 500001 rows, and at most 500000 fit. Filter the report.',
  );
});

it.each([
  [66_666, 200],
  [66_667, 422],
])(
  'a workbook of 30 columns and %i rows, with a limit of two million cells, is answered with %i',
  async (rowCount, status) => {
    const columns = Array.from({ length: 30 }, () => ({ name: 'Sales', type: 'number' as const }));
    replaceExported({ columns, rowCount });
    const { ask } = await exportAs('west', { tile: '0.0.0', format: 'xlsx' });
    expect((await ask()).status).toBe(status);
  },
);

it('a workbook has the days that Excel shows as dates, and other days as text', async () => {
  const days = ['1900-02-28', '1900-03-01', '9999-12-31', '10000-01-01'];
  replaceExported({
    columns: [{ name: 'Day', type: 'date' }],
    rows: (async function* () {
      yield days.map((day) => [day]);
    })(),
  });
  const { ask } = await exportAs('west', { tile: '0.0.0', format: 'xlsx' });
  const data = await readSheet((await ask()).bytes);
  expect(data.slice(1).flat()).toEqual([
    '1900-02-28',
    new Date('1900-03-01'),
    new Date('9999-12-31'),
    '10000-01-01',
  ]);
});

it('a workbook whose process fails is refused like a report that cannot be computed, and the log has the cause and the report', async () => {
  const { ask } = await exportAs('west', { tile: '0.0.0', format: 'xlsx' });
  const failing = 'data:text/javascript,process.exit(3)';
  vi.stubEnv('NODE_OPTIONS', `${process.env.NODE_OPTIONS ?? ''} --import "${failing}"`);
  onTestFinished(() => void vi.unstubAllEnvs());
  expectProblem(await ask(), 'report_failed');
  const { acme } = portal;
  const logged = portal.log.findLast((line) => line.includes('report failed'));
  expect(logged).toContain('code 3');
  expect(JSON.parse(logged!)).toMatchObject({ organizationId: acme.id, reportId: acme.reportId });
});

function createSignal() {
  let give!: () => void;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { give, given };
}

it('a workbook does not wait for the slow queries of another organization', async () => {
  const { globex } = portal;
  const compute = portal.tiles.export;
  const [reading, finish] = [createSignal(), createSignal()];
  const computed = vi.spyOn(portal.tiles, 'export').mockImplementation(async (request) => {
    const tile = await compute(request);
    if (request.organizationId === globex.id) return tile;
    return {
      ...tile,
      rows: (async function* () {
        reading.give();
        await finish.given;
        yield* tile.rows;
      })(),
    };
  });
  onTestFinished(() => computed.mockRestore());
  const request = { tile: '0.0.0', format: 'xlsx' } as const;
  const first = (await exportAs('west', request)).ask();
  await reading.given;
  const { reportId, emails } = globex;
  const { bearer } = await startSession(portal, globex, { userEmail: emails.west, reportId });
  const second = await send(`${globex.address}/viewer/reports/${reportId}/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    json: request,
  });
  expect(second.status).toBe(200);
  finish.give();
  expect((await first).status).toBe(200);
});

describe('the access log', () => {
  it('has an entry for each export and each print', async () => {
    const { acme } = portal;
    const { bearer, ask } = await exportAs('east', { tile: '0.0.0' });
    const before = await countExports();
    const grants = async () =>
      (await portal.api('GET', '/api/report-audit?action=1&pageSize=1')).json()
        .totalPages as number;
    const grantsBefore = await grants();
    await ask();
    expect((await download(bearer, acme.reportId, {}, 'print')).status).toBe(200);
    expect(await countExports()).toBe(before + 2);
    expect(await grants()).toBe(grantsBefore);
    const answer = await portal.api('GET', `/api/report-audit?userEmail=${acme.emails.east}`);
    const [user] = (await portal.api('GET', `/api/user?email=${acme.emails.east}`)).json().data;
    expect(answer.json().data.slice(0, 2)).toEqual(
      Array.from({ length: 2 }, () =>
        expect.objectContaining({
          userId: user.id,
          userEmail: acme.emails.east,
          reportId: acme.reportId,
          reportName: 'Orders',
          action: auditActions.reportExported,
          actionName: 'ReportExported',
        }),
      ),
    );
  });

  it('of exports has the e-mail of the mint, and finds it in any letter case', async () => {
    const { acme } = portal;
    const { reportId, emails } = acme;
    const userEmail = emails.none.toUpperCase();
    const { bearer } = await startSession(portal, acme, { userEmail, reportId });
    await download(bearer, reportId, {}, 'print');
    const path = `/api/report-audit?action=2&userEmail=${emails.none}`;
    const [newest] = (await portal.api('GET', path)).json().data;
    expect(newest).toMatchObject({ userEmail, reportId });
  });

  it.each([
    ['no tile of the page', 'nowhere'],
    ['a tile of another page', '1.0.0'],
    ['a text', '0.0.1'],
  ])('has no entry for %s', async (_title, tile) => {
    const { ask } = await exportAs('west', { tile }, { reportId: manyId });
    const before = await countExports();
    expect((await ask()).json()).toMatchObject({ status: 404, code: 'not_found' });
    expect(await countExports()).toBe(before);
  });
});

/** A tile of two rows, between which the reader `west` loses what the export needs. */
function loseWhileWritten(lost: string): Omit<ExportedTile, 'rowCount'> {
  const { acme } = portal;
  const usersEmails = [acme.emails.west];
  const json = { userEmail: acme.emails.west, reports: [acme.reportId] };
  const role = { datasetId: acme.datasetId, role: 'West', usersEmails };
  const changes = {
    session: () => endSessions(acme.ctx, { userEmail: acme.emails.west }),
    'time of the session': () =>
      sql`UPDATE portal_sessions SET created_at = now() - interval '10 hours'`.execute(portal.db),
    access: () => portal.api('PUT', '/api/user/unlink-reports', { json }),
    roles: () => unlinkUsers(acme.ctx, role),
  };
  onTestFinished(async () => {
    await portal.api('PUT', '/api/user/link-reports', { json });
    await linkUsers(acme.ctx, role);
  });
  return {
    columns: [{ name: 'Row', type: 'text' }],
    rows: (async function* () {
      yield [['first']];
      await changes[lost as keyof typeof changes]();
      yield [['second']];
    })(),
  };
}

describe('an export is refused', () => {
  it('after the session has ended', async () => {
    const { acme } = portal;
    const { bearer, ask } = await exportAs('west', { tile: '0.0.0' });
    await endSessions(acme.ctx, { userEmail: acme.emails.west });
    const before = await countExports();
    expect((await ask()).json()).toMatchObject({ status: 401, code: 'session_required' });
    expect((await download(bearer, acme.reportId, {}, 'print')).status).toBe(401);
    expect(await countExports()).toBe(before);
  });

  it.each(['session', 'time of the session', 'access', 'roles'])(
    'in the middle of a CSV file if its reader loses the %s',
    async (lost) => {
      replaceExported(loseWhileWritten(lost));
      const { ask } = await exportAs('west', { tile: '0.0.0' });
      await expect(ask()).rejects.toThrow('aborted');
    },
  );

  it.each([
    ['session', 401, 'session_required'],
    ['time of the session', 401, 'session_required'],
    ['access', 403, 'report_not_accessible'],
    // The next export has the rows of the roles that remain.
    ['roles', 503, 'overloaded'],
  ])('as a workbook if its reader loses the %s while it is written', async (lost, status, code) => {
    replaceExported(loseWhileWritten(lost));
    const { ask } = await exportAs('west', { tile: '0.0.0', format: 'xlsx' });
    const before = await countExports();
    expect((await ask()).json()).toMatchObject({ status, code });
    expect(await countExports()).toBe(before);
  });

  it.each(['before', 'while'])('if access ends %s it is computed', async (moment) => {
    const { acme } = portal;
    const json = { userEmail: acme.emails.west, reports: [acme.reportId] };
    const { bearer, ask } = await exportAs('west', { tile: '0.0.0' });
    const unlink = () => portal.api('PUT', '/api/user/unlink-reports', { json });
    onTestFinished(async () => {
      await portal.api('PUT', '/api/user/link-reports', { json });
    });
    const before = await countExports();
    if (moment === 'before') await unlink();
    else {
      const compute = portal.tiles.export;
      const computed = vi.spyOn(portal.tiles, 'export').mockImplementation(async (request) => {
        await unlink();
        return compute(request);
      });
      onTestFinished(() => computed.mockRestore());
    }
    expect((await ask()).json()).toMatchObject({
      status: 403,
      code: 'report_not_accessible',
      detail: 'You may not open this report. Ask your administrator for access.',
    });
    expect((await download(bearer, acme.reportId, {}, 'print')).status).toBe(403);
    expect(await countExports()).toBe(before);
  });

  it('if the session ends while it is computed', async () => {
    const { acme } = portal;
    const { ask } = await exportAs('west', { tile: '0.0.0' });
    const compute = portal.tiles.export;
    const computed = vi.spyOn(portal.tiles, 'export').mockImplementation(async (request) => {
      await endSessions(acme.ctx, { userEmail: acme.emails.west });
      return compute(request);
    });
    onTestFinished(() => computed.mockRestore());
    const before = await countExports();
    expect((await ask()).status).toBe(401);
    expect(await countExports()).toBe(before);
  });

  it('to a session of another report', async () => {
    const { acme } = portal;
    const { bearer } = await exportAs('both', { tile: '0.0.0' });
    const answer = await download(bearer, acme.groupReportId, { tile: '0.0.0' });
    expect(answer.status).toBe(403);
    expect((await download(bearer, acme.groupReportId, {}, 'print')).status).toBe(403);
  });
});
