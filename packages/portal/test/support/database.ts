import { randomUUID } from 'node:crypto';
import fs from 'node:fs';

import pg from 'pg';
import { createTemporaryFolder } from 'testing';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    testDatabase:
      | { kind: 'embedded'; template: string }
      | { kind: 'postgres'; url: string; template: string };
  }
}

/** A database of its own with the current schema, of the kind that this run of the tests is for. */
export interface TestDatabase {
  kind: 'embedded' | 'postgres';
  dataDir: string;
  databaseUrl: string | undefined;
  remove: () => Promise<void>;
}

/** @param options.isEmpty without the schema */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const source = inject('testDatabase');
  const dataDir = createTemporaryFolder('portal-test-');
  const removeFolder = () => fs.rmSync(dataDir, { recursive: true, force: true });
  if (source.kind === 'embedded') {
    if (!isEmpty) fs.cpSync(source.template, dataDir, { recursive: true });
    return {
      kind: 'embedded',
      dataDir,
      databaseUrl: undefined,
      remove: async () => removeFolder(),
    };
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // In another order than by bytes, which no list may notice.
  const options = isEmpty ? `template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'` : source.template;
  await administer(source.url, `CREATE DATABASE ${name} TEMPLATE ${options}`);
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
