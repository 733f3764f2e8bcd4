import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { sql } from 'kysely';
import { buildFirst } from 'test-support/build';
import { chooseRepetitions } from 'test-support/repetitions';
import { createRandom, readSeed } from 'test-support/seed';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import {
  createEmptyDatabase,
  createFilledDatabase,
  createFolder,
  hashTables,
} from '../support/backup.ts';
import { runForError, runForResult, runInProcess } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createDatabaseBefore } from '../support/older-database.ts';
import { buildProgram } from '../support/processes.ts';
import { readTar, sealBackup, writeTar } from '../support/tar.ts';
import { runOnTerminal } from '../support/terminal.ts';

buildFirst();

// On a busy machine, an embedded database opens slowly.
vi.setConfig({ testTimeout: 120_000 });

const newFile = () => path.join(createFolder(), 'portal.tar');

/** Starts a command of the built portal, with the arguments of a program that starts it. */
async function startProgram(
  { dataDir, databaseUrl }: TestDatabase,
  args: string[],
  wrapper: string[] = [],
) {
  const [command = '', ...others] = [...wrapper, process.execPath, await buildProgram(), ...args];
  return spawn(command, others, {
    env: {
      PATH: process.env['PATH'],
      PORTAL_DATA_DIR: dataDir,
      PORTAL_DATABASE_URL: databaseUrl ?? '',
    },
  });
}

async function query(database: TestDatabase, statement: string): Promise<object[]> {
  const { db, close } = await openDatabase(database);
  try {
    return (await sql.raw<object>(statement).execute(db)).rows;
  } finally {
    await close();
  }
}

describe('portal backup', () => {
  it('writes to standard output with -, and reports on standard error', async () => {
    const database = await createFilledDatabase();
    const child = await startProgram(database, ['backup', '-']);
    const [stdout, stderr] = await Promise.all([
      buffer(child.stdout),
      buffer(child.stderr),
      once(child, 'close'),
    ]);
    expect(stderr.toString()).toMatch(/^Wrote the backup: \d+ rows and \d+ data files/);
    const file = newFile();
    fs.writeFileSync(file, stdout);
    await runForResult(database, ['backup', '--check', file]);
  });

  it('shows its progress on a terminal, and does not write a tar to one', async () => {
    const database = await createFilledDatabase();
    const file = newFile();
    const { code, output } = await runOnTerminal(database, `backup ${file}`, '');
    expect(code).toBe(0);
    const shown = output.split('\r\u001B[K');
    expect(shown[1]).toMatch(/^\d+ rows and 0 data files, 1 MB: \w+$/);
    expect(shown.at(-1)).toMatch(/^Wrote .*portal\.tar/);
    const refused = await runOnTerminal(database, 'backup -', '');
    expect([refused.code, refused.output]).toEqual([
      2,
      expect.stringContaining('Standard output is a terminal.'),
    ]);
  });

  it('does not overwrite a file', async () => {
    const database = await createTestDatabase();
    onTestFinished(database.remove);
    const file = newFile();
    fs.writeFileSync(file, 'mine');
    expect(await runForError(database, ['backup', file])).toEqual([1, 'not_possible']);
    expect(fs.readFileSync(file, 'utf8')).toBe('mine');
  });

  it('names a folder that does not exist', async () => {
    const database = await createTestDatabase();
    onTestFinished(database.remove);
    const file = path.join(createFolder(), 'missing/portal.tar');
    const { code, stderr } = await runInProcess(database, ['backup', file]);
    expect([code, stderr]).toEqual([
      1,
      `portal: The folder of ${file} does not exist. Create it first, or choose another place.\n`,
    ]);
  });

  it.skipIf(!fs.existsSync('/dev/full'))('says so if the disk is full', async () => {
    const database = await createFilledDatabase();
    const toFullDisk = ['sh', '-c', 'exec "$@" > /dev/full', 'sh'];
    const child = await startProgram(database, ['backup', '-'], toFullDisk);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([code, stderr]).toEqual([
      1,
      'portal: A disk that this command writes to is full (ENOSPC). Free some space, then run the command again.\n',
    ]);
  });

  it('names data files that do not exist here, and contains the others', async () => {
    const database = await createFilledDatabase();
    const root = path.join(database.dataDir, 'datasets');
    const [organization = ''] = fs.readdirSync(root);
    fs.rmSync(path.join(root, organization, '.versions'), { recursive: true });
    const { stderr, code } = await runInProcess(database, ['backup', newFile()]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^portal: warning: Left out 1 data file that datasets name, .*: \S+\/\.versions\/\w+\.parquet\.$/m,
      ),
    ]);
    const { files, missingFiles } = await runForResult(database, ['backup', newFile()]);
    expect(missingFiles).toEqual([expect.stringContaining(organization)]);
    // A version with its description, and the authors' files of two organizations.
    expect(files).toBe(4);
    expect(fs.readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const database = await createFilledDatabase();
    // Larger than what pipes and streams hold.
    const root = path.join(database.dataDir, 'datasets');
    const [organization = ''] = fs.readdirSync(root);
    fs.writeFileSync(path.join(root, organization, 'large.csv'), Buffer.alloc(64 * 2 ** 20));
    const child = await startProgram(database, ['backup', '-']);
    await once(child.stdout, 'readable');
    expect(fs.readdirSync(root).filter((name) => name.startsWith('.'))).toHaveLength(1);
    child.kill('SIGINT');
    child.stdout.resume();
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(fs.readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('fails if the program that reads it ends early', async () => {
    const database = await createFilledDatabase();
    const child = await startProgram(database, ['backup', '-']);
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('has ended before the backup')]);
  });

  it('refuses an older schema, and one of a newer release', async () => {
    const older = await createDatabaseBefore('0030', 'SELECT 1');
    onTestFinished(older.remove);
    expect(await runForError(older, ['backup', newFile()])).toEqual([1, 'schema_outdated']);
    const newer = await createTestDatabase();
    onTestFinished(newer.remove);
    await query(newer, `INSERT INTO schema_migrations (name) VALUES ('9999_future.sql')`);
    expect(await runForError(newer, ['backup', newFile()])).toEqual([1, 'portal_outdated']);
  });
});

