import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

import { sql } from 'kysely';
import { createLogCollector, createTemporaryFolder } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import { archiveItems } from '../../src/content/archive-items.ts';
import { deleteItems, describeDeletion } from '../../src/content/delete-items.ts';
import { applyContent } from '../../src/content/service.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/connection/open.ts';
import { FileCache } from '../../src/files/cache.ts';
import { databaseStorage } from '../../src/files/database.ts';
import type { PortalFiles } from '../../src/files/files.ts';
import { chooseStorage } from '../../src/files/open.ts';
import { pruneFiles, sweepChunks } from '../../src/files/store.ts';
import { createLogger } from '../../src/logger.ts';
import { deleteOrganization } from '../../src/organizations/service.ts';
import { ordersDataset, writeFiles } from '../support/content-files.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { ordersCsv } from '../support/orders.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { buildProgram } from '../support/processes.ts';

buildFirst();

// Some start a process.
vi.setConfig({ testTimeout: 120_000 });

const mebibyte = 2 ** 20;

let database: TestDatabase;
let opened: OpenDatabase;
let acme: TestOrganization;
beforeAll(async () => {
  database = await createTestDatabase();
  opened = await openDatabase(database);
  acme = await createTestOrganization(
    { db: opened.db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' },
    'acme',
  );
});
afterAll(async () => {
  await opened.close();
  await database.remove();
});

/** An instance with a data directory of its own. */
function createInstance({ maxBytes = 16 * mebibyte, waitMs = 10_000 } = {}) {
  const folder = createTemporaryFolder('portal-instance-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const clock = { ahead: 0 };
  const { log, destination } = createLogCollector();
  const logger = createLogger('debug', destination);
  const cache = new FileCache({
    folder: path.join(folder, 'files'),
    maxBytes,
    waitMs,
    onFailed: (err, sha256) => logger.error({ err, sha256 }, 'data file not fetched'),
    onReturned: (sha256) => logger.info({ sha256 }, 'data file fetched again'),
    now: () => Date.now() + clock.ahead,
  });
  const root = path.join(folder, 'datasets');
  const files = databaseStorage(opened.db, cache, root);
  return { folder, root, cache, files, clock, log, of: files.of(acme.id) };
}

const described = { columns: [], hints: [], questions: [] };

/** Stores a version with these bytes. */
async function put(files: PortalFiles, name: string, content: Buffer | string) {
  const of = files.of(acme.id);
  const temporary = await of.createTemporary();
  fs.writeFileSync(temporary, content);
  return of.put(name, temporary, described);
}

async function read(files: PortalFiles, name: string): Promise<Buffer> {
  const file = await files.of(acme.id).ensure(name);
  const content = fs.readFileSync(file.path);
  file.release();
  return content;
}

const countChunks = async () => {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM file_chunks`.execute(
    opened.db,
  );
  return rows[0]!.count;
};

/** Every byte value, and more than two chunks. */
const bytes = Buffer.from(
  Array.from({ length: 2 * mebibyte + 100 }, (_, index) => (index * 7 + (index >> 8)) % 256),
);

let number = 0;
const newName = () => `.versions/test-${(number += 1)}.parquet`;

it('an instance reads what another one has stored, byte for byte', async () => {
  const [one, other] = [createInstance(), createInstance()];
  const name = newName();
  await put(one.files, name, bytes);
  expect((await read(other.files, name)).equals(bytes)).toBe(true);
  expect(await other.of.find(name)).toEqual(described);
  const [mine, theirs] = [await one.of.ensure(name), await other.of.ensure(name)];
  expect(mine.version).toBe(theirs.version);
  const { rows } = await sql<{ storage: string }>`
    SELECT attstorage AS storage FROM pg_attribute
    WHERE attrelid = 'file_chunks'::regclass AND attname = 'bytes'`.execute(opened.db);
  expect(rows).toEqual([{ storage: 'e' }]);
});

it('of two instances that store one name at once, the first wins, and the other takes its bytes', async () => {
  const [one, other] = [createInstance(), createInstance()];
  const name = newName();
  const before = await countChunks();
  await Promise.all([put(one.files, name, 'one'), put(other.files, name, 'other')]);
  const texts = await Promise.all([read(one.files, name), read(other.files, name)]);
  expect(texts[0]).toEqual(texts[1]);
  await sweepChunks(opened.db, 100);
  expect(await countChunks()).toBe(before + 1);
});

it('two instances that apply one CSV file at once store one version, and both read it', async () => {
  const instances = [createInstance(), createInstance()];
  const dataFolder = createTemporaryFolder('portal-content-');
  onTestFinished(() => fs.rmSync(dataFolder, { recursive: true }));
  writeFiles(dataFolder, { 'orders.csv': ordersCsv });
  const files = { 'datasets/twice.yaml': ordersDataset };
  await Promise.all(
    instances.map((instance) =>
      applyContent(
        acme.ctx,
        { datasetFolder: instance.root, files: instance.files, dataFolder },
        { files },
      ),
    ),
  );
  const { source } = await opened.db
    .selectFrom('datasets')
    .where('slug', '=', 'twice')
    .select('source')
    .executeTakeFirstOrThrow();
  const [name = ''] = (source as { files: string[] }).files;
  const [one, other] = await Promise.all(instances.map(({ of }) => of.ensure(name)));
  expect(fs.readFileSync(one!.path).equals(fs.readFileSync(other!.path))).toBe(true);
  // The author's copy is in the database, so a third instance applies without the content folder.
  const third = createInstance();
  const again = await applyContent(
    acme.ctx,
    { datasetFolder: third.root, files: third.files },
    { files },
  );
  expect(again.changes).toMatchObject([{ change: 'unchanged' }]);
});

it('deleting an archived dataset removes its files from the database, but not those of others', async () => {
  const instance = createInstance();
  const scope = { datasetFolder: instance.root, files: instance.files };
  const dataFolder = createTemporaryFolder('portal-content-');
  onTestFinished(() => fs.rmSync(dataFolder, { recursive: true }));
  const csv = `${ordersCsv}South,s@acme.example,Lamps,2024-06-06,7\n`;
  writeFiles(dataFolder, { 'gone.csv': csv, 'copy.csv': csv, 'kept.csv': `${csv}\n` });
  const datasetOf = (file: string) => ordersDataset.replace('orders.csv', file);
  const { changes } = await applyContent(
    acme.ctx,
    { ...scope, dataFolder },
    {
      files: {
        'datasets/gone.yaml': datasetOf('gone.csv'),
        'datasets/copy.yaml': datasetOf('copy.csv'),
        'datasets/kept.yaml': datasetOf('kept.csv'),
      },
    },
  );
  const itemOf = (slug: string) => {
    const { id } = changes.find((change) => change.slug === slug)!;
    return { kind: 'dataset' as const, id };
  };
  const sha256 = createHash('sha256').update(csv).digest('hex');
  const size = Buffer.byteLength(csv);
  const names = ['gone.csv', 'copy.csv', 'kept.csv', 'missing.csv'];
  writeFiles(path.join(instance.root, acme.id), { 'in-folder.csv': csv });
  const same = await instance.of.findSame([...names, 'in-folder.csv'], { sha256, size });
  expect([...same].toSorted()).toEqual(['copy.csv', 'gone.csv', 'in-folder.csv']);
  const remove = async (slug: string) => {
    const items = [itemOf(slug)];
    await archiveItems(acme.ctx, {}, { items });
    const deletion = await describeDeletion(acme.ctx, scope, { items });
    await sql`UPDATE files SET last_used_at = now() - interval '2 hours'`.execute(opened.db);
    expect((await deleteItems(acme.ctx, scope, { items })).failed).toEqual([]);
    return { bytes: deletion.bytes, files: deletion.files };
  };
  const list = async (name: string) => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*) AS count FROM files WHERE name = ${name}`.execute(opened.db);
    return rows[0]!.count;
  };
  // The bytes and the version of both files are the same, so nothing is free yet.
  expect(await remove('gone')).toEqual({ bytes: 0, files: ['gone.csv'] });
  expect(await list(`.originals/${sha256}`)).toBe(1);
  expect((await remove('copy')).bytes).toBeGreaterThan(size);
  expect(await list(`.originals/${sha256}`)).toBe(0);
  expect(await instance.of.originals.find('copy.csv')).toBeUndefined();
  expect(await instance.of.originals.find('kept.csv')).toBeDefined();
});

