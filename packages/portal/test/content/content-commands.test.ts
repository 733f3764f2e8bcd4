import fs from 'node:fs';
import path from 'node:path';

import { sql } from 'kysely';
import { createTemporaryFolder } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { createGlobex, runInProcess } from '../support/command-line.ts';
import { ordersDataset, ordersFiles, ordersReport, writeFiles } from '../support/content-files.ts';
import type { TestDatabase } from '../support/database.ts';
import { ordersCsv } from '../support/orders.ts';
import type { TestOrganization } from '../support/organization.ts';

let database: TestDatabase;
let globex: TestOrganization;
let folder: string;
beforeAll(async () => {
  ({ database, globex } = await createGlobex());
  folder = createTemporaryFolder('portal-content-');
  writeFiles(folder, { ...ordersFiles, 'data/orders.csv': ordersCsv, 'README.md': '# Content' });
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true });
  await database.remove();
});

/** The files are in a folder, where these tests look at them. */
const portal = (...args: string[]) =>
  runInProcess(database, ['content', ...args], { PORTAL_FILES: 'folder' });
const dataOf = (name: string) => path.join(database.dataDir, 'datasets', globex.id, name);
const listVersions = () =>
  fs.readdirSync(dataOf('.versions')).filter((name) => name.endsWith('.parquet'));

