import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { sql } from 'kysely';
import { createTemporaryFolder } from 'test-support';
import { chooseRepetitions } from 'test-support/repetitions';
import { createRandom, readSeed } from 'test-support/seed';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { BackupError } from '../../src/backup/backup-error.ts';
import { openFile } from '../../src/backup/backup-file.ts';
import { maxPartBytes } from '../../src/backup/format.ts';
import { readBackup } from '../../src/backup/read.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { version } from '../../src/version.ts';
import { createEmptyDatabase, fillTables } from '../support/backup.ts';
import { runForError, runForResult, runInProcess } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { readTar, sealBackup, writeTar, type TarEntries } from '../support/tar.ts';

// On a busy machine, an embedded database opens slowly.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let database: TestDatabase;
let folder: string;
/** An undamaged backup. */
let good: string;
let entries: TarEntries;
beforeAll(async () => {
  folder = createTemporaryFolder('portal-damaged-');
  database = await createTestDatabase();
  const { db, close } = await openDatabase(database);
  await fillTables(db, database.dataDir);
  await close();
  good = path.join(folder, 'good.tar');
  await runForResult(database, ['backup', good]);
  entries = await readTar(good);
});
afterAll(async () => {
  await database.remove();
  fs.rmSync(folder, { recursive: true });
});

function writeBytes(bytes: Buffer): string {
  const file = path.join(folder, 'damaged.tar');
  fs.writeFileSync(file, bytes);
  return file;
}

/** Checks a file and returns the message. */
async function check(file: string): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(database, ['backup', '--check', file]);
  expect([code, stdout]).toEqual([1, '']);
  return stderr;
}

const edit = (change: (all: TarEntries) => TarEntries) => async () => {
  const file = path.join(folder, 'edited.tar');
  await writeTar(file, change(entries));
  return file;
};

const isEnd = ([name]: TarEntries[number]) => name === 'end.json';
const isPart = ([name]: TarEntries[number]) => name.startsWith('tables/');
const replace = (all: TarEntries, index: number, change: (content: Buffer) => Buffer) =>
  all.with(index, [all[index]![0], change(all[index]![1])]);

/** Many gzip members decompress to one text. */
const manyZeros = Buffer.concat(Array(65).fill(gzipSync(Buffer.alloc(maxPartBytes / 64))));

const damages: [string, () => string | Promise<string>, string][] = [
  ['is empty', () => writeBytes(Buffer.alloc(0)), 'incomplete: it is empty.'],
  ['is a text', () => writeBytes(Buffer.from('hello'.repeat(1_000))), 'is not a backup'],
  ['is a short text', () => writeBytes(Buffer.from('hello')), 'is not a backup'],
  ['is cut off within the first name', () => writeBytes(Buffer.from('manif')), 'incomplete'],
  ['is another tar', edit(() => [['hello.txt', Buffer.from('hello')]]), 'is not a backup'],
  [
    'is cut off within an entry',
    () => writeBytes(fs.readFileSync(good).subarray(0, 5_000)),
    'incomplete',
  ],
  ['has no end.json', edit((all) => all.filter((entry) => !isEnd(entry))), 'it has no end.json'],
  ['lacks the last byte', () => writeBytes(fs.readFileSync(good).subarray(0, -1)), 'incomplete: '],
  [
    'goes on after its end',
    edit((all) => [...all, ['more.txt', Buffer.from('more')]]),
    'more.txt follows after end.json',
  ],
  [
    'lacks a table',
    edit((all) => all.toSpliced(all.findIndex(isPart), 1)),
    'is not as it was written',
  ],
  ['lacks its last file', edit((all) => all.toSpliced(-2, 1)), 'is missing'],
  [
    'has a part in the wrong place',
    edit((all) => [
      ...all.toSpliced(all.findIndex(isPart), 1).slice(0, -1),
      all.find(isPart)!,
      all.at(-1)!,
    ]),
    'is in the wrong place',
  ],
  [
    'has rows of another size',
    edit((all) => replace(all, all.findIndex(isPart), () => Buffer.from('text'))),
    'cannot be decompressed',
  ],
  [
    'has a small part that would fill the memory',
    edit((all) => sealBackup(replace(all, all.findIndex(isPart), () => manyZeros))),
    'cannot be decompressed',
  ],
  [
    'has a changed data file',
    edit((all) =>
      replace(all, all.length - 2, (content) => Buffer.concat([content, Buffer.from('x')])),
    ),
    'is not as it was written',
  ],
  [
    'has a broken manifest',
    edit((all) => replace(all, 0, (content) => content.subarray(0, 100))),
    'manifest.json is not valid JSON',
  ],
  [
    'has a manifest without tables',
    edit((all) => replace(all, 0, () => Buffer.from('{"format":1}'))),
    'manifest.json does not have its fields',
  ],
  [
    'has a data file outside of its folder',
    edit((all) => sealBackup(all.toSpliced(-1, 0, ['files/../../evil', Buffer.from('evil')]))),
    'does not belong in it',
  ],
];

