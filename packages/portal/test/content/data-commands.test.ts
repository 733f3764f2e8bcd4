import fs from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { createTemporaryFolder } from 'test-support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { exitCodes } from '../../src/cli/exit-codes.ts';
import { run } from '../../src/cli/run.ts';
import { createGlobex, runInProcess } from '../support/command-line.ts';
import { ordersDataset, ordersFiles, writeFiles } from '../support/content-files.ts';
import type { TestDatabase } from '../support/database.ts';
import { ordersCsv } from '../support/orders.ts';
import type { TestOrganization } from '../support/organization.ts';

let database: TestDatabase;
let globex: TestOrganization;
let folder: string;
beforeAll(async () => {
  ({ database, globex } = await createGlobex());
  folder = createTemporaryFolder('portal-data-');
  const sales = {
    'datasets/months.yaml': 'name: Months\nsource: { files: sales/*.csv }\nrowAccess: everyone\n',
    'data/sales/2024-01.csv': 'Day,Sales\n2024-01-01,1\n',
  };
  writeFiles(folder, {
    ...ordersFiles,
    ...sales,
    'datasets/orders.yaml': ordersDataset.replace('orders.csv', 'shop.csv'),
    'data/shop.csv': ordersCsv,
  });
  const { code, stdout } = await portal('content', 'apply', '-o', 'globex', folder);
  if (code !== 0) throw new Error(stdout);
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true });
  await database.remove();
});

const env = { PORTAL_FILES: 'folder' };
const portal = (...args: string[]) => runInProcess(database, args, env);
const readData = (name: string) =>
  fs.readFileSync(path.join(database.dataDir, 'datasets', globex.id, name), 'utf8');

/** Writes a data file and returns its path. */
function write(name: string, csv: string): string {
  writeFiles(folder, { [`new/${name}`]: csv });
  return path.join(folder, 'new', name);
}

const more = `${ordersCsv}West,west@acme.example,Lamps,2024-04-05,5.5\n`;

it('replace shows what changes, and changes nothing with --dry-run', async () => {
  const file = write('export.csv', more);
  const replace = ['content', 'replace', '-o', 'globex', 'orders', file];
  const shown = await portal(...replace, '--dry-run');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
    'DATASET WHAT BEFORE AFTER',
    'orders rows 4 5',
    'orders type of Sales integer number',
    'orders total of Sales 70 75.5',
    'orders first Ordered 2024-01-03 2024-01-03',
    'orders last Ordered 2024-03-01 2024-04-05',
    'shop.csv would be stored.',
    '',
  ]);
  expect(readData('shop.csv')).toBe(ordersCsv);
  const replaced = await portal(...replace, '--json');
  expect(replaced.json()).toMatchObject({
    file: 'shop.csv',
    datasets: [{ slug: 'orders', rows: { before: 4, after: 5 } }],
    mistakes: [],
    doubts: [],
  });
  expect(readData('shop.csv')).toBe(more);
  expect((await portal(...replace)).stdout).toBe('The data is the same. Nothing changes.\n');
  const [entry] = (await portal('activity', 'list', '-o', 'globex', '--json')).json();
  expect(entry).toMatchObject({ action: 'replaceData', subject: 'shop.csv' });
});

it('append adds a file under a name that fits, and refuses the same file again', async () => {
  const file = write('February.csv', 'Day,Sales\n2024-02-01,2\n');
  const append = ['content', 'append', '-o', 'globex', 'months', file];
  const appended = await portal(...append);
  expect(appended.stdout).toMatch(/^months +rows +1 +2$/m);
  expect(appended.stdout).toContain('Stored sales/february.csv.');
  const shown = await portal(...append, '--dry-run');
  expect(shown).toMatchObject({ code: 1 });
  expect(shown.stdout).toContain('its rows would count twice; to continue anyway, add --force');
  const refused = await portal(...append);
  expect(refused).toMatchObject({ code: exitCodes.refused, stdout: '' });
  expect(refused.stderr).toContain('would count twice');
  expect((await portal(...append, '--force')).stdout).toContain('Stored sales/february-2.csv.');
});

it('data that do not fit are refused with each place', async () => {
  const file = write('wrong.csv', ordersCsv.replace('Sales', 'Amount'));
  const replace = ['content', 'replace', '-o', 'globex', 'orders', file];
  const shown = await portal(...replace, '--dry-run');
  expect(shown.code).toBe(1);
  expect(shown.stdout).toMatch(/^orders +column Sales gone +number +-$/m);
  expect(shown.stdout).toContain('datasets/orders.yaml:9:21 Sales: the file has no column "Sales"');
  const refused = await portal(...replace);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('datasets/orders.yaml:9:21');
  expect(readData('shop.csv')).toBe(more);
});

it('a file that is none of those of the dataset, or of another kind, is refused with advice', async () => {
  const other = write('march.csv', 'Day,Sales\n2024-03-01,2\n');
  const unknown = await portal('content', 'replace', '-o', 'globex', 'months', other);
  expect(unknown.stderr).toContain('Months has no file named march.csv');
  const parquet = write('orders.parquet', 'PAR1');
  const kind = await portal('content', 'replace', '-o', 'globex', 'orders', parquet);
  expect(kind.stderr).toContain('a file of another kind');
  const missing = await portal('content', 'replace', '-o', 'globex', 'nothing', other);
  expect(missing.stderr).toContain('This dataset does not exist');
});

it('on a terminal, the progress of a long file is shown, but not with --json', async () => {
  const rows = Array.from(
    { length: 400_000 },
    (_, row) => `West,w${row},Desks,2024-01-03,${row}\n`,
  );
  const file = write('long.csv', `Region,Owner,Category,Ordered,Sales\n${rows.join('')}`);
  const onTerminal = async (...args: string[]) => {
    const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true })];
    const output = text(stderr);
    const environment = { PORTAL_DATA_DIR: database.dataDir, ...env };
    const terminal = {
      env: { ...environment, PORTAL_DATABASE_URL: database.databaseUrl ?? '' },
      stdout,
      stderr,
      cwd: process.cwd(),
    };
    stdout.resume();
    expect(await run(args, terminal)).toBe(0);
    stderr.end();
    return output;
  };
  const dryRun = ['content', 'replace', '-o', 'globex', 'orders', file, '--dry-run'];
  expect(await onTerminal(...dryRun)).toMatch(/long\.csv: (reading values|writing rows), \d+ %/);
  const init = ['content', 'init', file, '--folder', path.join(folder, 'drafted')];
  expect(await onTerminal(...init, '--json')).toBe('');
});
