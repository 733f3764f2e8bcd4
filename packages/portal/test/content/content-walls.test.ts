import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openContentDatabase, type ContentDatabase } from '../support/content-database.ts';
import {
  apply as applyContent,
  listMistakes,
  ordersDataset,
  ordersFiles,
  ordersReport,
  writeFiles,
} from '../support/content-files.ts';
import { dumpTables } from '../support/dump.ts';
import { ordersCsv } from '../support/orders.ts';
import type { TestOrganization } from '../support/organization.ts';

let database: ContentDatabase;
/** Organization A, whose content tries to name what belongs to B. */
let acme: TestOrganization;
let globex: TestOrganization;
let datasetFolder: string;
beforeAll(async () => {
  database = await openContentDatabase();
  acme = await database.createOrganization('acme');
  globex = await database.createOrganization('globex');
  ({ datasetFolder } = database);
  writeFiles(datasetFolder, {
    'flat.csv': ordersCsv,
    [`${globex.id}/secret.csv`]: ordersCsv,
    [`${acme.id}/own.csv`]: ordersCsv,
  });
  await apply(globex, theirs);
});
afterAll(() => database.close());

const apply = (organization: TestOrganization, files: Record<string, string>) =>
  applyContent(organization.ctx, datasetFolder, { files });

/** Applies content of Acme that must be refused, and returns its mistakes. */
async function findMistakes(files: Record<string, string>): Promise<string[]> {
  const before = await dumpTables(database.db);
  const mistakes = await listMistakes(apply(acme, files));
  expect(await dumpTables(database.db)).toEqual(before);
  expect(mistakes).not.toEqual([]);
  return mistakes;
}

const own = ordersDataset.replace('orders.csv', 'own.csv');
const withFile = (name: string) => ordersDataset.replace('orders.csv', JSON.stringify(name));
const theirs = { ...ordersFiles, 'datasets/orders.yaml': withFile('secret.csv') };

describe('content of one organization cannot name', () => {
  it("another's data file by its name", async () => {
    expect(await findMistakes({ 'datasets/orders.yaml': withFile('secret.csv') })).toEqual([
      expect.stringContaining('datasets/orders.yaml:3:9 the file secret.csv does not exist'),
    ]);
  });

  it("another's data file by its path", async () => {
    for (const name of [`../${globex.id}/secret.csv`, `${globex.id}/secret.csv`])
      expect(await findMistakes({ 'datasets/orders.yaml': withFile(name) })).toEqual([
        expect.stringMatching(
          /^datasets\/orders\.yaml:3:9 the (path leaves the data folder|file .+ does not exist)/,
        ),
      ]);
  });

  it("a stored version of another's file", async () => {
    const folder = path.join(datasetFolder, globex.id, '.versions');
    const version = fs.readdirSync(folder).find((name) => name.endsWith('.parquet'))!;
    expect(
      await findMistakes({ 'datasets/orders.yaml': withFile(`.versions/${version}`) }),
    ).toEqual(['datasets/orders.yaml:3:9 a part of the path begins with a dot; rename it']);
  });

  it('a file outside the folder of an organization', async () => {
    for (const name of ['flat.csv', '../flat.csv'])
      expect(await findMistakes({ 'datasets/orders.yaml': withFile(name) })).toHaveLength(1);
  });

  it("another's dataset", async () => {
    expect(await findMistakes({ 'reports/orders.yaml': ordersReport })).toEqual([
      expect.stringContaining('reports/orders.yaml:3:10 unknown dataset "orders"'),
    ]);
  });

  it("another's dataset in a look-up", async () => {
    const rows = 'rows: { field: Region, in: { lookup: orders, key: Owner, value: Region } }';
    const dataset = own.replace('rows: { field: Region, in: [West] }', rows);
    expect(await findMistakes({ 'datasets/own.yaml': dataset })).toEqual([
      expect.stringContaining('unknown dataset "orders"'),
    ]);
  });

  it("another's report or dataset by its id: an id belongs to one organization", async () => {
    const { changes } = await applyContent(globex.ctx, datasetFolder, {
      files: theirs,
      dryRun: true,
    });
    const [dataset, report] = changes;
    const before = await dumpTables(database.db);
    const result = await apply(acme, {
      'datasets/own.yaml': `id: ${dataset!.id}\n${own}`,
      'reports/own.yaml': `id: ${report!.id}\n${ordersReport.replace('dataset: orders', 'dataset: own')}`,
    });
    expect(result.changes.map(({ change, id }) => [change, id])).toEqual([
      ['create', dataset!.id],
      ['create', report!.id],
    ]);
    const after = await dumpTables(database.db);
    for (const table of ['datasets', 'reports', 'rls_roles'])
      expect(after[table]!.filter((row) => row.includes(globex.id))).toEqual(
        before[table]!.filter((row) => row.includes(globex.id)),
      );
  });

  it("another's role: roles are part of their own dataset", async () => {
    const dataset = own.replace(/roles:[^]*/, '');
    await apply(acme, { 'datasets/roles.yaml': dataset });
    const { rls_roles: roles } = await dumpTables(database.db);
    expect(roles!.filter((row) => row.includes(globex.id)).length).toBeGreaterThanOrEqual(4);
  });

  it("another's dataset of the same name: a report is over the dataset of its own organization", async () => {
    await apply(acme, { ...ordersFiles, 'datasets/orders.yaml': own });
    const { id, datasetId } = await database.db
      .selectFrom('reports')
      .innerJoin('datasets', 'datasets.organization_id', 'reports.organization_id')
      .where('reports.organization_id', '=', acme.id)
      .where('reports.slug', '=', 'orders')
      .where('datasets.slug', '=', 'orders')
      .select(['datasets.id', 'reports.dataset_id as datasetId'])
      .executeTakeFirstOrThrow();
    expect(datasetId).toBe(id);
  });
});

