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

export async function createTestDatabase(): Promise<TestDatabase> {
  const source = inject('testDatabase');
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-test-'));
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

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
