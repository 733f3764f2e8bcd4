import fs from 'node:fs';
import path from 'node:path';

import { sql } from 'kysely';
import { buildFirst } from 'test-support/build';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { formatFileKey, syncAfterCrash } from '../../src/db/embedded/crash-sync.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startPortalProcess } from '../support/processes.ts';

buildFirst();

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.remove());

const insertOrganization = (slug: string) => sql`
  INSERT INTO organizations (id, slug, name, accent_color)
  VALUES (gen_random_uuid(), ${slug}, ${slug}, '#000000')`;

/** Returns a database as a crash leaves it: copied while it is open. */
async function copyWhileOpen(): Promise<TestDatabase> {
  const copy = await createTestDatabase({ isEmpty: true });
  onTestFinished(copy.remove);
  const { close } = await openDatabase(database);
  fs.cpSync(database.dataDir, copy.dataDir, { recursive: true });
  await close();
  return copy;
}

describe('the embedded database', () => {
  it('syncs its write-ahead log to the disk before it acknowledges a commit', async () => {
    const { db, close } = await openDatabase(database);
    const synced: string[] = [];
    const realSync = fs.fsyncSync;
    const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      realSync(descriptor);
      synced.push(fs.readlinkSync(`/proc/self/fd/${descriptor}`));
    });
    onTestFinished(() => spy.mockRestore());
    for (let commit = 1; commit <= 20; commit++) {
      await insertOrganization(`commit-${commit}`).execute(db);
      const ofLog = synced.filter((file) => file.includes(`${path.sep}pg_wal${path.sep}`));
      expect(ofLog.length, `after ${commit} commits`).toBeGreaterThanOrEqual(commit);
    }
    await close();
  });

  it('closes its folder to other users of the machine, even if it was open to them', async () => {
    const folder = path.join(database.dataDir, 'database');
    fs.mkdirSync(folder, { recursive: true });
    fs.chmodSync(folder, 0o755);
    const { close } = await openDatabase(database);
    expect((fs.statSync(folder).mode & 0o777).toString(8)).toBe('700');
    await close();
  });

  it('syncs its files before it opens after a crash, and only then', async () => {
    const crashed = await copyWhileOpen();
    const folder = path.join(crashed.dataDir, 'database');
    const synced = await syncAfterCrash(folder);
    const control = fs.statSync(path.join(folder, 'global/pg_control'), { bigint: true });
    expect(synced.get(formatFileKey(control))).toBe(control.ctimeNs);
    const { close } = await openDatabase(crashed);
    await close();
    expect(await syncAfterCrash(folder)).toEqual(new Map());
  });

  it('does not sync files twice when it opens after a crash', async () => {
    const crashed = await copyWhileOpen();
    const realSync = fs.fsyncSync;
    const synced: string[] = [];
    const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      synced.push(path.basename(fs.readlinkSync(`/proc/self/fd/${descriptor}`)));
      realSync(descriptor);
    });
    onTestFinished(() => spy.mockRestore());
    const { close } = await openDatabase(crashed);
    expect(synced).toContain('pg_control');
    expect(synced).not.toContain('PG_VERSION');
    await close();
  });

  it('closes a new data folder to other users of the machine', async () => {
    const { mode } = fs.statSync(inject('embeddedTemplate'));
    expect((mode & 0o777).toString(8)).toBe('700');
  });

  it('can be opened once it is repaired', async () => {
    const control = path.join(database.dataDir, 'database/global/pg_control');
    const bytes = fs.readFileSync(control);
    fs.writeFileSync(control, '');
    await expect(openDatabase(database)).rejects.not.toMatchObject({ name: 'LockedError' });
    fs.writeFileSync(control, bytes);
    const { close } = await openDatabase(database);
    await close();
  });

  it('keeps its single connection, however long it is idle', async () => {
    const { db, usage, close } = await openDatabase(database);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await sql`SELECT 1`.execute(db);
    vi.advanceTimersByTime(3_600_000);
    expect(usage()).toEqual({ max: 1, total: 1, idle: 1, waiting: 0 });
    vi.useRealTimers();
    await close();
  });

  it('a checkpoint is made every five seconds, if the log has grown by 64 MiB', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { db, close } = await openDatabase(database);
    const findCheckpoint = async () => {
      const { rows } = await sql<{ at: string }>`
        SELECT redo_lsn::text AS at FROM pg_control_checkpoint()`.execute(db);
      return rows[0]!.at;
    };
    const log = (megabytes: number) =>
      sql`SELECT pg_logical_emit_message(false, '', repeat('x', ${megabytes * 2 ** 20}::int))`.execute(
        db,
      );
    const before = await findCheckpoint();
    await log(60);
    vi.advanceTimersByTime(5_000);
    expect(await findCheckpoint()).toBe(before);
    await log(8);
    vi.advanceTimersByTime(4_999);
    expect(await findCheckpoint()).toBe(before);
    vi.advanceTimersByTime(1);
    await expect.poll(findCheckpoint).not.toBe(before);
    await close();
  });

  it('a database that is closed leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { close } = await openDatabase(database);
    expect(vi.getTimerCount()).toBe(2);
    await close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a damaged database does not open, and the error has the folder and the cause', async () => {
    const folder = path.join(database.dataDir, 'database');
    fs.writeFileSync(path.join(folder, 'global/pg_control'), Buffer.alloc(8_192));
    await expect(openDatabase(database)).rejects.toMatchObject({
      message: expect.stringMatching(
        new RegExp(
          `^The embedded database in ${folder} does not open \\(.+\\)\\. Free disk space if the disk is full, then start again\\. Committed data is kept\\.$`,
        ),
      ),
      cause: expect.any(Error),
    });
  });

  it('a failed checkpoint is repeated', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
      process.off('unhandledRejection', onUnhandled);
    });
    const { db, close } = await openDatabase(database);
    const findCheckpoint = async () => {
      const { rows } = await sql<{ at: string }>`
        SELECT redo_lsn::text AS at FROM pg_control_checkpoint()`.execute(db);
      return rows[0]!.at;
    };
    await sql`SELECT pg_logical_emit_message(false, '', repeat('x', 70 * 1024 * 1024))`.execute(db);
    const before = await findCheckpoint();
    await sql`CREATE ROLE nobody`.execute(db);
    await sql`SET ROLE nobody`.execute(db);
    vi.advanceTimersByTime(5_000);
    // The connection runs one query after the other: the check, this one, the checkpoint, this one.
    for (let query = 0; query < 2; query++) expect(await findCheckpoint()).toBe(before);
    await sql`RESET ROLE`.execute(db);
    expect(await findCheckpoint()).toBe(before);
    vi.advanceTimersByTime(5_000);
    await expect.poll(findCheckpoint).not.toBe(before);
    expect(unhandled).toEqual([]);
    await close();
  });

  it('opens again after its holder was killed, and then syncs every file that PostgreSQL asks for', async () => {
    const first = await startPortalProcess(database);
    await first.kill();
    const { db, close } = await openDatabase(database);
    // A look at the time of a file's last change is how syncs are skipped.
    const spy = vi.spyOn(fs, 'fstatSync');
    onTestFinished(() => spy.mockRestore());
    const { numAffectedRows } = await insertOrganization('after').execute(db);
    expect(numAffectedRows).toBe(1n);
    await sql`CHECKPOINT`.execute(db);
    expect(spy.mock.calls.filter(([, options]) => options?.bigint)).toEqual([]);
    spy.mockRestore();
    await close();
  });
});
