import fs from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { sql } from 'kysely';
import { createTemporaryFolder } from 'test-support';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

import { run } from '../../src/cli/run.ts';
import { applyContent } from '../../src/content/service.ts';
import { listNamedByOrganization } from '../../src/content/store.ts';
import { openDatabase, type Database } from '../../src/db/connection/open.ts';
import { copyFiles } from '../../src/files/copy.ts';
import { datasetFolderOf, openCache, openFiles } from '../../src/files/open.ts';
import { runInProcess } from '../support/command-line.ts';
import { ordersDataset, writeFiles } from '../support/content-files.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { ordersCsv } from '../support/orders.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';

let database: TestDatabase;
let db: Database;
let acme: TestOrganization;
/** The data of an existing portal, whose files are in the folder. */
beforeEach(async () => {
  database = await createTestDatabase();
  const opened = await openDatabase(database);
  ({ db } = opened);
  onTestFinished(async () => {
    await opened.close();
    await database.remove();
  });
  acme = await createTestOrganization(
    { db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' },
    'acme',
  );
  await sql`UPDATE file_storage SET initial = 'folder'`.execute(db);
  writeFiles(path.join(database.dataDir, 'datasets', acme.id), { 'parts/1.csv': 'One\n1\n' });
});

/** Another machine with an empty data directory. */
function createMachine() {
  const dataDir = createTemporaryFolder('portal-machine-');
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true }));
  return { ...database, dataDir, filesCacheMb: 64 };
}

/** Every file of the organization in a folder; descriptions in any order of their keys. */
function readTree(dataDir: string): Record<string, unknown> {
  const root = path.join(dataDir, 'datasets', acme.id);
  const files = fs.readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .toSorted()
      .map((file) => [
        path.relative(root, file),
        file.endsWith('.json')
          ? JSON.parse(fs.readFileSync(file, 'utf8'))
          : fs.readFileSync(file, 'base64'),
      ]),
  );
}

const copy = (to: string, env: Record<string, string> = {}, where = database) =>
  runInProcess(where, ['files', 'copy', '--to', to, '--json'], env);

const orders = { 'datasets/orders.yaml': ordersDataset };

it('files are copied to the database and back to a folder, each continued after an interruption', async () => {
  const before = readTree(database.dataDir);
  const settings = { ...database, filesCacheMb: 64 };
  const options = {
    db,
    root: datasetFolderOf(settings),
    cache: openCache(settings),
    organizations: await listNamedByOrganization(db),
    isInUse: false,
  };
  const interrupt = (to: 'database' | 'folder', root: string) => {
    const stopping = new AbortController();
    const onProgress = () => stopping.abort(new Error('interrupted'));
    return copyFiles(to, { ...options, root, onProgress, signal: stopping.signal });
  };
  await expect(interrupt('database', options.root)).rejects.toThrow('interrupted');
  const continued = await copy('database');
  expect([continued.code, continued.json()]).toEqual([
    0,
    { to: 'database', copied: 2, present: 1, problems: [] },
  ]);
  expect((await copy('database')).json()).toMatchObject({ copied: 0, present: 3 });
  expect(readTree(database.dataDir)).toEqual(before);

  const machine = createMachine();
  await expect(interrupt('folder', datasetFolderOf(machine))).rejects.toThrow('interrupted');
  const back = await copy('folder', { PORTAL_FILES: 'database' }, machine);
  expect(back.json()).toMatchObject({ copied: 2, present: 1, problems: [] });
  expect(readTree(machine.dataDir)).toEqual(before);
  expect((await copy('folder', { PORTAL_FILES: 'database' }, machine)).json()).toMatchObject({
    copied: 0,
    present: 3,
  });
});

it('an instance on another machine applies and reads what was copied', async () => {
  await copy('database');
  const machine = createMachine();
  const files = await openFiles(db, { ...machine, files: 'database' });
  const scope = { datasetFolder: datasetFolderOf(machine), files };
  const csv = 'datasets/parts.yaml';
  const { changes } = await applyContent(acme.ctx, scope, {
    files: {
      [csv]: 'name: Parts\nsource: { files: parts/*.csv }\nrowAccess: everyone\nmetrics: []\n',
    },
  });
  expect(changes).toMatchObject([{ change: 'create' }]);
  for (const { named } of await listNamedByOrganization(db))
    for (const name of named) (await files.of(acme.id).ensure(name)).release();
});

it('until the copy is complete, an instance reads the folder where the database has no file', async () => {
  const files = await openFiles(db, { ...database, files: 'database', filesCacheMb: 64 });
  const [{ named } = { named: new Set<string>() }] = await listNamedByOrganization(db);
  const names = [...named];
  expect(names).toHaveLength(1);
  const local = await files.of(acme.id).ensure(names[0]!);
  expect(local.path).toContain('.versions');
  expect(await files.of(acme.id).findProblems([...names, '.versions/none.parquet'])).toEqual([
    { file: '.versions/none.parquet', state: 'missing' },
  ]);
});

