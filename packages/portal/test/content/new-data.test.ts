import fs from 'node:fs';
import path from 'node:path';

import { send } from 'testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { operatorContext, type Context } from '../../src/actor/actor.ts';
import { changeDatasetData } from '../../src/content/new-data/service.ts';
import { readContent } from '../../src/content/service.ts';
import { listNewest } from '../support/activity.ts';
import { apply, ordersDataset, ordersFiles, writeFiles } from '../support/content-files.ts';
import { dumpTables } from '../support/dump.ts';
import { expectProblem } from '../support/http.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, readSession, view } from '../support/viewer.ts';

let portal: TestPortal;
let operator: Context;
let datasetId: string;
let reportId: string;
beforeAll(async () => {
  portal = await startTestPortal();
  const { acme, db, publicUrl } = portal;
  operator = operatorContext({ db, publicUrl, organizationId: acme.id });
});
afterAll(() => portal.close());

const folder = () => path.join(portal.datasetFolder, portal.acme.id);

beforeEach(async () => {
  const { acme, datasetFolder } = portal;
  fs.rmSync(folder(), { recursive: true, force: true });
  writeFiles(folder(), { 'orders.csv': ordersCsv });
  const { changes } = await apply(operator, datasetFolder, {
    files: ordersFiles,
    prune: true,
    force: true,
  });
  datasetId = changes.find(({ kind }) => kind === 'dataset')!.id;
  reportId = changes.find(({ kind }) => kind === 'report')!.id;
  await linkReports(acme.ctx, { userEmail: acme.emails.west, reports: [reportId] });
  await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [acme.emails.west] });
});

/** Sends a data file as a pipeline does. */
const put = (name: string, body: string, query = '', key = portal.acme.apiKey) =>
  send(portal.publicUrl, {
    method: 'PUT',
    path: `/api/content/files/${encodeURIComponent(name)}${query}`,
    headers: { 'x-api-key': key, 'content-type': 'text/csv' },
    body,
  });

/** Opens the report as a reader of the West, and counts its rows. */
async function openAsReader(): Promise<() => Promise<number>> {
  const { acme } = portal;
  const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId });
  const { bearer } = readSession(await open(url));
  return async () => (await view(acme.address, bearer, reportId)).json().rowCount as number;
}

const more = `${ordersCsv}West,west@acme.example,Lamps,2024-04-05,5.5\n`;