describe('a backup that', () => {
  it.each(damages)('%s is refused', async (_, damage, message) => {
    const text = await check(await damage());
    expect(text).toContain(message);
    expect(text).toMatch(/(use another backup|Choose a file that `portal backup` wrote)\.$/m);
  });

  it('a newer release wrote is refused with the release to install', async () => {
    const change = (fields: object) =>
      edit((all) =>
        sealBackup(
          replace(all, 0, (content) =>
            Buffer.from(
              JSON.stringify({ ...(JSON.parse(content.toString()) as object), ...fields }),
            ),
          ),
        ),
      )();
    expect(await check(await change({ release: '99.0.0' }))).toContain(
      `is of release 99.0.0, and this portal is ${version}. Install the release of the backup or a later one.`,
    );
    expect(await check(await change({ migrations: ['9999_future.sql'] }))).toContain(
      '9999_future.sql',
    );
    expect(await check(await change({ format: 2 }))).toContain('has the format 2');
  });

  it('was moved without changes is complete', async () => {
    const file = await edit(sealBackup)();
    const { code, stdout } = await runInProcess(database, ['backup', '--check', file]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/is complete: \d+ rows and \d+ data/),
    ]);
  });
});

/** Everything that a restore would use. */
async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  await readBackup(await openFile(file), {
    manifest: (manifest) => void hash.update(JSON.stringify(manifest)),
    rows: (table, text) => void hash.update(JSON.stringify(table)).update(text),
    file: async (name, content) => {
      hash.update(name);
      for await (const chunk of content) hash.update(chunk);
    },
  });
  return hash.digest('hex');
}

const places = chooseRepetitions(20, 50);

it('a backup that is cut off anywhere is refused', async () => {
  const random = createRandom(readSeed());
  const bytes = fs.readFileSync(good);
  for (let place = 0; place < places; place++) {
    const file = writeBytes(bytes.subarray(0, Math.floor(random() * bytes.byteLength)));
    await expect(readBackup(await openFile(file))).rejects.toBeInstanceOf(BackupError);
  }
});

it('a byte that changes anywhere is found, or changes nothing that a restore uses', async () => {
  const random = createRandom(readSeed());
  const bytes = fs.readFileSync(good);
  const expected = await digest(good);
  let found = 0;
  for (let place = 0; place < places; place++) {
    const changed = Buffer.from(bytes);
    const at = Math.floor(random() * bytes.byteLength);
    changed[at] = changed[at]! ^ (1 << Math.floor(random() * 8));
    const outcome = await digest(writeBytes(changed)).catch((error: unknown) =>
      error instanceof BackupError ? 'refused' : error,
    );
    expect(['refused', expected], `byte ${at}`).toContain(outcome);
    if (outcome === 'refused') found += 1;
  }
  expect(found).toBeGreaterThan(places / 4);
});

