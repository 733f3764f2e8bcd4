import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'kysely';
import { createTemporaryFolder } from 'test-support';
import { buildFirst } from 'test-support/build';
import { chooseRepetitions } from 'test-support/repetitions';
import { createRandom, readSeed } from 'test-support/seed';
import { expect, it, onTestFinished, vi } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { openFiles } from '../../src/files/open.ts';
import { createGlobex, runInProcess } from '../support/command-line.ts';
import { ordersDataset, ordersReport, writeFiles } from '../support/content-files.ts';
import type { TestDatabase } from '../support/database.ts';
import { ordersCsv } from '../support/orders.ts';
import { buildProgram } from '../support/processes.ts';

buildFirst();

const rounds = chooseRepetitions(2, 50);

// Each round starts a process.
vi.setConfig({ testTimeout: 60_000 * (rounds + 1) });

/** Content of which every part says which of the two it is. */
const createContent = (mark: string): Record<string, string> => ({
  'datasets/orders.yaml': `${ordersDataset.replace('[West]', `[${mark}]`)}# ${mark}\n`,
  'data/orders.csv': `${ordersCsv}${mark},x@y.example,Desks,2024-03-02,5\n`,
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      `reports/orders-${index}.yaml`,
      `${ordersReport}# ${mark}\n`,
    ]),
  ),
});

const isContent = (name: string) => name.endsWith('.yaml');

/** Applies a folder in a process of its own, which is killed after a while. */
async function applyAndKill(database: TestDatabase, folder: string, afterMs: number) {
  const child = spawn(
    process.execPath,
    [await buildProgram(), 'content', 'apply', '-o', 'globex', folder],
    {
      env: {
        PATH: process.env['PATH'],
        PORTAL_DATA_DIR: database.dataDir,
        PORTAL_DATABASE_URL: database.databaseUrl ?? '',
      },
      stdio: 'ignore',
    },
  );
  const exited = once(child, 'exit');
  const stop = new AbortController();
  await Promise.race([exited, delay(afterMs, undefined, { signal: stop.signal }).catch(() => {})]);
  stop.abort();
  child.kill('SIGKILL');
  await exited;
  return child.exitCode;
}

it('an apply that is killed leaves the old content or the new, with the data', async () => {
  const random = createRandom(readSeed());
  const { database, globex } = await createGlobex();
  const folder = createTemporaryFolder('portal-content-');
  onTestFinished(async () => {
    fs.rmSync(folder, { recursive: true });
    await database.remove();
  });
  const contents = ['North', 'South'].map(createContent);
  let current = 0;
  const started = performance.now();
  writeFiles(folder, contents[0]!);
  expect(await applyAndKill(database, folder, 60_000)).toBe(0);
  const duration = performance.now() - started;
  for (let round = 1; round <= rounds; round += 1) {
    const next = contents[1 - current]!;
    writeFiles(folder, next);
    await applyAndKill(database, folder, duration * (0.3 + random()));
    const pulled = path.join(folder, `pulled-${round}`);
    expect(await runInProcess(database, ['content', 'pull', '-o', 'globex', pulled])).toMatchObject(
      { code: 0 },
    );
    const texts = new Set(
      Object.keys(next)
        .filter(isContent)
        .map((name) => {
          const text = fs.readFileSync(path.join(pulled, name), 'utf8');
          return contents.findIndex((content) => content[name] === text);
        }),
    );
    expect([...texts]).toHaveLength(1);
    current = [...texts][0]!;
    const mark = current === 0 ? 'North' : 'South';
    const { db, close } = await openDatabase(database);
    const { rows } = await sql<{ files: string[]; predicate: string }>`
      SELECT files, predicate::text FROM datasets JOIN rls_roles ON dataset_id = datasets.id
      WHERE slug = 'orders' AND rls_roles.name = 'West'`.execute(db);
    expect(rows[0]!.predicate).toContain(mark);
    const files = (await openFiles(db, { ...database, filesCacheMb: 64 })).of(globex.id);
    const copy = fs.readFileSync((await files.originals.find('orders.csv'))!.path, 'utf8');
    expect(contents.map((content) => content['data/orders.csv'])).toContain(copy);
    for (const file of rows[0]!.files) {
      const stored = await files.ensure(file);
      expect(fs.readFileSync(stored.path).includes(mark)).toBe(true);
    }
    await close();
  }
  writeFiles(folder, contents[1 - current]!);
  expect(await applyAndKill(database, folder, 60_000)).toBe(0);
});