describe('a data file that a pipeline sends', () => {
  it('replaces the data of the datasets that read it, which keep their ids, roles and links', async () => {
    const countRows = await openAsReader();
    expect(await countRows()).toBe(2);
    const answer = await put('orders.csv', more);
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        file: 'orders.csv',
        hints: [],
        datasets: [
          {
            id: datasetId,
            slug: 'orders',
            name: 'Orders',
            change: 'update',
            rows: { before: 4, after: 5 },
            columns: {
              added: [],
              removed: [],
              changed: [{ name: 'Sales', before: 'integer', after: 'number' }],
            },
            totals: [{ name: 'Sales', before: '70', after: '75.5' }],
            time: {
              field: 'Ordered',
              before: { from: '2024-01-03', to: '2024-03-01' },
              after: { from: '2024-01-03', to: '2024-04-05' },
            },
          },
        ],
      },
    ]);
    expect(await countRows()).toBe(3);
    expect(fs.readFileSync(path.join(folder(), 'orders.csv'), 'utf8')).toBe(more);
    expect(fs.readdirSync(path.join(folder(), '.uploads'))).toEqual([]);
    const [latest] = await listNewest(portal, 1);
    expect(latest).toMatchObject({
      action: 'putDataFile',
      subject: 'orders.csv',
      actor: { kind: 'api-key' },
      details: {
        file: 'orders.csv',
        datasets: [{ id: datasetId, slug: 'orders', rowsBefore: 4, rowsAfter: 5 }],
      },
    });
  });

  it('changes nothing with dryRun, and says what would change', async () => {
    const before = [await dumpTables(portal.db), await listNewest(portal, 1)];
    const answer = await put('orders.csv', more, '?dryRun=true');
    expect(answer.json().datasets).toMatchObject([{ rows: { before: 4, after: 5 } }]);
    expect(fs.readFileSync(path.join(folder(), 'orders.csv'), 'utf8')).toBe(ordersCsv);
    expect([await dumpTables(portal.db), await listNewest(portal, 1)]).toEqual(before);
  });

  it('the same file again changes nothing and adds no entry to the activity log', async () => {
    await put('orders.csv', more);
    const before = await listNewest(portal, 1);
    const answer = await put('orders.csv', more);
    expect(answer.json().datasets).toMatchObject([
      { change: 'unchanged', rows: { before: 5, after: 5 } },
    ]);
    expect(await listNewest(portal, 1)).toEqual(before);
  });

  it('is kept for later datasets if none reads it yet', async () => {
    const answer = await put('sales/2024.csv', ordersCsv);
    expect([answer.status, answer.json()]).toEqual([
      200,
      { file: 'sales/2024.csv', datasets: [], hints: [] },
    ]);
    const files = { 'datasets/sales.yaml': 'name: Sales\nsource: { file: sales/2024.csv }\n' };
    const { changes } = await apply(operator, portal.datasetFolder, { files });
    expect(changes).toMatchObject([{ slug: 'sales' }]);
  });

  it('adds its rows to the dataset whose pattern its new name matches', async () => {
    writeFiles(folder(), { 'sales/2024-01.csv': 'Day,Sales\n2024-01-01,1\n' });
    const files = { 'datasets/sales.yaml': 'name: Sales\nsource: { files: sales/*.csv }\n' };
    await apply(operator, portal.datasetFolder, { files });
    const answer = await put('sales/2024-02.csv', 'Day,Sales\n2024-02-01,2\n2024-02-02,3\n');
    expect(answer.json().datasets).toMatchObject([
      { slug: 'sales', rows: { before: 1, after: 3 }, totals: [{ before: '1', after: '6' }] },
    ]);
  });

  it('that equals another file of the dataset is refused unless it is forced', async () => {
    writeFiles(folder(), { 'sales/2024-01.csv': 'Day,Sales\n2024-01-01,1\n' });
    const files = { 'datasets/sales.yaml': 'name: Sales\nsource: { files: sales/*.csv }\n' };
    await apply(operator, portal.datasetFolder, { files });
    const twin = 'Day,Sales\n2024-01-01,1\n';
    const refused = await put('sales/2024-02.csv', twin);
    expectProblem(refused, 'data_conflict');
    expect(refused.json()).toMatchObject({
      reason: 'same_file',
      detail: expect.stringContaining('would count twice'),
    });
    expect(fs.existsSync(path.join(folder(), 'sales/2024-02.csv'))).toBe(false);
    const forced = await put('sales/2024-02.csv', twin, '?force=true');
    expect(forced.json().datasets).toMatchObject([{ rows: { before: 1, after: 2 } }]);
  });

  it('is refused for a name outside the data folder, another kind of file, and without bytes', async () => {
    for (const name of ['../orders.csv', '.versions/a.parquet', 'orders.exe', '/etc/x.csv'])
      expectProblem(await put(name, ordersCsv), 'invalid_request');
    expectProblem(await put('orders.csv', ''), 'invalid_request');
    const compressed = await send(portal.publicUrl, {
      method: 'PUT',
      path: '/api/content/files/orders.csv',
      headers: { 'x-api-key': portal.acme.apiKey, 'content-encoding': 'gzip' },
      body: 'x',
    });
    expectProblem(compressed, 'unsupported_media_type');
  });

  it('reaches only the organization of its key', async () => {
    const answer = await put('orders.csv', more, '', portal.globex.apiKey);
    const changed = (answer.json().datasets as { id: string }[]).map(({ id }) => id);
    expect(changed).not.toContain(datasetId);
    expect(fs.readFileSync(path.join(folder(), 'orders.csv'), 'utf8')).toBe(ordersCsv);
  });
});

describe('new data that something does not fit', () => {
  const without = (column: number) =>
    ordersCsv.replace(/^.+$/gm, (line) => line.split(',').toSpliced(column, 1).join(','));

  async function expectRefused(csv: string, messages: string[]) {
    const before = await dumpTables(portal.db);
    for (const query of ['?dryRun=true', '']) {
      const answer = await put('orders.csv', csv, query);
      expectProblem(answer, 'invalid_content');
      const errors = answer.json().errors as { path: string; message: string }[];
      for (const message of messages)
        expect(errors.map((each) => `${each.path} ${each.message}`)).toContainEqual(
          expect.stringContaining(message),
        );
    }
    expect(fs.readFileSync(path.join(folder(), 'orders.csv'), 'utf8')).toBe(ordersCsv);
    expect(await dumpTables(portal.db)).toEqual(before);
  }

  it('a column that a metric uses, a tile, and a role is gone', async () => {
    await expectRefused(without(4), ['datasets/orders.yaml:9:21 Sales: the file has no column']);
    await expectRefused(without(0), [
      'datasets/orders.yaml:13:20 West: the file has no column "Region" any more',
      'reports/orders.yaml:5:12 the file has no column "Region" any more',
    ]);
    await expectRefused(without(3), [
      'datasets/orders.yaml:4:7 the file has no column "Ordered" any more',
      'reports/orders.yaml:13:16 Overview, line: the file has no column "Ordered" any more',
    ]);
  });

  it('numbers became text', async () => {
    await expectRefused(ordersCsv.replace('25', 'n/a'), [
      'datasets/orders.yaml:3:9 orders.csv: column "Sales" is text because of "n/a" in line 5',
    ]);
  });

  it('the field of a role in another dataset is gone from the look-up', async () => {
    writeFiles(folder(), { 'access.csv': 'email,region\nwest@acme.example,West\n' });
    const files = {
      'datasets/access.yaml': 'name: Access\nsource: { file: access.csv }\n',
      'datasets/orders.yaml': ordersDataset.replace(
        'in: [West]',
        'in: { lookup: access, key: email, value: region }',
      ),
    };
    await apply(operator, portal.datasetFolder, { files });
    const gone = await put('access.csv', 'mail,region\nwest@acme.example,West\n');
    expectProblem(gone, 'invalid_content');
    expect(gone.json().errors).toMatchObject([{ path: 'datasets/orders.yaml:13:55' }]);
    const twice = 'email,region\nwest@acme.example,West\n WEST@acme.example,East\n';
    const doubled = await put('access.csv', twice);
    expectProblem(doubled, 'data_conflict');
    expect(doubled.json()).toMatchObject({
      reason: 'repeated_key',
      detail: expect.stringMatching(
        /email had one row .* "west@acme\.example"; the role West of orders/,
      ),
    });
    expect((await put('access.csv', twice, '?force=true')).status).toBe(200);
    // What was so before is no reason.
    const third = await put('access.csv', `${twice}west@acme.example,North\n`);
    expect(third.status).toBe(200);
  });
});

