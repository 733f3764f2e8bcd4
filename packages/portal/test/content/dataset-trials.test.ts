import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { linkUsers } from '../../src/access/role-links.ts';
import { findUserByEmail } from '../../src/users/store.ts';
import { apply, ordersDataset, writeFiles } from '../support/content-files.ts';
import { dumpTables } from '../support/dump.ts';
import { expectProblem } from '../support/http.ts';
import { openReportStage, type ReportStage } from '../support/report-stage.ts';

let stage: ReportStage;
const users: Record<string, string> = {};
beforeAll(async () => {
  stage = await openReportStage();
  const { portal } = stage;
  const { acme, datasetFolder, db } = portal;
  for (const name of ['west', 'east', 'none'] as const)
    users[name] = (await findUserByEmail(db, acme.id, acme.emails[name]))!.id;
  await linkUsers(acme.ctx, {
    datasetId: stage.datasetId,
    role: 'East',
    usersEmails: [acme.emails.east],
  });
  writeFiles(`${datasetFolder}/${acme.id}`, {
    'areas.csv': 'Mail,Area\nwest@acme.example,East\nnone@acme.example,West\n',
  });
  await apply(acme.ctx, datasetFolder, {
    files: { 'datasets/areas.yaml': 'name: Areas\nsource: { file: areas.csv }\n' },
  });
});
afterAll(() => stage.portal.close());

type Sender = 'admin' | 'contributor' | 'limited' | 'operator';

const post = (rest: string, json: object, sender: Sender = 'admin') =>
  stage[sender].send('POST', stage.at(`/datasets/${stage.datasetId}${rest}`), { json });

const withMetric = (expression: string, format = '') =>
  ordersDataset.replace(
    'roles:\n',
    `  - { name: Tried, expression: ${JSON.stringify(expression)}${format} }\nroles:\n`,
  );

describe('a metric that is not saved', () => {
  const tryMetric = async (text: string, metrics: string[] = ['Tried'], sender?: Sender) => {
    const answer = await post('/metric-trials', { text, metrics }, sender);
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return answer.json();
  };

  it.each([
    ['sum(Sales)', 70],
    ['count()', 4],
    ['count_distinct(Region)', 2],
    ["sum(case when Region = 'West' then Sales end)", 30],
    ["sum(case when Region in ('West', 'East') and Sales > 10 then Sales end)", 60],
    ["count(case when Ordered >= '2024-02-01' then 1 end)", 2],
    ["avg(case when Region = 'Nowhere' then Sales end)", null],
  ])('%s has the value %s over all rows', async (expression, value) => {
    expect(await tryMetric(withMetric(expression))).toMatchObject({
      mistakes: [],
      metrics: [{ name: 'Tried', value, failure: null }],
    });
  });

  it('has its format, and several metrics are computed at once', async () => {
    const text = withMetric('sum(Sales) / 100', ', format: percent');
    const { metrics } = await tryMetric(text, ['Sales', 'Tried', 'Unknown'], 'operator');
    expect(metrics).toMatchObject([
      { name: 'Sales', value: 70, format: { style: 'currency', currency: 'USD' } },
      { name: 'Tried', value: 0.7, format: { style: 'percent' } },
    ]);
  });

  it('with a mistake has its place and no value', async () => {
    const { mistakes, metrics } = await tryMetric(withMetric('sum(Sals)'));
    expect(metrics).toEqual([]);
    expect(mistakes).toMatchObject([{ line: 11, message: expect.stringContaining('Sals') }]);
  });

  it('is computed although a report uses a metric that the text has lost', async () => {
    const text = withMetric('count()').replace('name: Sales\n', 'name: Revenue\n');
    const { mistakes, metrics } = await tryMetric(text);
    expect(mistakes).toMatchObject([
      { file: 'reports/orders.yaml' },
      { file: 'reports/orders.yaml' },
    ]);
    expect(metrics).toMatchObject([{ value: 4 }]);
  });

  it('of a text with another source is refused until the source is saved', async () => {
    const text = ordersDataset.replace(
      'file: orders.csv',
      "file: orders.csv\n  csv: { delimiter: ',' }",
    );
    const answer = await post('/metric-trials', { text, metrics: ['Sales'] });
    expectProblem(answer, 'invalid_request');
    expect(answer.json().detail).toContain('Save it first');
  });
});