it('a pattern finds the files of authors in the database and in the folder', async () => {
  const { of, root } = createInstance();
  const content = createTemporaryFolder('portal-content-');
  onTestFinished(() => fs.rmSync(content, { recursive: true }));
  writeFiles(content, { 'a.csv': 'stored' });
  const copies = await of.stageCopies(
    new Map([
      ['parts/1.csv', path.join(content, 'a.csv')],
      ['parts/deep/2.csv', path.join(content, 'a.csv')],
    ]),
  );
  expect(await of.originals.list('parts/*.csv')).toEqual([]);
  await opened.db.transaction().execute((transaction) => copies.install(transaction));
  writeFiles(path.join(root, acme.id), { 'parts/1.csv': 'old', 'parts/3.csv': 'in the folder' });
  expect(await of.originals.list('parts/*.csv')).toEqual(['parts/1.csv', 'parts/3.csv']);
  const texts = await Promise.all(
    ['parts/1.csv', 'parts/3.csv'].map(async (name) =>
      fs.readFileSync((await of.originals.find(name))!.path, 'utf8'),
    ),
  );
  expect(texts).toEqual(['stored', 'in the folder']);
  expect(await of.originals.find('parts/4.csv')).toBeUndefined();
});

it('a damaged chunk is found, reported, and fetched again once it is repaired', async () => {
  const [one, other] = [createInstance(), createInstance()];
  const name = newName();
  await put(one.files, name, bytes);
  const flip = () =>
    sql`UPDATE file_chunks SET bytes = set_byte(bytes, 5, 255 - get_byte(bytes, 5))
      WHERE part = 1 AND content_id = (
        SELECT content_id FROM files WHERE name = ${name} AND organization_id = ${acme.id}
      )`.execute(opened.db);
  await flip();
  await expect(read(other.files, name)).rejects.toMatchObject({
    reason: 'not_fetched',
    message: expect.stringContaining('damaged'),
  });
  expect(fs.readdirSync(path.join(other.folder, 'files'))).toEqual([]);
  expect(await other.of.findProblems([name])).toEqual([{ file: name, state: 'not_fetched' }]);
  expect(other.log.map((line) => JSON.parse(line).msg)).toEqual(['data file not fetched']);
  await flip();
  other.clock.ahead += 10_000;
  expect(await other.of.findProblems([name])).toEqual([]);
  expect((await read(other.files, name)).equals(bytes)).toBe(true);
  expect(JSON.parse(other.log.at(-1)!).msg).toBe('data file fetched again');
});