describe('portal restore', () => {
  it('says what works again, and ends all sessions', async () => {
    const database = await createFilledDatabase();
    const file = newFile();
    await runForResult(database, ['backup', file]);
    const restored = await createEmptyDatabase();
    const { stdout } = await runInProcess(restored, ['restore', file]);
    for (const line of [
      '  4 API keys',
      '  1 password of an administrator or operator',
      '  1 operator',
      '  2 identity providers',
      '  2 rights to use connections',
      'All sessions and unused links have ended.',
    ])
      expect(stdout).toContain(line);
    for (const table of ['sign_in_attempts', 'admin_invitations'])
      expect(await query(restored, `SELECT FROM ${table}`)).toEqual([]);
    // The next entry gets the next number.
    await runForResult(restored, ['organizations', 'set-unapplied-filters', 'acme', 'refuse']);
  });

  it('revokes all API keys with --revoke-keys, which the activity log has', async () => {
    const database = await createFilledDatabase();
    const file = newFile();
    await runForResult(database, ['backup', file]);
    const restored = await createEmptyDatabase();
    const result = await runForResult(restored, ['restore', file, '--revoke-keys']);
    expect(result).toMatchObject({ revokedKeys: 4, revived: { apiKeys: 0 } });
    const keys = await runForResult(restored, ['api-keys', 'list', '-o', 'acme']);
    expect(keys.map((key: { revokedAt: string | null }) => key.revokedAt)).not.toContain(null);
    const log = await runForResult(restored, ['activity', 'list', '-o', 'acme']);
    expect(log.slice(0, 3)).toMatchObject(
      Array.from({ length: 3 }, () => ({ action: 'revokeApiKey', actor: { name: 'olivia' } })),
    );
  });

  it('that is killed has changed everything or nothing', async () => {
    const database = await createFilledDatabase();
    const file = newFile();
    await runForResult(database, ['backup', file]);
    const before = await hashTables(database);
    const random = createRandom(readSeed());
    let wholeMs = 0;
    for (let round = 0; round <= chooseRepetitions(2, 20); round++) {
      const target = await createTestDatabase({ isEmpty: true });
      const startedAt = performance.now();
      const child = await startProgram(target, ['restore', file]);
      const ended = once(child, 'close');
      // The first one is not killed.
      await (round === 0 ? ended : Promise.race([ended, delay(wholeMs * random())]));
      wholeMs ||= performance.now() - startedAt;
      child.kill('SIGKILL');
      await ended;
      const again = await runInProcess(target, ['restore', file]);
      expect(round === 0 ? [3] : [0, 3]).toContain(again.code);
      expect(await hashTables(target)).toEqual(before);
      await target.remove();
    }
  });

  it('migrates a backup of an older release', async () => {
    const database = await createFilledDatabase();
    const file = newFile();
    await runForResult(database, ['backup', file]);
    const entries = await readTar(file);
    const manifest = JSON.parse(entries[0]![1].toString()) as {
      migrations: string[];
      tables: { name: string; columns: string[] }[];
    };
    // As release 0.2 could write it: a dataset without a content file, which 0028 archives.
    const columns = ['organization_id', 'id', 'name', 'file'];
    const organization = '11111111-1111-4111-8111-111111111111';
    const rows = {
      organizations: `${organization}\tacme\tAcme\t#0f6e56\n`,
      datasets: `${organization}\t22222222-2222-4222-8222-222222222222\tOld\told.csv\n`,
    };
    const older = {
      ...manifest,
      migrations: manifest.migrations.filter((name) => name < '0028'),
      tables: [
        { name: 'organizations', columns: ['id', 'slug', 'name', 'accent_color'] },
        { name: 'datasets', columns },
      ],
    };
    const old = newFile();
    await writeTar(
      old,
      sealBackup([
        ['manifest.json', Buffer.from(JSON.stringify(older))],
        ...Object.entries(rows).map(([name, lines]): [string, Buffer] => [
          `tables/${name}/00001.copy.gz`,
          gzipSync(lines),
        ]),
        ['end.json', Buffer.from('{"entries":[]}')],
      ]).map(([name, content]) => [
        name,
        name === 'end.json'
          ? Buffer.from(content.toString().replaceAll('"rows":0', '"rows":1'))
          : content,
      ]),
    );
    const restored = await createEmptyDatabase();
    await runForResult(restored, ['restore', old]);
    expect(
      await query(restored, 'SELECT name, archived_at IS NOT NULL AS archived FROM datasets'),
    ).toEqual([{ name: 'Old', archived: true }]);
    expect(await query(restored, 'SELECT action FROM activity_entries')).toEqual([
      { action: 'archiveContent' },
    ]);
    await runForResult(restored, ['organizations', 'list']);
  });
});

it('portal copy refuses the database of the portal itself, and one with tables', async () => {
  const database = await createFilledDatabase();
  const own = database.databaseUrl ?? database.dataDir;
  expect(await runForError(database, ['copy', '--to', own])).toEqual([2, 'invalid_request']);
  const other = await createTestDatabase();
  onTestFinished(other.remove);
  const place = other.databaseUrl ?? other.dataDir;
  expect(await runForError(database, ['copy', '--to', place])).toEqual([3, 'not_empty']);
});

it.each([
  ['mysql://portal:hunter2@db/portal', '--to must begin with postgres://'],
  ['mysql:/portal:hunter2@db/portal', '--to must begin with postgres://'],
  ['postgres:/portal:hunter2@db/portal', '--to must be an address'],
  ['', '--to is empty'],
])('portal copy takes no mistyped address for a folder (%j)', async (to, message) => {
  const database = await createTestDatabase();
  onTestFinished(database.remove);
  const { code, stderr } = await runInProcess(database, ['copy', '--to', to]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stderr).not.toContain('hunter2');
});
