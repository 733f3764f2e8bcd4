import fs from 'node:fs';
import path from 'node:path';

import { sql } from 'kysely';
import { findFreePort, send } from 'test-support';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { sourceAssets } from '../../dev/assets.ts';
import { generateApiKey } from '../../src/api-keys/format.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { createLogger } from '../../src/logger.ts';
import { describeDatabase, startService, type RunningService } from '../../src/service.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { ordersCsv } from '../support/orders.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import { windowNumber } from '../support/rate-limits.ts';
import { open, readSession } from '../support/viewer.ts';

const log: string[] = [];
const logger = createLogger('info', { write: (line) => log.push(line) });

let database: TestDatabase;
let env: Record<string, string>;
let service: RunningService;
let acme: TestOrganization;
let metricsUrl: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  env = {
    PORTAL_PORT: String(port),
    PORTAL_HOST: '127.0.0.2',
    PORTAL_PUBLIC_URL: `http://127.0.0.2:${port}`,
    PORTAL_METRICS_PORT: String(metricsPort),
    PORTAL_METRICS_HOST: '127.0.0.3',
    PORTAL_DATA_DIR: database.dataDir,
    PORTAL_DATABASE_URL: database.databaseUrl ?? '',
    PORTAL_RATE_LIMIT: '800',
    PORTAL_VIEWER_RATE_LIMIT: '80',
    PORTAL_REFUSAL_LIMIT: '2',
    PORTAL_TRUST_PROXY: 'loopback',
  };
  metricsUrl = `http://127.0.0.3:${metricsPort}/metrics`;
  service = await startService(readConfig(env), logger, sourceAssets);
  acme = await createTestOrganization(
    { db: service.db, dataDir: database.dataDir, publicUrl: publicUrl() },
    'acme',
  );
});
afterAll(async () => {
  await service.stop({ now: true });
  await database.remove();
});

const publicUrl = () => env['PORTAL_PUBLIC_URL']!;

/** The engine processes that this process has started, from /proc. */
const engineProcesses = (): string[] =>
  fs
    .readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter((pid) => pid && isEngine(pid));

const isEngine = (pid: string): boolean => {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/engine/process.');
  } catch {
    return false;
  }
};

const readSweptAt = async () => {
  const { body } = await send(metricsUrl);
  return Number(/^portal_sweeper_last_success_timestamp_seconds (\S+)$/m.exec(body)?.[1] ?? 0);
};

it('the portal and its metrics listen only at the configured addresses', async () => {
  expect((await send(`${publicUrl()}/livez`)).status).toBe(200);
  expect((await send(metricsUrl)).status).toBe(200);
  for (const url of [publicUrl(), metricsUrl])
    await expect(send(url.replace(/127\.0\.0\.[23]/, '127.0.0.1'))).rejects.toThrow('ECONNREFUSED');
});

it('the start line in the log has the port and the public URL', () => {
  const lines = log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'listening');
  expect(lines).toMatchObject([{ port: Number(env['PORTAL_PORT']), publicUrl: publicUrl() }]);
});

it('other users of the machine cannot read the dataset folder', () => {
  expect(fs.statSync(path.join(database.dataDir, 'datasets')).mode & 0o777).toBe(0o700);
});

it('the rate limits of a key in ten seconds and of a user in a minute are the configured ones', async () => {
  const { apiKey, emails } = acme;
  const headers = { 'x-api-key': apiKey };
  const json = { userEmail: emails.west };
  const minted = await send(`${publicUrl()}/api/identity/url`, { method: 'POST', headers, json });
  const { bearer } = readSession(await open(minted.json().embedUrl));
  const reader = { authorization: `Bearer ${bearer}` };
  for (const [table, seconds, limit, route, credentials] of [
    ['rate_limit_windows', 10, 800, '/api/report', headers],
    ['viewer_rate_limit_windows', 60, 80, '/viewer/reports', reader],
  ] as const) {
    const first = await windowNumber(service.db, seconds);
    expect((await send(publicUrl() + route, { headers: credentials })).status).toBe(200);
    const { rows } = await sql<{ number: number; leased: number }>`
      SELECT window_number::float AS number, leased FROM ${sql.table(table)}`.execute(service.db);
    // The first lease of a window has an eighth of the limit.
    expect(rows).toMatchObject([{ leased: limit / 8 }]);
    // A lease of an earlier request may still be in use.
    expect(rows[0]!.number).toBeGreaterThanOrEqual(first - 60 / seconds);
    expect(rows[0]!.number).toBeLessThanOrEqual(await windowNumber(service.db, seconds));
  }
});

it('the refusal limit is the configured one', async () => {
  const headers = { 'x-api-key': generateApiKey() };
  const getStatus = async () => (await send(`${publicUrl()}/api/report`, { headers })).status;
  expect([await getStatus(), await getStatus(), await getStatus()]).toEqual([401, 401, 429]);
});

it('a statement may take at most 15 seconds', async () => {
  const { rows } = await sql<{ limit: string }>`
    SELECT current_setting('statement_timeout') AS limit`.execute(service.db);
  expect(rows).toEqual([{ limit: database.kind === 'postgres' ? '15s' : '0' }]);
});