it('a damaged file is stored again by the next apply of its data', async () => {
  const [one, other] = [createInstance(), createInstance()];
  const name = newName();
  await put(one.files, name, bytes);
  await sql`DELETE FROM file_chunks WHERE part = 1 AND content_id = (
    SELECT content_id FROM files WHERE name = ${name} AND organization_id = ${acme.id}
  )`.execute(opened.db);
  await expect(read(other.files, name)).rejects.toThrow('Its chunk 1 is missing.');
  expect([await other.of.find(name), other.files.countFailed()]).toEqual([undefined, 1]);
  await put(other.files, name, bytes);
  expect(other.files.countFailed()).toBe(0);
  expect((await read(createInstance().files, name)).equals(bytes)).toBe(true);
});

it('a file that is not fetched, one that is missing and one that may not be read are three states', async () => {
  const [one, other] = [createInstance(), createInstance({ waitMs: 0 })];
  const [fetched, missing] = [newName(), newName()];
  await put(one.files, fetched, bytes);
  await expect(other.of.ensure(fetched)).rejects.toMatchObject({ reason: 'not_fetched' });
  await expect(other.of.ensure(missing)).rejects.toMatchObject({ reason: 'failed' });
  const unreadable = newName();
  writeFiles(path.join(other.root, acme.id), { [unreadable]: '' });
  const access = vi.spyOn(fs.promises, 'access').mockImplementation(async (file) => {
    if (String(file).endsWith(unreadable))
      throw Object.assign(new Error('denied'), { code: 'EACCES' });
    throw Object.assign(new Error('gone'), { code: 'ENOENT' });
  });
  onTestFinished(() => access.mockRestore());
  expect(await other.of.findProblems([fetched, missing, unreadable])).toEqual([
    { file: missing, state: 'missing' },
    { file: unreadable, state: 'not_permitted', code: 'EACCES' },
  ]);
});