describe('a data file', () => {
  let outside: string;
  beforeAll(() => {
    const folder = path.join(datasetFolder, acme.id);
    outside = path.join(database.dataDir, 'outside');
    writeFiles(outside, { 'secret.csv': 'Secret\n1\n', 'secret.parquet': 'x' });
    fs.symlinkSync(path.join(outside, 'secret.csv'), path.join(folder, 'link.csv'));
    fs.symlinkSync('../../outside/secret.parquet', path.join(folder, 'link.parquet'));
    fs.symlinkSync(outside, path.join(folder, 'linked'));
    fs.symlinkSync(`../${globex.id}/orders.csv`, path.join(folder, 'other.csv'));
    // The names of the folders begin alike.
    writeFiles(`${folder}-backup`, { 'backup.csv': 'Secret\n1\n' });
    fs.symlinkSync(`../${acme.id}-backup/backup.csv`, path.join(folder, 'backup.csv'));
    fs.symlinkSync('missing', path.join(folder, 'dangling.csv'));
    fs.symlinkSync('loop.csv', path.join(folder, 'loop.csv'));
    fs.symlinkSync('.', path.join(folder, 'self'));
    fs.mkdirSync(path.join(folder, 'folder.csv'));
    execFileSync('mkfifo', [path.join(folder, 'pipe.csv')]);
  });

  const listFiles = () =>
    fs
      .readdirSync(database.dataDir, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('database') && !name.includes('.versions/'))
      .toSorted();
  let before: string[];
  beforeEach(() => {
    before = listFiles();
  });

  const hostile = [
    '../outside/secret.csv',
    '../../outside/secret.csv',
    '../../../../../../../../etc/passwd.csv',
    'sub/../../outside/secret.csv',
    './own.csv',
    'sub/./own.csv',
    'sub//own.csv',
    '/etc/passwd.csv',
    '//server/share.csv',
    '/dev/fd/0.csv',
    '/proc/self/environ.csv',
    '~/own.csv',
    '~root/own.csv',
    'C:/own.csv',
    'c:own.csv',
    '\\\\server\\share.csv',
    '..\\outside\\secret.csv',
    'sub\\own.csv',
    'file:///etc/passwd.csv',
    'http://localhost/own.csv',
    'https://example.com/own.parquet',
    's3://bucket/own.parquet',
    'hf://datasets/own.parquet',
    'own.csv\u0000',
    'own.csv\u0000.parquet',
    'own\n.csv',
    'own\r.csv',
    '\u001b[31m.csv',
    '\ud800.csv',
    'own.csv/',
    '/',
    '.',
    '..',
    '.csv',
    '.hidden.csv',
    '.versions/x.parquet',
    'sub/.hidden/own.csv',
    '*.csv',
    'own.cs?',
    'own[1].csv',
    '{own,other}.csv',
    'own',
    'own.csv.gz',
    'own.db',
    'own.yaml',
    "own'); ATTACH 'x.db'; --.csv",
    '$(touch hacked).csv',
    'link.csv',
    'link.parquet',
    'linked/secret.csv',
    'linked/../own.csv',
    'other.csv',
    'backup.csv',
    'dangling.csv',
    'loop.csv',
    'folder.csv',
    'pipe.csv',
    '',
    ' ',
    'x'.repeat(501),
    `${'x'.repeat(300)}.csv`,
  ];

  const titled = hostile.map((name) => ({ title: JSON.stringify(name).slice(0, 50), name }));
  it.each(titled)('$title is refused with its place and a reason', async ({ name }) => {
    const text = `name: X\nsource: { file: ${JSON.stringify(name)} }\nrowAccess: everyone\n`;
    for (const mistake of await findMistakes({ 'datasets/x.yaml': text })) {
      expect(mistake).toMatch(/^datasets\/x\.yaml:2:17 \S.{10,}/);
      expect(mistake).not.toContain(database.dataDir);
    }
    expect(listFiles()).toEqual(before);
  });

  it.each([
    '../*.csv',
    '/etc/*.csv',
    '*/../*.csv',
    'linked/*.csv',
    '.versions/*.parquet',
    'link.*sv',
    '[a-z]*.csv',
    '**/*.csv',
  ])('the pattern %j matches nothing outside of the folder', async (pattern) => {
    const text = `name: X\nsource: { files: ${JSON.stringify(pattern)} }\nrowAccess: everyone\n`;
    const [mistake, ...others] = await findMistakes({ 'datasets/x.yaml': text });
    expect(others).toEqual([]);
    expect(mistake).toMatch(/^datasets\/x\.yaml:2:18 \S.{10,}/);
  });

  it('may be a link that stays in the folder', async () => {
    const text = `name: X\nsource: { file: self/own.csv }\nrowAccess: everyone\n`;
    expect((await apply(acme, { 'datasets/x.yaml': text })).changes[0]!.change).toBe('create');
  });

  it('has a path as its author wrote it, with any characters', async () => {
    for (const name of ['ümläut & co.csv', "it's 100%.csv", 'sub/a b (1).csv']) {
      writeFiles(path.join(datasetFolder, acme.id), { [name]: ordersCsv });
      const text = `name: X\nsource: { file: ${JSON.stringify(name)} }\nrowAccess: everyone\n`;
      expect((await apply(acme, { 'datasets/x.yaml': text })).changes[0]!.change).not.toBe(
        'archive',
      );
    }
  });
});
