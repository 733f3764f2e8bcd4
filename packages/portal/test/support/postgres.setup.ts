import pg from 'pg';
import { startPostgres } from 'test-support';
import type { TestProject } from 'vitest/node';

import { openDatabase } from '../../src/db/connection/open.ts';

/** Creating a database takes a second and copying one does not: each test gets a copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startPostgres();
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  await client.connect();
  await client.query('CREATE DATABASE portal_template');
  await client.end();
  const { close } = await openDatabase({
    dataDir: '',
    databaseUrl: cluster.url('portal_template'),
  });
  await close();
  const url = cluster.url('postgres');
  project.provide('databaseServer', { url, template: 'portal_template' });
  return () => cluster.stop();
}
