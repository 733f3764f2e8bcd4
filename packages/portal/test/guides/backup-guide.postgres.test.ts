import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { findPostgres } from 'test-support';
import { buildFirst } from 'test-support/build';
import { expect, it, vi } from 'vitest';

import {
  createEmptyDatabase,
  createFilledDatabase,
  createFolder,
  hashTables,
  readDataFiles,
} from '../support/backup.ts';
import type { TestDatabase } from '../support/database.ts';
import { buildProgram } from '../support/processes.ts';

buildFirst();

// On a busy machine, an embedded database opens slowly.
vi.setConfig({ testTimeout: 120_000 });

const guide = fs.readFileSync(new URL('../../../docs/guides/backup.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```\w+\n(.*?)\n```$/gms)].map((match) => match[1]!);

it('the commands of the guide to backups work on PostgreSQL', async () => {
  const [backup = '', restore = '', copy = '', dump = '', restoreDump = '', ...others] = blocks;
  expect(others).toEqual([]);
  const database = await createFilledDatabase();
  const hashes = await hashTables(database);
  const files = readDataFiles(database);
  const cwd = createFolder();
  const program = await buildProgram();
  const run = (block: string, place: Pick<TestDatabase, 'dataDir' | 'databaseUrl'>) => {
    // The guide has the default data directory.
    const portal = path.join(cwd, '.portal');
    fs.rmSync(portal, { force: true });
    fs.symlinkSync(place.dataDir, portal);
    const script = `set -euo pipefail\nportal() { "${process.execPath}" "${program}" "$@"; }\n${block}`;
    const env = {
      PATH: `${findPostgres()}:${process.env['PATH']}`,
      PORTAL_DATABASE_URL: place.databaseUrl ?? '',
    };
    return promisify(execFile)('bash', ['--norc', '-c', script], { cwd, env });
  };

  expect((await run(backup, database)).stdout).toContain(' is complete: ');
  const restored = await createEmptyDatabase();
  expect((await run(restore, restored)).stdout).toContain('Restored ');
  expect(await hashTables(restored)).toEqual(hashes);
  expect(readDataFiles(restored)).toEqual(files);

  const { databaseUrl = '' } = await createEmptyDatabase();
  const target = createFolder();
  await run(
    copy
      .replace('postgres://portal_owner@db.example/portal', databaseUrl)
      .replace('/srv/portal', target),
    database,
  );
  expect(await hashTables({ ...database, databaseUrl })).toEqual(hashes);
  expect(await hashTables({ dataDir: target, databaseUrl: undefined })).toEqual(hashes);

  await run(dump, database);
  const dumped = await createEmptyDatabase();
  await run(restoreDump, dumped);
  expect(await hashTables(dumped)).toEqual(hashes);
  expect(readDataFiles(dumped)).toEqual(files);
});
