import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

import { send } from 'test-support';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { operatorContext, type Context } from '../../src/actor/actor.ts';
import { changeDatasetData } from '../../src/content/new-data/service.ts';
import { readContent } from '../../src/content/service.ts';
import { listNewest } from '../support/activity.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
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

/** The processes that read data files, from /proc. */
const listFileProcesses = (): number[] =>
  fs
    .readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('file-process'));

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

  it('that lacks a column of the other files is refused unless it is forced', async () => {
    writeFiles(folder(), { 'sales/2024-01.csv': 'Day,Sales,Note\n2024-01-01,1,x\n' });
    const files = { 'datasets/sales.yaml': 'name: Sales\nsource: { files: sales/*.csv }\n' };
    await apply(operator, portal.datasetFolder, { files });
    const lacking = 'DAY,Sales\n2024-02-01,2\n';
    const refused = await put('sales/2024-02.csv', lacking);
    expectProblem(refused, 'data_conflict');
    expect(refused.json()).toMatchObject({
      reason: 'missing_columns',
      detail: expect.stringContaining(
        'the new file has no column "Note", so it would have no value',
      ),
    });
    const forced = await put('sales/2024-02.csv', lacking, '?force=true');
    expect(forced.json().datasets).toMatchObject([{ rows: { before: 1, after: 2 } }]);
    // The file before lacks a column, but the new one does not.
    const wider = await put('sales/2024-03.csv', 'Day,Sales,Note,Region\n2024-03-01,3,y,West\n');
    expect(wider.json().datasets).toMatchObject([{ rows: { before: 2, after: 3 } }]);
  });

  it('is refused for a name outside the data folder, another kind of file, and without bytes', async () => {
    const long = `${'é'.repeat(126)}.csv`;
    const wrong = ['../orders.csv', '.versions/a.parquet', 'orders.exe', '/etc/x.csv'];
    for (const name of [...wrong, long, `${'a'.repeat(256)}/b.csv`])
      expectProblem(await put(name, ordersCsv), 'invalid_request');
    expectProblem(await put('orders.csv', ''), 'invalid_request');
    expectProblem(await put('orders.csv/2024.csv', ordersCsv), 'invalid_request');
    writeFiles(folder(), { 'folder.csv/a.csv': ordersCsv });
    expectProblem(await put('folder.csv', ordersCsv), 'invalid_request');
    for (const [code, headers] of [
      ['unsupported_media_type', { 'content-encoding': 'gzip' }],
      ['unsupported_media_type', { 'content-type': 'multipart/form-data; boundary=x' }],
      ['invalid_request', { 'content-range': 'bytes 0-9/100' }],
    ] as const) {
      const answer = await send(portal.publicUrl, {
        method: 'PUT',
        path: '/api/content/files/orders.csv',
        headers: { 'x-api-key': portal.acme.apiKey, ...headers },
        body: ordersCsv,
      });
      expectProblem(answer, code);
    }
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

  it('another delimiter is named', async () => {
    await expectRefused(ordersCsv.replaceAll(',', ';'), ['write delimiter: ";" under csv']);
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
        /email was unique, but .* "west@acme\.example"; the role West of orders/,
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

describe('on the page of a dataset, a new file', () => {
  let admin: AdminBrowser;
  beforeAll(async () => {
    admin = await signInAs(portal, portal.acme, 1, 'ada@acme.example');
  });
  const at = (rest: string) => `/organizations/${portal.acme.id}${rest}`;
  const dataAt = (rest = '') => at(`/datasets/${datasetId}/data${rest}`);
  const upload = (body: string, query: string) => admin.send('POST', dataAt(`?${query}`), { body });
  const listUploads = () => fs.readdirSync(path.join(folder(), '.uploads'));

  it('is compared, then replaces the old one if it is confirmed', async () => {
    expect((await admin.send('GET', at(`/datasets/${datasetId}`))).json().dataFiles).toEqual({
      names: ['orders.csv'],
      isPattern: false,
    });
    const uploaded = await upload(more, 'fileName=anything.csv&mode=replace');
    const { uploadId, version, ...compared } = uploaded.json();
    expect(compared).toMatchObject({
      file: 'orders.csv',
      datasets: [{ rows: { before: 4, after: 5 } }],
      mistakes: [],
      doubts: [],
      questions: [],
    });
    expect(listUploads()).toEqual([uploadId]);
    const json = { mode: 'replace', version };
    const changed = await admin.send('PUT', dataAt(`/${uploadId}`), { json });
    expect([changed.status, changed.json().datasets]).toMatchObject([200, compared.datasets]);
    expect(listUploads()).toEqual([]);
    const [latest] = await listNewest(portal, 1);
    expect(latest).toMatchObject({
      action: 'replaceData',
      subject: 'orders.csv',
      actor: { kind: 'user' },
      details: { datasets: [{ rowsBefore: 4, rowsAfter: 5 }] },
    });
    expectProblem(await admin.send('PUT', dataAt(`/${uploadId}`), { json }), 'not_found');
  });

  it('that does not fit is shown with each place, and refused', async () => {
    const csv = ordersCsv.replace('Sales', 'Amount');
    const { uploadId, version, mistakes } = (
      await upload(csv, 'fileName=orders.csv&mode=replace')
    ).json();
    expect(mistakes).toMatchObject([
      {
        file: 'datasets/orders.yaml',
        line: 3,
        message: expect.stringContaining('kpi on the page'),
      },
      { file: 'datasets/orders.yaml', line: 9, message: expect.stringContaining('no column') },
    ]);
    const json = { mode: 'replace', version };
    expectProblem(await admin.send('PUT', dataAt(`/${uploadId}`), { json }), 'invalid_content');
    const removed = await admin.send('DELETE', at(`/uploads/${uploadId}`));
    expect([removed.status, listUploads()]).toEqual([200, []]);
  });

  it('whose numbers have two readings is asked about, and the answer is written to the definition', async () => {
    const german = ordersDataset.replace(
      'file: orders.csv',
      'file: orders.csv\n  csv: { delimiter: ";" } # export of the shop',
    );
    const csv = ordersCsv.replaceAll(',', ';');
    writeFiles(folder(), { 'orders.csv': csv });
    await apply(operator, portal.datasetFolder, { files: { 'datasets/orders.yaml': german } });
    const next = `Region;Owner;Category;Ordered;Sales
West;west@acme.example;Desks;2024-01-03;1.234
East;east@acme.example;Desks;2024-01-04;12.500
`;
    const uploaded = (await upload(next, 'fileName=orders.csv&mode=replace')).json();
    expect([uploaded.mistakes, uploaded.questions]).toMatchObject([
      [],
      [{ about: 'numbers', interpretations: [{}, {}] }],
    ]);
    const { uploadId, version, questions } = uploaded;
    const { options } = questions[0].interpretations[1];
    const change = { mode: 'replace', csv: options };
    const compared = (await admin.send('POST', dataAt(`/${uploadId}`), { json: change })).json();
    expect(compared).toMatchObject({ questions: [], mistakes: [] });
    const json = { ...change, version };
    expect((await admin.send('PUT', dataAt(`/${uploadId}`), { json })).status).toBe(200);
    const text = (await readContent(operator))['datasets/orders.yaml'];
    expect(text).toContain('decimal: ","');
    expect(text).toContain('# export of the shop');
  });

  it('of a dataset that another organization has is not found', async () => {
    const other = await signInAs(portal, portal.globex, 1, 'gus@globex.example');
    const place = `/organizations/${portal.globex.id}/datasets/${datasetId}/data`;
    const answer = await other.send('POST', `${place}?fileName=orders.csv&mode=replace`, {
      body: more,
    });
    expectProblem(answer, 'dataset_not_found');
  });

  it('is refused to contributors, also if it was sent before', async () => {
    const contributor = await signInAs(portal, portal.acme, 2, 'cora@acme.example');
    const { uploadId, version } = (await upload(more, 'fileName=a.csv&mode=replace')).json();
    const query = 'fileName=a.csv&mode=replace';
    const json = { mode: 'replace', version };
    for (const answer of [
      await contributor.send('POST', dataAt(`?${query}`), { body: more }),
      await contributor.send('PUT', dataAt(`/${uploadId}`), { json }),
      await contributor.send('DELETE', at(`/uploads/${uploadId}`)),
    ])
      expectProblem(answer, 'missing_permission');
    await admin.send('DELETE', at(`/uploads/${uploadId}`));
  });

  it('leaves nothing behind if its request is cancelled while it is read', async () => {
    const before = await dumpTables(portal.db);
    const rows = Array.from(
      { length: 600_000 },
      (_, row) => `West,w${row},Desks,2024-01-03,${row}\n`,
    );
    const { host, port } = new URL(portal.adminUrl);
    const agent = new http.Agent();
    const outcome = send(
      `http://127.0.0.1:${port}/admin/api${dataAt('?fileName=orders.csv&mode=replace')}`,
      {
        method: 'POST',
        headers: { host, cookie: admin.cookie(), origin: portal.adminUrl },
        body: `Region,Owner,Category,Ordered,Sales\n${rows.join('')}`,
        agent,
      },
    ).catch((error: NodeJS.ErrnoException) => error.code);
    const listTemporary = () =>
      fs.readdirSync(path.join(folder(), '.versions')).filter((name) => name.includes('.tmp'));
    // The conversion writes its rows.
    await expect.poll(() => listTemporary().length, { timeout: 30_000, interval: 20 }).toBe(1);
    const running = listFileProcesses();
    expect(running).not.toEqual([]);
    agent.destroy();
    expect(await outcome).toBe('ECONNRESET');
    await expect
      .poll(() => [listTemporary(), listUploads()], { timeout: 10_000 })
      .toEqual([[], []]);
    expect(listFileProcesses().filter((pid) => running.includes(pid))).toEqual([]);
    expect(await dumpTables(portal.db)).toEqual(before);
    expect(fs.readFileSync(path.join(folder(), 'orders.csv'), 'utf8')).toBe(ordersCsv);
  });

  it('the answer says how far a long file is read', async () => {
    const rows = Array.from(
      { length: 400_000 },
      (_, row) => `West,w${row},Desks,2024-01-03,${row}\n`,
    );
    const body = `Region,Owner,Category,Ordered,Sales\n${rows.join('')}`;
    const answer = await admin.send('POST', dataAt('?fileName=orders.csv&mode=replace'), {
      body,
      headers: { accept: 'application/x-ndjson' },
    });
    const lines = answer.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines.slice(0, -1))
      expect(line).toEqual({
        progress: { phase: expect.stringMatching(/^(read|write)$/), percent: expect.any(Number) },
      });
    const { answer: compared } = lines.at(-1) as { answer: { uploadId: string } };
    expect(compared).toMatchObject({ datasets: [{ rows: { after: 400_000 } }] });
    await admin.send('DELETE', at(`/uploads/${compared.uploadId}`));
  });
});

it('a query that runs while the data are replaced finishes on the old data', async () => {
  const countRows = await openAsReader();
  expect(await countRows()).toBe(2);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const compute = portal.tiles.compute.bind(portal.tiles);
  const computing = vi.spyOn(portal.tiles, 'compute').mockImplementationOnce(async (...given) => {
    await held;
    return compute(...given);
  });
  onTestFinished(() => computing.mockRestore());
  const old = countRows();
  await expect.poll(() => computing.mock.calls.length).toBe(1);
  expect((await put('orders.csv', more)).status).toBe(200);
  release();
  expect(await old).toBe(2);
  expect(await countRows()).toBe(3);
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