it('an instance that still uses the folder reads what another one has stored in the database', async () => {
  const [one, other] = [createMachine(), createMachine()];
  const content = createTemporaryFolder('portal-content-');
  onTestFinished(() => fs.rmSync(content, { recursive: true }));
  writeFiles(content, { 'orders.csv': `${ordersCsv}North,,Desks,2024-01-01,1\n` });
  const scope = {
    datasetFolder: datasetFolderOf(one),
    files: await openFiles(db, { ...one, files: 'database' }),
    dataFolder: content,
  };
  await applyContent(acme.ctx, scope, { files: orders });
  const { of } = await openFiles(db, { ...other, files: 'folder' });
  const [{ named } = { named: new Set<string>() }] = await listNamedByOrganization(db);
  const problems = await of(acme.id).findProblems([...named]);
  // The file of the set-up is on the first machine alone.
  expect(problems).toMatchObject([{ state: 'missing' }]);
  const missing = problems.map(({ file }) => file);
  const stored = [...named].find((name) => !missing.includes(name))!;
  expect(fs.readFileSync((await of(acme.id).ensure(stored)).path).includes('North')).toBe(true);
  await expect(of(acme.id).ensure(missing[0]!)).rejects.toThrow('ENOENT');
});

it('what was applied to the folder after a copy is copied by the next one', async () => {
  await copy('database');
  writeFiles(path.join(database.dataDir, 'datasets', acme.id), {
    'orders.csv': `${ordersCsv}North,,Desks,2024-01-01,1\n`,
    'parts/1.csv': 'One\n2\n',
  });
  await applyContent(acme.ctx, { datasetFolder: datasetFolderOf(database) }, { files: orders });
  expect((await copy('database')).json()).toMatchObject({ copied: 3, problems: [] });
  const machine = createMachine();
  const { originals } = (await openFiles(db, { ...machine, files: 'database' })).of(acme.id);
  const read = async () => fs.readFileSync((await originals.find('parts/1.csv'))!.path, 'utf8');
  expect(await read()).toBe('One\n2\n');
  // Once the database is in use, it has the newer files.
  writeFiles(path.join(database.dataDir, 'datasets', acme.id), { 'parts/1.csv': 'old' });
  await copy('database', { PORTAL_FILES: 'database' });
  expect(await read()).toBe('One\n2\n');
  await sql`UPDATE author_files SET named_at = now() + interval '1 minute'`.execute(db);
  await copy('database');
  expect(await read()).toBe('One\n2\n');
});

it('links to files of the folder are copied, and a file that cannot be stored does not stop the others', async () => {
  const folder = path.join(database.dataDir, 'datasets', acme.id);
  fs.symlinkSync(path.join(folder, 'orders.csv'), path.join(folder, 'linked.csv'));
  fs.symlinkSync('/etc/hosts', path.join(folder, 'outside.csv'));
  fs.symlinkSync(folder, path.join(folder, 'circle'));
  fs.writeFileSync(path.join(folder, 'large.csv'), Buffer.alloc(65 * 2 ** 20));
  const { code, stdout } = await copy('database', { PORTAL_FILES_CACHE: '64' });
  const { copied, problems } = JSON.parse(stdout) as {
    copied: number;
    problems: { file: string; message: string }[];
  };
  expect([code, copied]).toEqual([1, 4]);
  expect(problems.map(({ file, message }) => `${file}: ${message}`).toSorted()).toEqual([
    expect.stringMatching(/^large\.csv: .*it takes 65 MB, and this portal stores .* at most 64 MB/),
    expect.stringMatching(/^outside\.csv: .*is a link to a file outside the data folder/),
  ]);
});

it('the command says what to set, shows progress on a terminal, and names what it could not copy', async () => {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true })];
  const outputs = Promise.all([text(stdout), text(stderr)]);
  const env = { PORTAL_DATABASE_URL: database.databaseUrl, PORTAL_DATA_DIR: database.dataDir };
  const args = ['files', 'copy', '--to', 'database'];
  expect(await run(args, { env, stdout, stderr, cwd: '/' })).toBe(0);
  stdout.end();
  stderr.end();
  const [out, progress] = await outputs;
  expect(out).toBe(
    '3 files copied, 0 there already.\nSet PORTAL_FILES=database for every instance and every command, and restart the instances one after the other.\n',
  );
  expect(progress).toContain('1 file copied, 0 there already');

  await sql`UPDATE file_storage SET initial = 'database'`.execute(db);
  const again = await runInProcess(database, args);
  expect(again.stdout).toContain('use them, unless their PORTAL_FILES');
  expect(again.stdout).not.toContain('Set PORTAL_FILES');

  await sql`UPDATE file_contents SET is_removed = true`.execute(db);
  await sql`UPDATE files SET content_id = NULL`.execute(db);
  const machine = createMachine();
  const failed = await runInProcess(machine, args);
  expect([failed.code, failed.stderr]).toEqual([1, '']);
  expect(failed.stdout).toMatch(
    /^[\da-f-]{36}\/\.versions\/[\da-f]{40}\.parquet: is not in the folder of this instance\n/,
  );
  expect(failed.stdout).toContain('1 file not copied.');
});