describe('a role that is not saved', () => {
  const withRole = (rows: string, name = 'Tried') =>
    `${ordersDataset}  - name: ${name}\n    rows: ${rows}\n`;
  const tryRole = async (text: string, role = 'Tried', names = ['west', 'east', 'none']) => {
    const userIds = names.map((name) => users[name]);
    const answer = await post('/role-trials', { text, role, userIds });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return answer.json();
  };
  /** The rows of the role for each user, and all their rows. */
  const countRows = async (...request: Parameters<typeof tryRole>) => {
    const { readers } = await tryRole(...request);
    return readers.map(({ roleRows, rows }: Record<string, number>) => [roleRows, rows]);
  };

  it('shows its rows for each user, and those that they see by the roles that they have', async () => {
    const tried = await tryRole(withRole('{ field: Sales, after: 10 }'));
    expect(tried).toEqual({
      mistakes: [],
      rowCount: 4,
      readers: [
        { id: users['west'], name: 'west', holdsRole: false, roleRows: 3, rows: 2 },
        { id: users['east'], name: 'east', holdsRole: false, roleRows: 3, rows: 2 },
        { id: users['none'], name: 'none', holdsRole: false, roleRows: 3, rows: 0 },
      ],
    });
  });

  it.each([
    ['{ field: Owner, in: { viewer: email } }', [2, 2, 0]],
    ['{ field: Owner, equals: { viewer: email } }', [2, 2, 0]],
    ['{ field: Region, in: { lookup: areas, key: Mail, value: Area } }', [2, 0, 2]],
    ['{ matches: { lookup: areas, key: Mail, fields: { Region: Area } } }', [2, 0, 2]],
    ['{ field: Region, notIn: [West] }', [2, 2, 2]],
    ['{ field: Sales, between: [15, 20] }', [2, 2, 2]],
    ['{ field: Ordered, before: 2024-02-01 }', [2, 2, 2]],
    ['{ field: Region, isNull: true }', [0, 0, 0]],
    ['{ and: [{ field: Region, in: [West] }, { field: Sales, after: 10 }] }', [1, 1, 1]],
    ['all', [4, 4, 4]],
  ])('%s gives the users west, east and none %j rows', async (rows, expected) => {
    const counted = await countRows(withRole(rows));
    expect(counted.map(([roleRows]: number[]) => roleRows)).toEqual(expected);
  });

  it('that changes a saved role counts for its holders', async () => {
    const text = ordersDataset.replace('in: [West]', 'in: [West, East]');
    const { readers } = await tryRole(text, 'West');
    expect(readers).toMatchObject([
      { holdsRole: true, roleRows: 4, rows: 4 },
      { holdsRole: false, roleRows: 4, rows: 2 },
      { holdsRole: false, roleRows: 4, rows: 0 },
    ]);
    // A renamed role has no holders.
    const renamed = ordersDataset.replace('name: West', 'name: Western');
    expect(await countRows(renamed, 'Western')).toEqual([
      [2, 0],
      [2, 2],
      [2, 0],
    ]);
  });

  it('with a mistake, or which the text does not have, shows no rows', async () => {
    const { mistakes, ...wrong } = await tryRole(withRole('{ field: Regoin, in: [West] }'));
    expect(mistakes).toMatchObject([{ message: expect.stringContaining('Regoin') }]);
    expect(wrong).toEqual({ rowCount: null, readers: [] });
    expect(await tryRole(ordersDataset, 'Unknown')).toMatchObject({ readers: [] });
  });

  it('leaves out users of other organizations, and refuses more than ten', async () => {
    const { globex, db } = stage.portal;
    const foreign = (await findUserByEmail(db, globex.id, globex.emails.west))!.id;
    const text = withRole('all');
    const ask = (userIds: string[]) => post('/role-trials', { text, role: 'Tried', userIds });
    expect((await ask([foreign, randomUUID()])).json()).toMatchObject({ readers: [] });
    expectProblem(await ask(Array.from({ length: 11 }, () => randomUUID())), 'invalid_request');
  });
});

it('the values of a field are counted over all rows, and searched', async () => {
  const list = async (query: string) =>
    (await stage.read(stage.admin, `/datasets/${stage.datasetId}/values?${query}`)).values;
  expect(await list('field=Region')).toEqual([
    { key: 'East', count: 2 },
    { key: 'West', count: 2 },
  ]);
  expect(await list('field=Region&search=wes')).toEqual([{ key: 'West', count: 2 }]);
});

it('the fields of a dataset for look-ups are found by its slug, in the own organization only', async () => {
  const find = (slug: string) =>
    stage.admin.send('GET', stage.at(`/look-up-fields?dataset=${slug}`));
  expect((await find('areas')).json()).toEqual({
    fields: [
      { name: 'Mail', type: 'text' },
      { name: 'Area', type: 'text' },
    ],
  });
  expectProblem(await find('unknown'), 'dataset_not_found');
});

it('a trial writes nothing, so that a role becomes active only when it is saved', async () => {
  const before = await dumpTables(stage.portal.db);
  const text = ordersDataset.replace('in: [West]', 'in: [West, East]');
  await post('/role-trials', { text, role: 'West', userIds: [users['west']] });
  await post('/metric-trials', { text, metrics: ['Sales'] });
  const after = await dumpTables(stage.portal.db);
  for (const table of [
    'datasets',
    'rls_roles',
    'content_versions',
    'activity_entries',
    'audit_entries',
  ])
    expect([table, after[table]]).toEqual([table, before[table]]);
});

it.each(['contributor', 'limited'] as const)('a %s may try nothing', async (sender) => {
  const text = ordersDataset;
  const address = stage.at(`/datasets/${stage.datasetId}/values?field=Region`);
  for (const answer of [
    await post('/metric-trials', { text, metrics: ['Sales'] }, sender),
    await post('/role-trials', { text, role: 'West', userIds: [] }, sender),
    await stage[sender].send('GET', address),
    await stage[sender].send('GET', stage.at('/look-up-fields?dataset=orders')),
  ])
    expectProblem(answer, 'missing_permission');
});
