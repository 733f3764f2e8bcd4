import { sql } from 'kysely';
import pg from 'pg';
import { findFreePort, send, startPostgres, type PostgresCluster } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { startPortalProcess } from '../support/processes.ts';

buildFirst();

let cluster: PostgresCluster;
let database: TestDatabase;
let acme: TestOrganization;
beforeAll(async () => {
  cluster = await startPostgres();
  database = { ...(await createTestDatabase()), databaseUrl: cluster.url('postgres') };
  const { db, close } = await openDatabase(database);
  acme = await createTestOrganization(
    { db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' },
    'acme',
  );
  await sql`ALTER SYSTEM SET max_connections = 20`.execute(db);
  await close();
  await cluster.halt();
  await cluster.restart();
});
afterAll(() => cluster.stop());

const start = async () => {
  const metricsPort = await findFreePort();
  const env = { PORTAL_METRICS_PORT: String(metricsPort), PORTAL_DATABASE_CONNECTIONS: '10' };
  const portal = await startPortalProcess(database, { env });
  onTestFinished(() => portal.kill());
  return {
    portal,
    list: () => send(`${portal.publicUrl}/api/user`, { headers: { 'x-api-key': acme.apiKey } }),
    readMetrics: async () => (await send(`http://127.0.0.1:${metricsPort}/metrics`)).body,
    count: (text: string) => portal.output().split(text).length - 1,
  };
};

/** Opens connections until the server accepts no more. */
async function occupyAll(): Promise<pg.Client[]> {
  const clients: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: database.databaseUrl, user: 'other' });
    client.on('error', () => {});
    try {
      await client.connect();
    } catch {
      return clients;
    }
    clients.push(client);
  }
}

it('requests use the open connections of a full server; without one, the error names the cause', async () => {
  const admin = new pg.Client({ connectionString: database.databaseUrl });
  admin.on('error', () => {});
  await admin.connect();
  await admin.query('CREATE ROLE other LOGIN');
  // PostgreSQL reserves connections for superusers, so the portal must not be one.
  await admin.query('CREATE ROLE portal_run LOGIN; GRANT ALL ON SCHEMA public TO portal_run');
  await admin.query('GRANT ALL ON ALL TABLES IN SCHEMA public TO portal_run');
  const url = new URL(database.databaseUrl!);
  url.username = 'portal_run';
  const before = database;
  database = { ...database, databaseUrl: url.href };
  onTestFinished(() => void (database = before));
  const { list, readMetrics, portal } = await start();
  expect((await list()).status).toBe(200);
  const others = await occupyAll();
  const answers = await Promise.all(Array.from({ length: 12 }, list));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  expect((await send(`${portal.publicUrl}/readyz`)).status).toBe(200);
  await admin.query(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE usename = 'portal_run' AND pid <> pg_backend_pid()`);
  others.push(...(await occupyAll()));
  const refused = await list();
  expect([refused.status, refused.json().code]).toEqual([503, 'database_unavailable']);
  expect(refused.json().detail).toContain('accepts no more connections');
  await expect
    .poll(() => portal.output())
    .toContain('Raise its max_connections, or lower PORTAL_DATABASE_CONNECTIONS');
  const metrics = await readMetrics();
  expect(metrics).toMatch(/portal_database_errors_total{cause="too_many_connections"} [1-9]/);
  expect(metrics).toMatch(/code="database_unavailable",reason="too_many_connections"} 1/);
  expect(metrics).toContain('portal_database_connections_max 10');
  expect(metrics).toMatch(/portal_sweeper_last_success_timestamp_seconds [1-9]/);
  expect(metrics).toMatch(/portal_build_info{version="\d+\.\d+\.\d+",.*node="\d+/);
  for (const other of others) await other.end();
  await admin.end();
  await expect.poll(async () => (await list()).status).toBe(200);
});

it('requests that fail during an outage release their connections', async () => {
  const { list } = await start();
  expect((await list()).status).toBe(200);
  await cluster.halt();
  // More requests than the portal has connections.
  for (let n = 0; n < 12; n++) expect((await list()).json().code).toBe('database_unavailable');
  await cluster.restart();
  await expect.poll(async () => (await list()).status).toBe(200);
});

it('an outage of the database logs one line at its start and one at its end', async () => {
  const { list, readMetrics, count } = await start();
  expect((await list()).status).toBe(200);
  await cluster.halt();
  for (let n = 0; n < 5; n++) expect((await list()).status).toBe(503);
  await expect.poll(() => count('"msg":"database lost"')).toBe(1);
  expect(count('"msg":"database returned"')).toBe(0);
  await cluster.restart();
  await expect.poll(async () => (await list()).status).toBe(200);
  await expect.poll(() => count('"msg":"database returned"')).toBe(1);
  expect(count('"msg":"database lost"')).toBe(1);
  expect(await readMetrics()).toMatch(/portal_database_errors_total{cause="unreachable"} [1-9]/);
});

it('a page that fails because of the database is counted with its cause', async () => {
  const { portal, readMetrics } = await start();
  await cluster.halt();
  const page = await send(`${portal.publicUrl}/identity?token=${'x'.repeat(43)}`);
  expect(page.status).toBe(503);
  expect(page.headers['content-type']).toContain('text/html');
  await cluster.restart();
  expect(await readMetrics()).toContain(
    'portal_refusals_total{code="database_unavailable",reason="unreachable"} 1\n',
  );
});