describe('the commands of content files', () => {
  it('check a folder without a portal', async () => {
    const checked = await runInProcess({ dataDir: '/nonexistent', databaseUrl: undefined }, [
      'content',
      'check',
      folder,
    ]);
    expect(checked).toMatchObject({ code: 0, stdout: 'The content has no mistakes.\n' });
  });

  it('check names files that are not content, and datasets that it cannot check without a portal', async () => {
    const given = createTemporaryFolder('portal-content-');
    try {
      writeFiles(given, {
        'datasets/events.yaml':
          'name: Events\nsource: { connection: warehouse, table: events }\nrowAccess: everyone\n',
        'datasets/.hidden': '',
      });
      const unchecked = await portal('check', given);
      expect(unchecked.code).toBe(0);
      expect(unchecked.stdout).toContain(
        'hint: datasets/events.yaml is over a connection, which is checked with -o ORGANIZATION only',
      );
      writeFiles(given, { 'datasets/orders.yml': 'name: Orders\n' });
      const checked = await portal('check', given);
      expect(checked.code).toBe(1);
      expect(checked.stdout).toContain(
        'datasets/orders.yml:1:1 this is not a .yaml file; rename it, or move it out of this folder',
      );
      fs.rmSync(path.join(given, 'datasets/events.yaml'));
      expect((await portal('check', given)).stdout).toContain('this is not a .yaml file');
    } finally {
      fs.rmSync(given, { recursive: true });
    }
  });

  it('show what apply would change, apply it and find nothing left to do', async () => {
    const diff = await portal('diff', '-o', 'globex', folder);
    expect(diff.code).toBe(0);
    expect(diff.stdout).toContain('create datasets/orders.yaml');
    expect(diff.stdout).toContain('+name: Order overview');
    const applied = await portal('apply', '-o', 'globex', folder);
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout).toMatch(/reports\/orders\.yaml +create +[\da-f-]{36}/);
    expect((await portal('apply', '-o', 'globex', folder)).stdout).toBe('No changes.\n');
    expect((await portal('diff', '-o', 'globex', folder)).stdout).toBe('No changes.\n');
    expect(fs.readFileSync(dataOf('orders.csv'), 'utf8')).toBe(ordersCsv);
  });

  it('refuse a folder that is a link, since its files may be those of another organization', async () => {
    const other = createTemporaryFolder('portal-linked-');
    const linked = createTemporaryFolder('portal-content-');
    try {
      writeFiles(other, { 'orders.csv': ordersCsv, 'secret.yaml': 'password: secret\n' });
      writeFiles(linked, ordersFiles);
      fs.symlinkSync(other, path.join(linked, 'data'));
      const data = await portal('check', linked);
      expect(data.code).toBe(1);
      expect(data.stdout).toContain('data:1:1 this is a link; put the files themselves into data/');
      fs.rmSync(path.join(linked, 'datasets'), { recursive: true });
      fs.symlinkSync(other, path.join(linked, 'datasets'));
      const datasets = await portal('apply', '-o', 'globex', linked);
      expect(datasets.code).toBe(1);
      expect(datasets.stdout).toContain('datasets:1:1 this is a link');
      expect(datasets.stdout).not.toContain('password');
    } finally {
      fs.rmSync(linked, { recursive: true });
      fs.rmSync(other, { recursive: true });
    }
  });

  it('show a change of very many lines soon, without control characters', async () => {
    const changed = createTemporaryFolder('portal-content-');
    const comments = (word: string) =>
      Array.from({ length: 10_000 }, (_, index) => `# ${word} ${index}\n`).join('');
    const files = (word: string) => ({ 'datasets/orders.yaml': ordersDataset + comments(word) });
    writeFiles(changed, { ...files('old'), 'data/orders.csv': ordersCsv });
    writeFiles(changed, { 'datasets/long.yaml': files('new')['datasets/orders.yaml'] });
    const created = await portal('diff', '-o', 'globex', changed);
    expect(created.stdout).toMatch(/^create datasets\/long\.yaml$[^]*^\+# new 9999$/m);
    fs.rmSync(path.join(changed, 'datasets/long.yaml'));
    expect((await portal('apply', '-o', 'globex', changed)).code).toBe(0);
    writeFiles(changed, files('new'));
    const diff = await portal('diff', '-o', 'globex', changed);
    expect(diff.stdout).toBe('update datasets/orders.yaml\n(too many lines differ to show them)\n');
    const title = ordersReport.replace('type: kpi', 'type: kpi\n            title: "\\e[31mred"');
    writeFiles(changed, {
      ...files('old'),
      'reports/orders.yaml': title.replace('metric: Sales', 'metric: Sals'),
    });
    const checked = await portal('check', changed);
    expect(checked.stdout).toContain('\\u{1b}[31mred: unknown metric "Sals"');
    fs.rmSync(changed, { recursive: true });
    expect((await portal('apply', '-o', 'globex', folder)).code).toBe(0);
  });

  it('write the content of an organization to a folder, byte by byte', async () => {
    const target = path.join(folder, 'pulled');
    expect(await portal('pull', '-o', 'globex', target)).toMatchObject({
      code: 0,
      stdout: `Wrote 5 files to ${target}.\n`,
    });
    for (const [name, text] of Object.entries(ordersFiles))
      expect(fs.readFileSync(path.join(target, name), 'utf8')).toBe(text);
    fs.rmSync(target, { recursive: true });
  });

  it('store changed data as a new version beside the old one', async () => {
    const [before] = listVersions();
    fs.appendFileSync(
      path.join(folder, 'data/orders.csv'),
      'North,a@b.example,Desks,2024-03-02,5\n',
    );
    const diff = await portal('diff', '-o', 'globex', folder);
    expect(diff.stdout).toBe('update datasets/orders.yaml\n');
    expect(fs.readFileSync(dataOf('orders.csv'), 'utf8')).toBe(ordersCsv);
    expect((await portal('apply', '-o', 'globex', folder)).code).toBe(0);
    expect(listVersions()).toHaveLength(2);
    expect(listVersions()).toContain(before);
    expect(fs.readFileSync(dataOf('orders.csv'), 'utf8')).toContain('North');
  });

  it('remove a version that no dataset has named for an hour', async () => {
    const unnamed = dataOf('.versions/0123456789abcdef0123456789abcdef01234567');
    for (const ending of ['.parquet', '.json']) fs.writeFileSync(unnamed + ending, '');
    await portal('apply', '-o', 'globex', folder);
    expect(fs.existsSync(`${unnamed}.parquet`)).toBe(true);
    const old = new Date(Date.now() - 3_700_000);
    for (const ending of ['.parquet', '.json']) fs.utimesSync(unnamed + ending, old, old);
    const named = listVersions();
    await portal('apply', '-o', 'globex', folder);
    expect(listVersions().length).toBe(named.length - 1);
    expect(fs.existsSync(`${unnamed}.parquet`)).toBe(false);
    expect(fs.existsSync(`${unnamed}.json`)).toBe(false);
  });

  it('name every mistake with its place, change nothing and end with exit code 1', async () => {
    writeFiles(folder, {
      'datasets/orders.yaml': ordersDataset.replace('[West]', '[012]'),
      'reports/orders.yaml': ordersReport.replace('Ordered by month', 'Orderd by month'),
    });
    for (const args of [
      ['check', folder],
      ...['check', 'diff', 'apply'].map((name) => [name, '-o', 'globex', folder]),
    ]) {
      const result = await portal(...args);
      expect([args[0], result.code, result.stderr]).toEqual([args[0], 1, '']);
      expect(result.stdout).toContain('datasets/orders.yaml:13:33 012 is read as the number 12;');
    }
    // Only the apply would have been a change.
    const refusals = ['activity', 'list', '-o', 'globex', '--refused', '--action', 'applyContent'];
    const { stdout } = await runInProcess(database, refusals);
    expect(stdout.match(/invalid_content/g)).toHaveLength(1);
    writeFiles(folder, { 'datasets/orders.yaml': ordersDataset });
    const checked = await portal('check', folder, '--json');
    expect([checked.code, checked.json()]).toMatchObject([
      1,
      { mistakes: [{ file: 'reports/orders.yaml', line: 13, column: 16 }] },
    ]);
    writeFiles(folder, ordersFiles);
    expect((await portal('diff', '-o', 'globex', folder)).stdout).toBe('No changes.\n');
  });

  it('name an item that was edited in the portal, and overwrite it only with --force', async () => {
    const { db, close } = await openDatabase(database);
    await sql`UPDATE reports SET edited_at = now(), content = content || '# edited'
      WHERE slug = 'orders'`.execute(db);
    await close();
    expect((await portal('diff', '-o', 'globex', folder)).stdout).toContain(
      'update reports/orders.yaml (conflict: it was edited in the portal)\n',
    );
    for (const options of [[], ['--prune']]) {
      const refused = await portal('apply', '-o', 'globex', folder, ...options);
      expect([refused.code, refused.stdout]).toEqual([3, '']);
      expect(refused.stderr).toContain('reports/orders.yaml was edited in the portal');
    }
    expect((await portal('apply', '-o', 'globex', folder, '--force')).stdout).toMatch(
      /reports\/orders\.yaml +update/,
    );
    expect((await portal('diff', '-o', 'globex', folder)).stdout).toBe('No changes.\n');
  });

  it('name an item that was archived in the portal, and restore it only with --force', async () => {
    const { db, close } = await openDatabase(database);
    await sql`UPDATE reports SET archived_at = now(), archived_from = 'pages'
      WHERE slug = 'orders'`.execute(db);
    await close();
    expect((await portal('diff', '-o', 'globex', folder)).stdout).toContain(
      'restore reports/orders.yaml (conflict: it was archived in the portal)\n',
    );
    const refused = await portal('apply', '-o', 'globex', folder);
    expect([refused.code, refused.stdout]).toEqual([3, '']);
    expect(refused.stderr).toContain('reports/orders.yaml was archived in the portal');
    expect((await portal('apply', '-o', 'globex', folder, '--force')).stdout).toMatch(
      /reports\/orders\.yaml +restore/,
    );
    expect((await portal('diff', '-o', 'globex', folder)).stdout).toBe('No changes.\n');
  });

  it('end with exit code 1 for mistakes with --json, too', async () => {
    const wrong = createTemporaryFolder('portal-content-');
    writeFiles(wrong, { 'datasets/wrong.yaml': 'name: [' });
    for (const name of ['diff', 'apply']) {
      const result = await portal(name, '-o', 'globex', wrong, '--json');
      expect([result.code, result.stdout]).toEqual([1, '']);
      expect(JSON.parse(result.stderr).error).toMatchObject({
        exitCode: 1,
        code: 'invalid_content',
        detail: expect.stringContaining('datasets/wrong.yaml:1:'),
      });
    }
    fs.rmSync(wrong, { recursive: true });
  });

  it('print each hint once, as a mistake or as a hint', async () => {
    const priced = createTemporaryFolder('portal-content-');
    const dataset = (metric: string) =>
      `name: Prices\nsource:\n  file: prices.csv\n  csv: { delimiter: ; }\nrowAccess: everyone\nmetrics:\n  - name: Total\n    expression: ${metric}\n`;
    writeFiles(priced, {
      'datasets/prices.yaml': dataset('sum(Price)'),
      'data/prices.csv': 'Price;Cost\n1,5;0,5\n2,5;1,5\n',
    });
    const price = 'prices.csv: column "Price" is text';
    const cost = 'prices.csv: column "Cost" is text';
    const wrong = (await portal('check', priced)).stdout;
    expect(wrong).toContain(`hint: ${cost}`);
    expect(wrong.split(price)).toHaveLength(2);
    expect(wrong).not.toContain(`hint: ${price}`);
    writeFiles(priced, { 'datasets/prices.yaml': dataset('count()') });
    for (const args of [
      ['check', priced],
      ...['check', 'diff', 'apply'].map((name) => [name, '-o', 'globex', priced]),
    ]) {
      const { code, stdout } = await portal(...args);
      expect([code, stdout]).toEqual([0, expect.stringContaining(`hint: ${price}`)]);
      expect(stdout).toContain(`hint: ${cost}`);
    }
    fs.rmSync(priced, { recursive: true });
  });

  it('need a folder with content', async () => {
    const empty = createTemporaryFolder('portal-content-');
    for (const name of [empty, path.join(empty, 'missing')]) {
      const result = await portal('check', name);
      expect([result.code, result.stderr]).toEqual([
        2,
        expect.stringContaining('portal: The folder'),
      ]);
    }
    fs.rmSync(empty, { recursive: true });
  });

  it('archive what a folder lacks with --prune, and restore it', async () => {
    fs.rmSync(path.join(folder, 'reports/orders.yaml'));
    expect((await portal('apply', '-o', 'globex', folder)).stdout).toBe('No changes.\n');
    expect((await portal('diff', '-o', 'globex', folder)).stdout).toBe('No changes.\n');
    expect((await portal('diff', '-o', 'globex', folder, '--prune')).stdout).toMatch(
      /^archive reports\/orders\.yaml$/m,
    );
    expect((await portal('apply', '-o', 'globex', folder, '--prune')).stdout).toMatch(
      /reports\/orders\.yaml +archive/,
    );
    writeFiles(folder, ordersFiles);
    expect((await portal('apply', '-o', 'globex', folder)).stdout).toMatch(
      /reports\/orders\.yaml +restore/,
    );
  });
});

