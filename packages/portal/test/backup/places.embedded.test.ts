import fs from 'node:fs';
import path from 'node:path';

import { expect, it, onTestFinished, vi } from 'vitest';

import { createFilledDatabase, createFolder } from '../support/backup.ts';
import { runForResult, runInProcess } from '../support/command-line.ts';
import { findCanMount, mountDisk } from '../support/disks.ts';

// On a busy machine, an embedded database opens slowly.
vi.setConfig({ testTimeout: 120_000 });

async function writeBackup(): Promise<string> {
  const file = path.join(createFolder(), 'portal.tar');
  await runForResult(await createFilledDatabase(), ['backup', file]);
  return file;
}

/** Restores a backup to a data directory, and returns the exit code and the message. */
async function restore(backup: string, dataDir: string): Promise<[number | null, string]> {
  const place = { dataDir, databaseUrl: undefined };
  const { code, stderr } = await runInProcess(place, ['restore', backup]);
  return [code, stderr];
}

it('a restore to a place that is a file, or below one, says so', async () => {
  const backup = await writeBackup();
  const file = path.join(createFolder(), 'file');
  fs.writeFileSync(file, 'mine');
  for (const place of [file, path.join(file, 'below')])
    expect(await restore(backup, place)).toEqual([
      1,
      expect.stringContaining(`A data directory cannot be created at ${place}`),
    ]);
  expect(fs.readFileSync(file, 'utf8')).toBe('mine');
});

it.skipIf(!findCanMount())(
  'a restore to a disk without enough space says so, and keeps nothing (skipped without the right to mount)',
  async () => {
    const backup = await writeBackup();
    const { folder, remove } = mountDisk('20m');
    onTestFinished(remove);
    const dataDir = path.join(folder, 'data');
    expect(await restore(backup, dataDir)).toEqual([
      1,
      expect.stringMatching(/cannot be created in .+\. Free disk space/),
    ]);
    expect(fs.readdirSync(dataDir, { recursive: true })).toEqual(['lock.duckdb']);
  },
);