it('a restore of a damaged backup changes nothing', async () => {
  const target = await createEmptyDatabase();
  const bytes = fs.readFileSync(good);
  for (const damaged of [bytes.subarray(0, -2_000), bytes.subarray(0, bytes.byteLength / 2)])
    expect(await runForError(target, ['restore', writeBytes(damaged)])).toEqual([
      1,
      'invalid_backup',
    ]);
  expect(fs.readdirSync(target.dataDir)).toEqual([]);
  const { stderr } = await runInProcess(target, ['organizations', 'list']);
  expect(stderr).toMatch(/no portal (tables|database)/);
});

it('a restore of rows that the database does not take changes nothing', async () => {
  const target = await createEmptyDatabase();
  const endFirst = (rows: Buffer) => gzipSync(gunzipSync(rows).toString().replace(/.*/, '\\.'));
  const file = await edit((all) =>
    sealBackup(
      replace(
        all,
        all.findIndex(([name]) => name.startsWith('tables/users/')),
        endFirst,
      ),
    ),
  )();
  const { code, stderr } = await runInProcess(target, ['restore', file]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/damaged: the table users takes 0 of \d+ rows/),
  ]);
  expect(await runForResult(target, ['restore', good])).toMatchObject({ file: good });
});

it.each([
  ['without the rows that they reference', (rows: string) => rows.replace(/^../, 'ff')],
  ['with values that their columns do not take', (rows: string) => rows.replace(/^../, 'zz')],
])('a restore of rows %s changes nothing', async (_, change) => {
  const target = await createEmptyDatabase();
  const file = await edit((all) =>
    sealBackup(
      replace(
        all,
        all.findIndex(([name]) => name.startsWith('tables/organizations/')),
        (rows) => gzipSync(change(gunzipSync(rows).toString())),
      ),
    ),
  )();
  const { code, stderr } = await runInProcess(target, ['restore', file]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^portal: The backup is damaged: the database refuses rows of the table \w+ \(.+\)\. Copy it again, or use another backup\.$/m,
    ),
  ]);
  expect(await runForResult(target, ['restore', good])).toMatchObject({ file: good });
});

describe('a restore is refused', () => {
  it('into a database that has tables, which stays as it is', async () => {
    expect(await runForError(database, ['restore', good])).toEqual([3, 'not_empty']);
    const { stderr } = await runInProcess(database, ['restore', good]);
    expect(stderr).toMatch(
      /Nothing was changed\. (Create an empty database|Move this folder away)/,
    );
    const migrated = await createTestDatabase();
    expect(await runForError(migrated, ['restore', good])).toEqual([3, 'not_empty']);
    const { db, close } = await openDatabase(migrated);
    const { rows } = await sql`SELECT FROM organizations`.execute(db);
    expect(rows).toEqual([]);
    await close();
    await migrated.remove();
  });

  it('if a data file exists with other contents, and accepts one with the same', async () => {
    const target = await createEmptyDatabase();
    const [name, content] = entries.findLast(([each]) => each.startsWith('files/'))!;
    const file = path.join(target.dataDir, 'datasets', name.slice('files/'.length));
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, 'other');
    expect(await runForError(target, ['restore', good])).toEqual([3, 'not_empty']);
    expect(fs.readFileSync(file, 'utf8')).toBe('other');
    fs.writeFileSync(file, content);
    await runForResult(target, ['restore', good]);
  });

  it('from a pipe, which it could not read twice, and from a folder', async () => {
    const pipe = path.join(createTemporaryFolder('portal-pipe-'), 'pipe');
    onTestFinished(() => fs.rmSync(path.dirname(pipe), { recursive: true }));
    execFileSync('mkfifo', [pipe]);
    for (const file of [path.dirname(pipe), pipe]) {
      const { code, stderr } = await runInProcess(database, ['restore', file]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('is not a regular file')]);
    }
  });

  it('without the file, or with its folder', async () => {
    const { code, stderr } = await runInProcess(database, ['restore', 'missing.tar']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not exist')]);
    expect(await check(folder)).toBe(
      `portal: ${folder} is a folder. Give the name of the file in it that \`portal backup\` wrote.\n`,
    );
    expect((await runInProcess(database, ['restore', '-'])).code).toBe(2);
  });
});