it('a service closes its database if its metrics port is taken', async () => {
  const other = await createTestDatabase();
  const where = { PORTAL_DATA_DIR: other.dataDir, PORTAL_DATABASE_URL: other.databaseUrl ?? '' };
  const config = readConfig({ ...env, ...where, PORTAL_PORT: '0' });
  await expect(startService(config, logger, sourceAssets)).rejects.toThrow(
    'set PORTAL_METRICS_PORT to a free port',
  );
  const { close } = await openDatabase(other);
  await close();
  await other.remove();
});

it('a service whose port is taken closes its metrics', async () => {
  const other = await createTestDatabase();
  const metricsPort = await findFreePort();
  const where = { PORTAL_DATA_DIR: other.dataDir, PORTAL_DATABASE_URL: other.databaseUrl ?? '' };
  const config = readConfig({ ...env, ...where, PORTAL_METRICS_PORT: String(metricsPort) });
  await expect(startService(config, logger, sourceAssets)).rejects.toThrow(
    'set PORTAL_PORT to a free port',
  );
  await expect(send(`http://127.0.0.3:${metricsPort}/metrics`)).rejects.toThrow('ECONNREFUSED');
  await other.remove();
});

it('the address of a request is the one that the trusted proxy forwards', async () => {
  const headers = { 'x-forwarded-host': 'portal.example', 'x-forwarded-proto': 'https' };
  const answer = await send(`${publicUrl()}/openapi.json`, { headers });
  expect(answer.json().servers).toEqual([{ url: 'https://portal.example' }]);
});

it('a service that has stopped leaves no port, connection or process behind', async () => {
  const other = await createTestDatabase();
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const where = { PORTAL_DATA_DIR: other.dataDir, PORTAL_DATABASE_URL: other.databaseUrl ?? '' };
  const address = `http://127.0.0.2:${port}`;
  const ports = { PORTAL_PORT: String(port), PORTAL_METRICS_PORT: String(metricsPort) };
  const config = readConfig({ ...env, ...where, ...ports, PORTAL_PUBLIC_URL: address });
  const running = await startService(config, logger, sourceAssets);
  const own = await createTestOrganization(
    { db: running.db, dataDir: other.dataDir, publicUrl: address },
    'own',
  );
  fs.writeFileSync(path.join(other.dataDir, 'datasets/orders.csv'), ordersCsv);
  const { reportId, id: organizationId } = own;
  const minted = await send(`${address}/api/identity/url`, {
    method: 'POST',
    headers: { 'x-api-key': own.apiKey },
    json: { userEmail: own.emails.west, organizationId, reportId },
  });
  const before = engineProcesses();
  expect(readSession(await open(minted.json().embedUrl)).view).toMatchObject({ rowCount: 2 });
  expect(engineProcesses().length).toBeGreaterThan(before.length);
  await running.stop({ now: true });
  expect(engineProcesses()).toEqual(before);
  for (const url of [address, `http://127.0.0.3:${metricsPort}/metrics`])
    await expect(send(url)).rejects.toThrow('ECONNREFUSED');
  await expect(sql`SELECT 1`.execute(running.db)).rejects.toThrow('after calling end');
  const { close } = await openDatabase(other);
  await close();
  await other.remove();
});

it('a service logs a sweep that fails', async () => {
  const other = await createTestDatabase();
  const { db, close } = await openDatabase(other);
  await sql`ALTER TABLE row_count_changes RENAME TO renamed`.execute(db);
  await close();
  const where = { PORTAL_DATA_DIR: other.dataDir, PORTAL_DATABASE_URL: other.databaseUrl ?? '' };
  const config = readConfig({ ...env, ...where, PORTAL_PORT: '0', PORTAL_METRICS_PORT: '' });
  const failing = await startService(config, logger, sourceAssets);
  onTestFinished(async () => {
    await failing.stop({ now: true });
    await other.remove();
  });
  await expect
    .poll(() => log.find((line) => line.includes('sweeping failed')))
    .toContain('row_count_changes');
});

it.each([
  ['postgres://user:secret@db.example:5433/portal', 'db.example:5433/portal'],
  ['postgres:///portal?host=/run/postgresql', '/run/postgresql/portal'],
  ['postgres:///portal', 'localhost/portal'],
  [undefined, '/data/database'],
])('the log names the database %s as %s', (databaseUrl, name) => {
  expect(describeDatabase({ databaseUrl, dataDir: '/data' })).toBe(name);
});

it('the service sweeps every ten seconds', async () => {
  await expect.poll(readSweptAt).toBeGreaterThan(0);
  const first = await readSweptAt();
  await expect.poll(readSweptAt).toBeGreaterThan(first);
  const seconds = (await readSweptAt()) - first;
  expect(seconds).toBeGreaterThanOrEqual(9.5);
  expect(seconds).toBeLessThan(60);
  const { body } = await send(metricsUrl);
  expect(body).toMatch(/^portal_swept_rows_total{task="row_count_changes"} [1-9]/m);
});
