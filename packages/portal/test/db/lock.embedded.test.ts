import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { chooseRepetitions } from 'test-support/repetitions';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { takeLock } from '../../src/db/embedded/lock.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-lock-'));
const file = path.join(folder, 'lock.duckdb');
const module = new URL('../../src/db/embedded/lock.ts', import.meta.url).href;
const rounds = chooseRepetitions(2, 20);
const children = new Set<ChildProcess>();

afterEach(async () => {
  for (const child of children) {
    if (child.kill('SIGKILL')) await once(child, 'exit');
    children.delete(child);
  }
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Starts a process that takes the lock, prints `held` or the error, and keeps the lock. */
async function contend(): Promise<{ child: ChildProcess; output: string }> {
  const script = `
    const { takeLock } = await import(${JSON.stringify(module)});
    await takeLock(${JSON.stringify(file)}).then(
      () => { console.log('held'); setInterval(() => {}, 1000); },
      (error) => console.log(error.name + ': ' + error.message),
    );`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  children.add(child);
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, output: String(output).trim() };
}

describe('the lock of the embedded database', () => {
  it('excludes a second process, names the holder, and is free once the holder is killed', async () => {
    const holder = await contend();
    expect(holder.output).toBe('held');
    const second = await contend();
    expect(second.output).toContain(
      `LockedError: The embedded database is in use by process ${holder.child.pid}`,
    );
    expect(second.output).toContain('PORTAL_DATA_DIR');
    holder.child.kill('SIGKILL');
    await once(holder.child, 'exit');
    const third = await contend();
    expect(third.output).toBe('held');
    third.child.kill('SIGKILL');
    await once(third.child, 'exit');
  });

  it(`goes to one of four processes that start together, in each of ${rounds} rounds`, async () => {
    for (let round = 0; round < rounds; round++) {
      const contenders = await Promise.all(Array.from({ length: 4 }, contend));
      const winners = contenders.filter(({ output }) => output === 'held');
      expect(winners).toHaveLength(1);
      for (const { child } of winners) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
  });

  it('is exclusive within a process too, for any spelling of its path, until it is released', async () => {
    const release = await takeLock(file);
    await expect(takeLock(`${folder}/./lock.duckdb`)).rejects.toMatchObject({
      name: 'LockedError',
      message: expect.stringContaining(`process ${process.pid}, this one`),
    });
    release();
    (await takeLock(file))();
  });

  it('can be taken after a failed attempt', async () => {
    const missing = path.join(folder, 'missing', 'lock.duckdb');
    await expect(takeLock(missing)).rejects.not.toMatchObject({ name: 'LockedError' });
    fs.mkdirSync(path.dirname(missing));
    (await takeLock(missing))();
  });

  it.each([
    ['Conflicting lock is held in node (PID 1203)', 'process 1203'],
    ['Conflicting lock is held in node (PID 0)', 'a process of another container'],
    ['Conflicting lock is held', 'a process of another container'],
  ])('the holder of a lock, as in "%s", is %s', async (reason, holder) => {
    const message = `IO Error: Could not set lock on file "${file}": ${reason}`;
    const create = vi.spyOn(DuckDBInstance, 'create').mockRejectedValueOnce(new Error(message));
    onTestFinished(() => create.mockRestore());
    await expect(takeLock(file)).rejects.toThrow(
      `The embedded database is in use by ${holder} (${file}). Stop that process, give this one a PORTAL_DATA_DIR of its own, or set PORTAL_DATABASE_URL to a PostgreSQL that several processes can share.`,
    );
  });
});