describe('portal content init', () => {
  it('writes content that can be applied, from a CSV with decimal commas and German dates', async () => {
    const work = createTemporaryFolder('portal-content-');
    const csv =
      'Region;Datum;Betrag;Kunde\nWest;31.12.2024;1.234,50;M\xfcller\nOst;01.02.2024;-3,25;Gro\xdf\n';
    writeFiles(work, { 'Umsätze 2024.csv': Buffer.from(csv, 'latin1') });
    const content = path.join(work, 'content');
    const written = await portal('init', path.join(work, 'Umsätze 2024.csv'), '--folder', content);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    const dataset = fs.readFileSync(path.join(content, 'datasets/umsatze-2024.yaml'), 'utf8');
    for (const line of [
      'name: Umsätze 2024\n',
      '$schema=../../node_modules/@portal-embed/report-model/schemas/dataset.schema.json\n',
      'delimiter: ;',
      'encoding: windows-1252',
      'decimal: ","',
      'date: "%d.%m.%Y"',
      'time: Datum',
      'sum(Betrag)',
    ])
      expect(dataset).toContain(line);
    expect((await portal('check', content)).stdout).toBe('The content has no mistakes.\n');
    expect((await portal('apply', '-o', 'globex', content)).code).toBe(0);
    const again = await portal('init', path.join(work, 'Umsätze 2024.csv'), '--folder', content);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')]);
    fs.rmSync(work, { recursive: true });
  });

  it('sums amounts, averages rates, and leaves out numbers that identify something', async () => {
    const work = createTemporaryFolder('portal-content-');
    writeFiles(work, {
      'sales-orders.csv':
        'Rechnungsnummer,Rabatt,Betrag,Preis je kg,Total price,E-Mail\n100,0.1,12.5,2.5,5,wanda@acme.example\n101,0.2,9.5,3.5,7,otto@acme.example\n',
    });
    const content = path.join(work, 'content');
    await portal('init', path.join(work, 'sales-orders.csv'), '--folder', content);
    const read = (name: string) => fs.readFileSync(path.join(content, name), 'utf8');
    const dataset = read('datasets/sales-orders.yaml');
    expect(dataset).toContain('name: Sales orders\n');
    expect([...dataset.matchAll(/expression: (.*)/g)].map(([, text]) => text)).toEqual([
      'count()',
      'sum(Betrag)',
      'sum("Total price")',
      'avg(Rabatt)',
      'avg("Preis je kg")',
    ]);
    expect(dataset).toContain('#       field: E-Mail\n#       equals:\n#         viewer: email\n');
    expect(read('reports/sales-orders.yaml')).toMatch(/type: bar\n +x: E-Mail\n +y: Betrag\n/);
    fs.rmSync(work, { recursive: true });
  });

  it('writes a dataset without a report for a table from which roles look up values', async () => {
    const work = createTemporaryFolder('portal-content-');
    writeFiles(work, { 'managers.csv': 'Email,Region\nwanda@acme.example,West\n' });
    const content = path.join(work, 'content');
    const written = await portal('init', path.join(work, 'managers.csv'), '--folder', content);
    expect(written.stdout).not.toContain('reports/');
    expect(fs.existsSync(path.join(content, 'reports'))).toBe(false);
    const dataset = fs.readFileSync(path.join(content, 'datasets/managers.yaml'), 'utf8');
    expect(dataset).toContain('rowAccess: by-role\n');
    expect((await portal('check', content)).stdout).toBe('The content has no mistakes.\n');
    fs.rmSync(work, { recursive: true });
  });
});

it('deleting an organization deletes its data files', async () => {
  expect(fs.existsSync(dataOf('orders.csv'))).toBe(true);
  const remove = ['organizations', 'delete', 'globex', '--confirm', 'globex'];
  expect(await runInProcess(database, remove)).toMatchObject({ code: 0 });
  expect(fs.existsSync(dataOf(''))).toBe(false);
});
