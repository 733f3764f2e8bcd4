import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    testDatabase: { kind: 'embedded'; template: string } | { kind: 'postgres'; url: string };
  }
}

/** An empty database of its own, of the kind that this run of the tests is for. */
export interface TestDatabase {
  kind: 'embedded' | 'postgres';
  dataDir: string;
  databaseUrl: string | undefined;
  remove: () => Promise<void>;
}

/**
 * @param options.inMemory keeps an embedded database's files in memory where there is room, for a
 *   test that opens it many times: a killed process leaves the same files behind, and the recovery,
 *   which syncs each of them, takes no seconds
 */
export async function createTestDatabase(
  options: { inMemory?: boolean } = {},
): Promise<TestDatabase> {
  const source = inject('testDatabase');
  const folder = options.inMemory && hasMemoryRoom() ? memoryFolder : os.tmpdir();
  const dataDir = fs.mkdtempSync(path.join(folder, 'portal-test-'));
  const removeFolder = () => fs.rmSync(dataDir, { recursive: true, force: true });
  if (source.kind === 'embedded') {
    fs.cpSync(source.template, dataDir, { recursive: true });
    return {
      kind: 'embedded',
      dataDir,
      databaseUrl: undefined,
      remove: async () => removeFolder(),
    };
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(source.url, `CREATE DATABASE ${name}`);
  return {
    kind: 'postgres',
    dataDir,
    databaseUrl: source.url.replace(/[^/]+$/, name),
    remove: async () => {
      await administer(source.url, `DROP DATABASE ${name} WITH (FORCE)`);
      removeFolder();
    },
  };
}

const memoryFolder = '/dev/shm';

function hasMemoryRoom(): boolean {
  if (!fs.existsSync(memoryFolder)) return false;
  const { bavail, bsize } = fs.statfsSync(memoryFolder);
  return bavail * bsize > 500_000_000;
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
