import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'kysely';
import pg from 'pg';
import { startPostgres, type Answer, type PostgresCluster } from 'test-support';
import { startStopwatch } from 'test-support/stopwatch';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest';

import { isDatabaseUnavailable } from '../../src/db/connection/database-failures.ts';
import { migrate } from '../../src/db/connection/migrate.ts';
import { openPostgres, type Postgres } from '../../src/db/connection/postgres.ts';
import { startFreezableProxy, type FreezableProxy } from '../support/freezable-proxy.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open } from '../support/viewer.ts';

let cluster: PostgresCluster;
let network: FreezableProxy;
let portal: TestPortal;
beforeAll(async () => {
  cluster = await startPostgres();
  const server = new URL(cluster.url('postgres'));
  network = await startFreezableProxy(Number(server.port));
  server.port = String(network.port);
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-away-'));
  portal = await startTestPortal({
    database: {
      kind: 'postgres',
      dataDir,
      databaseUrl: server.href,
      remove: async () => fs.rmSync(dataDir, { recursive: true, force: true }),
    },
  });
});
afterAll(async () => {
  await portal.close();
  await network.close();
  await cluster.stop();
});

const listUsers = () => portal.api('GET', '/api/user');

/** Sends `count` requests at once and returns the responses and the time of the slowest. */
async function listUsersAtOnce(count: number): Promise<{ answers: Answer[]; slowestMs: number }> {
  const stop = startStopwatch();
  const answers = await Promise.all(Array.from({ length: count }, listUsers));
  return { answers, slowestMs: stop() };
}

/** Polls until the portal serves again and returns the time it took. */
async function msUntilServed(): Promise<number> {
  const stop = startStopwatch();
  while ((await listUsers()).status !== 200) await delay(50);
  return stop();
}

