import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { takeLock } from '../src/db/embedded/lock.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-lock-'));
const file = path.join(folder, 'lock.duckdb');
const module = new URL('../src/db/embedded/lock.ts', import.meta.url).href;
const children = new Set<ChildProcess>();

afterEach(async () => {
  for (const child of children) {
    if (child.kill('SIGKILL')) await once(child, 'exit');
    children.delete(child);
  }
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** A process that tries to take the lock, says `held` or why not, and keeps what it has. */
async function contend(): Promise<{ child: ChildProcess; said: string }> {
  const script = `
    const { takeLock } = await import(${JSON.stringify(module)});
    await takeLock(${JSON.stringify(file)}).then(
      () => { console.log('held'); setInterval(() => {}, 1000); },
      (error) => console.log(error.name + ': ' + error.message),
    );`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  children.add(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: String(said).trim() };
}

describe('the lock of the embedded database', () => {
  it('keeps a second process out, names the holder, and ends with it however it ends', async () => {
    const holder = await contend();
    expect(holder.said).toBe('held');
    const second = await contend();
    expect(second.said).toContain(
      `LockedError: The embedded database is in use by process ${holder.child.pid}`,
    );
    expect(second.said).toContain('PORTAL_DATA_DIR');
    holder.child.kill('SIGKILL');
    await once(holder.child, 'exit');
    const third = await contend();
    expect(third.said).toBe('held');
    third.child.kill('SIGKILL');
    await once(third.child, 'exit');
  });

  it('goes to one of four that start together, five times over', async () => {
    for (let round = 0; round < 5; round++) {
      const contenders = await Promise.all(Array.from({ length: 4 }, contend));
      const winners = contenders.filter(({ said }) => said === 'held');
      expect(winners).toHaveLength(1);
      for (const { child } of winners) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
  });

  it('is taken once by one process too, however its path is written, until it is released', async () => {
    const release = await takeLock(file);
    await expect(takeLock(`${folder}/./lock.duckdb`)).rejects.toMatchObject({
      name: 'LockedError',
      message: expect.stringContaining(`process ${process.pid}, this one`),
    });
    release();
    (await takeLock(file))();
  });

  it('a lock that cannot be taken can be tried again', async () => {
    const missing = path.join(folder, 'missing', 'lock.duckdb');
    await expect(takeLock(missing)).rejects.not.toMatchObject({ name: 'LockedError' });
    fs.mkdirSync(path.dirname(missing));
    (await takeLock(missing))();
  });
});
