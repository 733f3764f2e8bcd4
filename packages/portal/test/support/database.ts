import { randomUUID } from 'node:crypto';
import fs from 'node:fs';

import pg from 'pg';
import { createTemporaryFolder } from 'test-support';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of an embedded database with the current schema. */
    embeddedTemplate: string;
    /** A PostgreSQL server with a database of the current schema, if the tests run on one. */
    databaseServer: { url: string; template: string } | undefined;
  }
}

/** A database of its own with the current schema. */
export interface TestDatabase {
  kind: 'embedded' | 'postgres';
  dataDir: string;
  databaseUrl: string | undefined;
  remove: () => Promise<void>;
}

/**
 * Creates a database on the PostgreSQL server, or an embedded one if the tests run without a server.
 *
 * @param options.isEmpty without the schema
 */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const server = inject('databaseServer');
  const dataDir = createTemporaryFolder('portal-test-');
  const removeFolder = () => fs.rmSync(dataDir, { recursive: true, force: true });
  if (!server) {
    if (!isEmpty) fs.cpSync(inject('embeddedTemplate'), dataDir, { recursive: true });
    return {
      kind: 'embedded',
      dataDir,
      databaseUrl: undefined,
      remove: async () => removeFolder(),
    };
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Texts are not in the order of their bytes, on which no list may depend.
  const options = isEmpty ? `template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'` : server.template;
  // For a small template, FILE_COPY is faster than the default WAL_LOG.
  await administer(server.url, `CREATE DATABASE ${name} TEMPLATE ${options} STRATEGY FILE_COPY`);
  return {
    kind: 'postgres',
    dataDir,
    databaseUrl: server.url.replace(/[^/]+$/, name),
    remove: async () => {
      await administer(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
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