it('a file larger than the cache is refused when it is stored', async () => {
  const { files, of } = createInstance({ maxBytes: mebibyte });
  const before = await countChunks();
  const refusal = 'it takes 3 MB, and this portal stores files of at most 1 MB';
  await expect(put(files, newName(), bytes)).rejects.toThrow(refusal);
  const dataFolder = createTemporaryFolder('portal-content-');
  onTestFinished(() => fs.rmSync(dataFolder, { recursive: true }));
  writeFiles(dataFolder, { 'large.csv': bytes });
  const copies = of.stageCopies(new Map([['large.csv', path.join(dataFolder, 'large.csv')]]));
  await expect(copies).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(`large.csv: ${refusal}`),
  });
  expect(await countChunks()).toBe(before);
});

it('pruning keeps what is named, used within the hour, or belongs to an author’s name', async () => {
  const { files, of } = createInstance();
  const [named, used, old] = [newName(), newName(), newName()];
  for (const name of [named, used, old]) await put(files, name, name);
  await sql`UPDATE files SET last_used_at = now() - interval '61 minutes'`.execute(opened.db);
  await of.use([used]);
  const reader = await of.ensure(old);
  await of.prune(new Set([named]));
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM files WHERE name = ANY(${[named, used, old]}::text[])`.execute(opened.db);
  expect(rows.map(({ name }) => name).toSorted()).toEqual([named, used].toSorted());
  // A reader that has it still reads it, also after other files needed its place.
  await files.tidy();
  expect(fs.readFileSync(reader.path, 'utf8')).toBe(old);
  const originals = await sql<{ file: string }>`
    SELECT file FROM author_files JOIN files USING (organization_id)
    WHERE files.name = author_files.file`.execute(opened.db);
  expect(originals.rows.length).toBeGreaterThan(0);
});

it('an instance that is killed while it stores a file leaves chunks that are swept after an hour', async () => {
  await sweepChunks(opened.db, 1_000);
  const before = await countChunks();
  const folder = createTemporaryFolder('portal-content-');
  const dataDir = createTemporaryFolder('portal-killed-');
  onTestFinished(() => {
    for (const each of [folder, dataDir]) fs.rmSync(each, { recursive: true });
  });
  const rows = Array.from({ length: 150_000 }, (_, index) => `West,${index},${index * 7919}\n`);
  writeFiles(folder, {
    'datasets/large.yaml': ordersDataset
      .replace('orders.csv', 'large.csv')
      .replace('time: Ordered\n', ''),
    'data/large.csv': `Region,Owner,Sales\n${rows.join('')}`,
  });
  const child = spawn(
    process.execPath,
    [await buildProgram(), 'content', 'apply', '-o', 'acme', folder],
    {
      env: {
        PATH: process.env['PATH'],
        PORTAL_DATA_DIR: dataDir,
        PORTAL_DATABASE_URL: database.databaseUrl,
        PORTAL_FILES: 'database',
      },
      stdio: 'ignore',
    },
  );
  const exited = once(child, 'exit');
  await expect.poll(countChunks, { timeout: 90_000, interval: 2 }).toBeGreaterThan(before);
  child.kill('SIGKILL');
  await exited;
  expect(child.signalCode).toBe('SIGKILL');
  const { rows: datasets } = await sql`SELECT FROM datasets WHERE slug = 'large'`.execute(
    opened.db,
  );
  expect(datasets).toEqual([]);
  await sweepChunks(opened.db, 1_000);
  expect(await countChunks()).toBeGreaterThan(before);
  await sql`UPDATE file_contents SET written_at = now() - interval '61 minutes'`.execute(opened.db);
  await sql`UPDATE files SET last_used_at = now() - interval '61 minutes' WHERE NOT EXISTS (
    SELECT FROM datasets WHERE source -> 'files' ? files.name)`.execute(opened.db);
  await pruneFiles(opened.db, acme.id, await listNamed());
  while ((await sweepChunks(opened.db, 2)) === 2);
  expect(await countChunks()).toBeLessThanOrEqual(before);
});

async function listNamed(): Promise<string[]> {
  const { rows } = await sql<{ file: string }>`
    SELECT jsonb_array_elements_text(source -> 'files') AS file FROM datasets
    WHERE organization_id = ${acme.id}`.execute(opened.db);
  return rows.map(({ file }) => file);
}

it('an upload that waits for an hour leaves the database and the disks', async () => {
  const { files, of, root } = createInstance();
  const [old, fresh] = ['0'.repeat(8), '1'.repeat(8)];
  for (const id of [old, fresh]) {
    const file = path.join(root, acme.id, '.uploads', id, 'a.csv');
    writeFiles(path.dirname(file), { 'a.csv': id });
    await of.uploads!.keep(id, 'a.csv', file);
  }
  const other = createInstance();
  const folder = path.join(other.root, 'fetched');
  expect(await other.of.uploads!.find(fresh, folder)).toBe('a.csv');
  expect(fs.readFileSync(path.join(folder, 'a.csv'), 'utf8')).toBe(fresh);
  const longAgo = new Date(Date.now() - 3_700_000);
  fs.utimesSync(path.join(root, acme.id, '.uploads', old), longAgo, longAgo);
  await sql`UPDATE files SET last_used_at = now() - interval '61 minutes'
    WHERE name = ${`.uploads/${old}/a.csv`}`.execute(opened.db);
  expect(await other.of.uploads!.find(old, folder)).toBeUndefined();
  expect(await of.uploads!.list()).toEqual([fresh]);
  await files.tidy();
  expect(fs.readdirSync(path.join(root, acme.id, '.uploads'))).toEqual([fresh]);
});

it('deleting an organization deletes its files, and their chunks in batches', async () => {
  const { files, folder, clock } = createInstance();
  const globex = await createTestOrganization(
    { db: opened.db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' },
    'globex',
  );
  await sql`UPDATE file_contents SET written_at = now() - interval '61 minutes'`.execute(opened.db);
  while ((await sweepChunks(opened.db, 10)) === 10);
  const before = await countChunks();
  const of = files.of(globex.id);
  const temporary = await of.createTemporary();
  fs.writeFileSync(temporary, bytes);
  await of.put('.versions/globex.parquet', temporary, described);
  expect(await countChunks()).toBe(before + 3);
  expect(fs.readdirSync(path.join(folder, 'files'))).toHaveLength(1);
  await deleteOrganization(globex.ctx);
  await sql`UPDATE file_contents SET written_at = now() - interval '61 minutes'`.execute(opened.db);
  expect([await sweepChunks(opened.db, 2), await sweepChunks(opened.db, 2)]).toEqual([2, 1]);
  expect(await countChunks()).toBe(before);
  clock.ahead += 61_000;
  await files.tidy();
  expect(fs.readdirSync(path.join(folder, 'files'))).toEqual([]);
});

it('a database that had organizations before starts with the folder, a new one with itself', async () => {
  const { databaseUrl } = database;
  expect(await chooseStorage(opened.db, { databaseUrl })).toBe('database');
  await sql`UPDATE file_storage SET initial = 'folder'`.execute(opened.db);
  onTestFinished(async () => {
    await sql`UPDATE file_storage SET initial = 'database'`.execute(opened.db);
  });
  expect(await chooseStorage(opened.db, { databaseUrl })).toBe('folder');
  expect(await chooseStorage(opened.db, { databaseUrl, files: 'database' })).toBe('database');
  expect(await chooseStorage(opened.db, { databaseUrl: undefined })).toBe('folder');
});