const expectUnavailable = ({ answers, slowestMs }: Awaited<ReturnType<typeof listUsersAtOnce>>) => {
  for (const answer of answers) {
    expect([answer.status, answer.json().code]).toEqual([503, 'database_unavailable']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(slowestMs).toBeLessThan(3_000);
};

// More requests than the pool has connections.
const burst = 40;

describe('a portal whose database is unavailable', () => {
  // Opens every connection of the pool.
  beforeEach(() => listUsersAtOnce(burst));

  it.each(['halt', 'kill'] as const)(
    'answers 503 within 3 s after a %s, and serves within 5 s of the restart',
    async (end) => {
      const unused = await mint(portal, portal.acme, { userEmail: portal.acme.emails.west });
      await cluster[end]();
      expectUnavailable(await listUsersAtOnce(burst));
      expectUnavailable(await listUsersAtOnce(1));
      const page = await open(unused);
      expect(page.status).toBe(503);
      expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
      await cluster.restart();
      expect(await msUntilServed()).toBeLessThan(5_000);
      expect((await open(unused)).status).toBe(200);
    },
  );

  it('answers 503 within 3 s on a silent network, and serves within 5 s of its recovery', async () => {
    network.freeze();
    expectUnavailable(await listUsersAtOnce(burst));
    expectUnavailable(await listUsersAtOnce(1));
    network.thaw();
    expect(await msUntilServed()).toBeLessThan(5_000);
  });

  it('answers 503 to requests in flight', async () => {
    let inFlight: ReturnType<typeof listUsersAtOnce> | undefined;
    const holding = portal.db.transaction().execute(async (transaction) => {
      await sql`LOCK TABLE users`.execute(transaction);
      inFlight = listUsersAtOnce(4);
      await expect.poll(() => countLockWaits(portal.db)).toBe(4);
      await cluster.kill();
      await sql`SELECT 1`.execute(transaction);
    });
    const failure = await holding.catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expectUnavailable(await inFlight!);
    await cluster.restart();
    expect(await msUntilServed()).toBeLessThan(5_000);
  });

  it('answers 503 to a change while a failover leaves the database read-only', async () => {
    const setReadOnly = (value: 'on' | 'off') =>
      portal.db.connection().execute(async (connection) => {
        await sql`SET default_transaction_read_only = off`.execute(connection);
        await sql`ALTER SYSTEM SET default_transaction_read_only = ${sql.raw(value)}`.execute(
          connection,
        );
        await sql`SELECT pg_reload_conf()`.execute(connection);
        await sql`RESET default_transaction_read_only`.execute(connection);
      });
    const { emails, reportId } = portal.acme;
    const json = { userEmail: emails.west, reports: [reportId] };
    const change = () => portal.api('PUT', '/api/user/link-reports', { json });
    // Each connection sees the new setting at a different time.
    const untilChange = (isDone: boolean) =>
      vi.waitUntil(
        async () => {
          const answer = await change();
          return (answer.status === 204) === isDone && answer;
        },
        { timeout: 60_000 },
      );
    await setReadOnly('on');
    try {
      expectUnavailable({ answers: [await untilChange(false)], slowestMs: 0 });
    } finally {
      await setReadOnly('off');
    }
    await untilChange(true);
  });

  it('fails /readyz, but not /livez', async () => {
    await cluster.halt();
    expect((await portal.api('GET', '/readyz')).status).toBe(503);
    expect((await portal.api('GET', '/livez')).status).toBe(200);
    await cluster.restart();
    await msUntilServed();
    expect((await portal.api('GET', '/readyz')).status).toBe(200);
  });
});

/** Pauses a backend until the end of the test. */
function pauseBackend(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
}

describe('a portal whose database is available', () => {
  afterEach(() => network.thaw());

  const slow = () => sql`SELECT 1 AS one FROM pg_sleep(3)`.execute(portal.db);

  it('does not interrupt a slow query', async () => {
    expect((await slow()).rows).toEqual([{ one: 1 }]);
  });

  /** Expects many requests to be answered in time, and then to be served on every connection. */
  const expectReplaced = async () => {
    const { answers, slowestMs } = await listUsersAtOnce(burst);
    for (const { status } of answers) expect([200, 503]).toContain(status);
    expect(slowestMs).toBeLessThan(3_000);
    expect(await msUntilServed()).toBeLessThan(5_000);
    for (const { status } of (await listUsersAtOnce(burst)).answers) expect(status).toBe(200);
  };

  it('answers within 3 s if the open connections fall silent, and replaces them', async () => {
    await listUsersAtOnce(burst);
    network.freezeOpen();
    await expectReplaced();
  });

  it('replaces silent connections within 5 s even if requests come one by one', async () => {
    await listUsersAtOnce(burst);
    network.freezeOpen();
    expect(await msUntilServed()).toBeLessThan(5_000);
  });

  it('fails a transaction within 3 s if its connection falls silent', async () => {
    const stop = startStopwatch();
    const failure = await portal.db
      .transaction()
      .execute(async (transaction) => {
        await sql`SELECT 1`.execute(transaction);
        network.freezeOpen();
        await sql`SELECT 1`.execute(transaction);
      })
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(stop()).toBeLessThan(3_000);
  });

  it('replaces connections to paused backends, and keeps those in use', async () => {
    await listUsersAtOnce(burst);
    const working = slow();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = portal.db.transaction().execute(async (transaction) => {
      await sql`SELECT 1`.execute(transaction);
      await released;
      return sql`SELECT 1 AS one`.execute(transaction);
    });
    const countInUse = async () => {
      const { rows } = await sql<{ n: number }>`
        SELECT count(*) AS n FROM pg_stat_activity
        WHERE state = 'idle in transaction' OR wait_event = 'PgSleep'`.execute(portal.db);
      return rows[0]!.n;
    };
    await expect.poll(countInUse).toBe(2);
    const { rows: stopped } = await sql<{ pid: number }>`
      SELECT pid FROM pg_stat_activity WHERE state = 'idle'`.execute(portal.db);
    expect(stopped.length).toBeGreaterThan(5);
    for (const { pid } of stopped) pauseBackend(pid);
    await expectReplaced();
    expect((await working).rows).toEqual([{ one: 1 }]);
    release();
    expect((await held).rows).toEqual([{ one: 1 }]);
  });
});

describe('a statement limit', () => {
  let limited: Postgres;
  beforeEach(() => {
    const options = {
      types: pg.types,
      connections: 4,
      connectLimitMs: 2_000,
      statementTimeoutMs: 500,
    };
    limited = openPostgres(cluster.url('postgres'), options);
  });
  afterEach(() => limited.close());

  /** Starts a query, pauses its backend during it, and returns its failure. */
  async function loseQuery(): Promise<unknown> {
    const client = await limited.pool.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const { pid } = rows[0]!;
    const failure = client.query('SELECT pg_sleep(60)').catch((error: unknown) => error);
    const isSleeping = async () =>
      (
        await sql`SELECT FROM pg_stat_activity WHERE pid = ${pid} AND wait_event = 'PgSleep'`.execute(
          portal.db,
        )
      ).rows.length;
    await expect.poll(isSleeping).toBe(1);
    pauseBackend(pid);
    const error = await failure;
    client.release();
    return error;
  }

  it('ends a query whose backend pauses during it', async () => {
    const stop = startStopwatch();
    expect(isDatabaseUnavailable(await loseQuery())).toBe(true);
    expect(stop()).toBeLessThan(6_000);
  });

  it('is lifted for migrations', async () => {
    let migrating: Promise<string[]> | undefined;
    await portal.db.transaction().execute(async (other) => {
      await sql`LOCK TABLE schema_migrations`.execute(other);
      migrating = migrate(limited.pool);
      await expect.poll(() => countLockWaits(portal.db)).toBe(1);
      // A younger query is beyond the statement limit and the grace period of the watchdog.
      expect(isDatabaseUnavailable(await loseQuery())).toBe(true);
    });
    expect(await migrating).toEqual([]);
  });
});