describe('a further file of a dataset', () => {
  const add = (name: string, csv: string, options = {}) => {
    const file = path.join(portal.dataDir, name);
    fs.writeFileSync(file, csv);
    return changeDatasetData(
      operator,
      { datasetFolder: portal.datasetFolder },
      {
        dataset: 'orders',
        mode: 'append',
        path: file,
        fileName: name,
        ...options,
      },
    );
  };
  const april = ordersCsv.replace(/\n.*/s, '\nWest,west@acme.example,Lamps,2024-04-05,5\n');

  it('turns its one file into a folder of files; comments and the old file stay', async () => {
    const commented = ordersDataset.replace(
      '  file: orders.csv\n',
      '  # from the shop\n  file: orders.csv # daily\n',
    );
    await apply(operator, portal.datasetFolder, { files: { 'datasets/orders.yaml': commented } });
    const result = await add('April 2024.txt', april);
    expect(result).toMatchObject({
      file: 'orders/april-2024.csv',
      datasets: [{ slug: 'orders', rows: { before: 4, after: 5 } }],
    });
    const texts = await readContent(operator);
    expect(texts['datasets/orders.yaml']).toContain(
      '  # from the shop\n  files: orders/*.csv # daily\n',
    );
    expect(fs.readdirSync(path.join(folder(), 'orders')).toSorted()).toEqual([
      'april-2024.csv',
      'orders.csv',
    ]);
    expect(fs.existsSync(path.join(folder(), 'orders.csv'))).toBe(true);
    const [latest] = await listNewest(portal, 1);
    expect(latest).toMatchObject({
      action: 'appendData',
      subject: 'orders/april-2024.csv',
      details: { datasets: [{ rowsBefore: 4, rowsAfter: 5 }] },
    });
    // An author who applies the old definition again would lose the rows.
    const again = apply(operator, portal.datasetFolder, {
      files: { 'datasets/orders.yaml': commented },
    });
    await expect(again).rejects.toMatchObject({ code: 'content_conflict' });
    // Another one joins them.
    const may = await add('may.csv', april.replace('-04-', '-05-'));
    expect(may).toMatchObject({ file: 'orders/may.csv', datasets: [{ rows: { after: 6 } }] });
  });

  it('with the same bytes is refused', async () => {
    await expect(add('copy.csv', ordersCsv)).rejects.toMatchObject({
      code: 'data_conflict',
      reason: 'same_file',
    });
    expect(await add('copy.csv', ordersCsv, { dryRun: true })).toMatchObject({
      doubts: [{ reason: 'same_file' }],
    });
    expect(fs.existsSync(path.join(folder(), 'orders'))).toBe(false);
  });

  it('of another kind is refused', async () => {
    await expect(add('april.parquet', april)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

it('data that somebody else has changed since the author looked are not replaced', async () => {
  const file = path.join(portal.dataDir, 'new.csv');
  fs.writeFileSync(file, more);
  const request = { dataset: datasetId, mode: 'replace', path: file, fileName: 'new.csv' } as const;
  const scope = { datasetFolder: portal.datasetFolder };
  const { datasets } = await changeDatasetData(operator, scope, { ...request, dryRun: true });
  expect(datasets).toMatchObject([{ rows: { before: 4, after: 5 } }]);
  const { version } = await portal.db
    .selectFrom('datasets')
    .where('id', '=', datasetId)
    .select('version')
    .executeTakeFirstOrThrow();
  await put('orders.csv', `${ordersCsv}East,e,Desks,2024-05-01,1\n`);
  const late = changeDatasetData(operator, scope, { ...request, version });
  await expect(late).rejects.toMatchObject({ code: 'stale_version' });
});
