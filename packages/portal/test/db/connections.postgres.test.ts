import { once } from 'node:events';
import net from 'node:net';

import { sql } from 'kysely';
import pg from 'pg';
import { findFreePort, startPostgres, type PostgresCluster } from 'test-support';
import { startStopwatch } from 'test-support/stopwatch';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { openPostgres } from '../../src/db/connection/postgres.ts';
import { probe } from '../../src/db/connection/probe.ts';
import { liftLimit } from '../../src/db/connection/watchdog.ts';
import { inSnapshot } from '../../src/db/query/paging.ts';
import { createTestDatabase } from '../support/database.ts';
import { startFreezableProxy, type FreezableProxy } from '../support/freezable-proxy.ts';

let cluster: PostgresCluster;
let network: FreezableProxy;
let admin: pg.Client;
beforeAll(async () => {
  cluster = await startPostgres();
  network = await startFreezableProxy(Number(new URL(cluster.url('postgres')).port));
  admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  await admin.query(`
    CREATE ROLE one LOGIN CONNECTION LIMIT 1;
    CREATE ROLE nothing LOGIN CONNECTION LIMIT 0`);
});
beforeEach(() => network.thaw());
afterAll(async () => {
  await admin.end();
  await network.close();
  await cluster.stop();
});

const urlOf = (parts: { user?: string; port?: number } = {}) => {
  const url = new URL(cluster.url('postgres'));
  if (parts.user) url.username = parts.user;
  if (parts.port) url.port = String(parts.port);
  return url.href;
};

/** Time limit for opening a connection. */
const connectLimitMs = 2_000;

function openPool(
  options: {
    url?: string;
    connections?: number;
    connectLimitMs?: number;
    statementTimeoutMs?: number;
  } = {},
) {
  const { url = urlOf(), statementTimeoutMs, ...rest } = options;
  const settings = { connections: 1, connectLimitMs, ...rest, statementTimeoutMs };
  const opened = openPostgres(url, { types: pg.types, ...settings });
  opened.pool.on('error', () => {});
  opened.pool.on('connect', (client) => client.on('error', () => {}));
  onTestFinished(async () => {
    network.thaw();
    await opened.close();
  });
  return opened;
}

async function connect(url = urlOf()): Promise<{ client: pg.Client; pid: number }> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return { client, pid: await readPid(client) };
}

const readPid = async (client: pg.ClientBase) =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;

const isGone = async (pid: number) =>
  (await admin.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount === 0;

/** A way to the server that counts the connections and can leave new ones without an answer. */
async function startCountingProxy() {
  const sockets: net.Socket[] = [];
  let isHolding = false;
  const proxy = net.createServer((client) => {
    sockets.push(client.on('error', () => {}));
    if (isHolding) return;
    const server = net.connect(Number(new URL(urlOf()).port), '127.0.0.1');
    server.on('error', () => {}).on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return {
    url: urlOf({ port: (proxy.address() as net.AddressInfo).port }),
    connections: () => sockets.length,
    holdNew: () => {
      isHolding = true;
    },
  };
}

describe('a probe', () => {
  it('finds backends that are gone or wait for the portal, and no others', async () => {
    const [idle, busy, gone] = [await connect(), await connect(), await connect()];
    await gone.client.end();
    await expect.poll(() => isGone(gone.pid)).toBe(true);
    const working = busy.client.query('SELECT pg_sleep(60)').catch(() => {});
    const pids = [idle.pid, busy.pid, gone.pid];
    const isBusy = async () =>
      (await admin.query('SELECT FROM pg_stat_activity WHERE wait_event = $1', ['PgSleep']))
        .rowCount;
    await expect.poll(isBusy).toBe(1);
    const ask = (waitedMs: number) => probe({ connectionString: urlOf() }, pids, waitedMs);
    expect(await ask(0)).toEqual(new Set([idle.pid, gone.pid]));
    expect(await ask(600_000)).toEqual(new Set([gone.pid]));
    await admin.query('SELECT pg_cancel_backend($1)', [busy.pid]);
    await working;
  });

  it('finds a server without free connections available', async () => {
    const refusing = { connectionString: urlOf({ user: 'nothing' }) };
    expect(await probe(refusing, [1], 0)).toEqual(new Set());
  });

  it('finds a server without an open port unavailable', async () => {
    const closed = { connectionString: urlOf({ port: await findFreePort() }) };
    expect(await probe(closed, [1], 0)).toBeUndefined();
  });

  it('finds a server that does not respond for a second unavailable', async () => {
    network.freeze();
    const stop = startStopwatch();
    const silent = { connectionString: urlOf({ port: network.port }) };
    expect(await probe(silent, [1], 0)).toBeUndefined();
    expect(stop()).toBeLessThan(5_000);
  });

  it('finds nothing behind a pooler with its own process numbers', async () => {
    const pooler = net.createServer((client) => {
      const server = net.connect(Number(new URL(urlOf()).port), '127.0.0.1');
      client.on('data', (chunk) => server.write(chunk));
      client.on('close', () => server.destroy());
      server.on('close', () => client.destroy());
      for (const socket of [client, server]) socket.on('error', () => {});
      server.on('data', (chunk) => {
        // BackendKeyData: the process number follows the message's length.
        const key = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
        if (key >= 0) chunk.writeInt32BE(1, key + 5);
        client.write(chunk);
      });
    });
    pooler.listen(0, '127.0.0.1');
    await once(pooler, 'listening');
    onTestFinished(() => void pooler.close());
    const { port } = pooler.address() as net.AddressInfo;
    const pooled = { connectionString: urlOf({ port }) };
    expect(await probe(pooled, [2_000_000_000], 0)).toEqual(new Set());
  });

  it('leaves no connection behind', async () => {
    const named = { connectionString: urlOf(), application_name: 'one probe' };
    expect(await probe(named, [], 0)).toEqual(new Set());
    const countOpen = async () =>
      (await admin.query('SELECT FROM pg_stat_activity WHERE application_name = $1', ['one probe']))
        .rowCount;
    await expect.poll(countOpen).toBe(0);
  });
});

describe('a connection', () => {
  it('fails its query once the network and the server have dropped it', async () => {
    const { pool } = openPool({ url: urlOf({ port: network.port }), connections: 2 });
    const [client, idle] = [await pool.connect(), await pool.connect()];
    const pids = [await readPid(client), await readPid(idle)];
    idle.release();
    network.freezeOpen();
    for (const pid of pids) await admin.query('SELECT pg_terminate_backend($1)', [pid]);
    const stop = startStopwatch();
    await expect(client.query('SELECT 1')).rejects.toThrow('Connection terminated');
    expect(stop()).toBeLessThan(5_000);
    client.release();
    // The idle connection was dropped too, so the next query gets a new one.
    await expect.poll(() => pool.totalCount).toBe(0);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('has less time to connect while the server is unavailable, and the full time afterwards', async () => {
    const { pool } = openPool({ url: urlOf({ port: network.port }) });
    await pool.query('SELECT 1');
    expect(pool.options.connectionTimeoutMillis).toBe(2_000);
    network.freeze();
    await expect(pool.query('SELECT 1')).rejects.toThrow('Connection terminated');
    expect(pool.options.connectionTimeoutMillis).toBe(750);
    network.thaw();
    await expect.poll(() => pool.options.connectionTimeoutMillis).toBe(2_000);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('has its limit again after the release of a connection whose limit was lifted', async () => {
    const { pool } = openPool({ statementTimeoutMs: 500 });
    const first = await pool.connect();
    const pid = await readPid(first);
    liftLimit(first);
    first.release();
    const again = await pool.connect();
    expect(await readPid(again)).toBe(pid);
    const failure = again.query('SELECT pg_sleep(60)').catch((error: Error) => error.message);
    await expect
      .poll(async () => {
        const { rows } = await admin.query(
          'SELECT wait_event FROM pg_stat_activity WHERE pid = $1',
          [pid],
        );
        return rows[0]?.wait_event;
      })
      .toBe('PgSleep');
    process.kill(pid, 'SIGSTOP');
    onTestFinished(() => void process.kill(pid, 'SIGCONT'));
    expect(await failure).toMatch('Connection terminated');
    again.release();
  });

  it('has the name of the portal, the limits and a keepalive', async () => {
    const keepAlive = vi.spyOn(net.Socket.prototype, 'setKeepAlive');
    onTestFinished(() => keepAlive.mockRestore());
    const { pool } = openPool({ statementTimeoutMs: 1_500 });
    const show = async (name: string) =>
      Object.values((await pool.query<Record<string, string>>(`SHOW ${name}`)).rows[0]!)[0];
    expect(await show('application_name')).toBe('portal-embed');
    expect(await show('statement_timeout')).toBe('1500ms');
    expect(await show('idle_in_transaction_session_timeout')).toBe('1500ms');
    expect(keepAlive).toHaveBeenCalledWith(true, 10_000);
  });

  it('of the readiness check is replaced after the server has ended it', async () => {
    const { db, checkReady, close } = await openDatabase({ databaseUrl: urlOf(), dataDir: '' });
    onTestFinished(close);
    const findPings = async () => {
      const { rows } = await admin.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE query LIKE '%schema_migrations AS applied%' AND pid <> pg_backend_pid()",
      );
      return rows.map(({ pid }) => pid);
    };
    await sql`SELECT 1`.execute(db);
    await checkReady();
    const [first, ...others] = await findPings();
    expect([first, others]).toEqual([expect.any(Number), []]);
    await admin.query('SELECT pg_terminate_backend($1)', [first]);
    await expect.poll(() => isGone(first!)).toBe(true);
    // A check that uses the connection before its end is known fails; the next one opens another.
    const isReady = () =>
      checkReady().then(
        () => true,
        () => false,
      );
    await expect.poll(isReady).toBe(true);
    expect(await findPings()).not.toContain(first);
  });

  it('has no statement limit by default', async () => {
    const { pool } = openPool();
    const { rows } = await pool.query('SHOW statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '0' }]);
  });

  it('stays open for a minute while it is idle', async () => {
    const { pool } = openPool({ connections: 3 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await pool.query('SELECT 1');
    vi.advanceTimersByTime(59_999);
    expect(pool.totalCount).toBe(1);
    vi.advanceTimersByTime(1);
    expect(pool.totalCount).toBe(0);
  });

  it('is one of 10 by default, or of the configured number', async () => {
    const database = await createTestDatabase();
    for (const [databaseConnections, max] of [
      [undefined, 10],
      [3, 3],
    ]) {
      const { usage, close } = await openDatabase({ ...database, databaseConnections });
      expect(usage().max).toBe(max);
      await close();
    }
    await database.remove();
  });

  it('ends when the pool is closed', async () => {
    const { pool, ping, close } = openPostgres(urlOf({ user: 'portal' }), {
      types: pg.types,
      connections: 2,
      connectLimitMs,
      statementTimeoutMs: undefined,
    });
    const pids = await Promise.all([
      pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'),
      ping('SELECT pg_backend_pid() AS pid') as Promise<{ rows: { pid: number }[] }>,
    ]);
    await close();
    for (const { rows } of pids) await expect.poll(() => isGone(rows[0]!.pid)).toBe(true);
  });

  it('that does not open within the limit fails', async () => {
    network.freeze();
    const { pool } = openPool({ url: urlOf({ port: network.port }), connectLimitMs: 300 });
    const stop = startStopwatch();
    await expect(pool.query('SELECT 1')).rejects.toThrow('timeout');
    expect(stop()).toBeLessThan(1_900);
  });

  it('a pool that is closed leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const options = {
      types: pg.types,
      connections: 1,
      connectLimitMs,
      statementTimeoutMs: undefined,
    };
    const { close } = openPostgres(urlOf(), options);
    expect(vi.getTimerCount()).toBe(1);
    await close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the timer of a pool does not keep a process alive', async () => {
    const start = vi.spyOn(globalThis, 'setInterval');
    onTestFinished(() => start.mockRestore());
    const options = {
      types: pg.types,
      connections: 1,
      connectLimitMs,
      statementTimeoutMs: undefined,
    };
    const { close } = openPostgres(urlOf(), options);
    expect((start.mock.results[0]!.value as NodeJS.Timeout).hasRef()).toBe(false);
    await close();
  });

  it('closing ends although a query in flight falls silent', async () => {
    const { pool, close } = openPostgres(urlOf({ port: network.port }), {
      types: pg.types,
      connections: 1,
      connectLimitMs,
      statementTimeoutMs: undefined,
    });
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    const client = await pool.connect();
    network.freeze();
    const failure = client.query('SELECT 1').catch((error: Error) => error.message);
    const stop = startStopwatch();
    const closing = close();
    expect(await failure).toMatch('Connection terminated');
    client.release();
    await closing;
    expect(stop()).toBeLessThan(5_000);
  });

  it('a query goes on while its server takes no new connections and answers others', async () => {
    const { url, connections, holdNew } = await startCountingProxy();
    const { pool } = openPool({ url, connections: 2 });
    const [slow, quick] = [await pool.connect(), await pool.connect()];
    holdNew();
    const done = new AbortController();
    const sleeping = slow
      .query('SELECT 1 AS one FROM pg_sleep(2)')
      .catch((error: Error) => error.message)
      .finally(() => done.abort());
    while (!done.signal.aborted) await quick.query('SELECT 1');
    expect(await sleeping).toMatchObject({ rows: [{ one: 1 }] });
    expect(connections()).toBeGreaterThan(2);
    for (const client of [slow, quick]) client.release();
  });

  it('the server is asked about a slow query once a second', async () => {
    const { url, connections } = await startCountingProxy();
    const { pool } = openPool({ url });
    await pool.query('SELECT pg_sleep(2.2)');
    const probes = connections() - 1;
    expect(probes).toBeGreaterThan(0);
    expect(probes).toBeLessThan(4);
  });

  it.each([
    ['?sslmode=prefer', '?sslmode=verify-full'],
    ['?application_name=a&sslmode=require#x', '?application_name=a&sslmode=verify-full#x'],
    ['?sslmode=verify-ca&options=-c%20a', '?sslmode=verify-full&options=-c%20a'],
    ['?sslmode=require&uselibpqcompat=true', '?sslmode=require&uselibpqcompat=true'],
    ['?sslmode=disable', '?sslmode=disable'],
    ['?sslmode=no-verify', '?sslmode=no-verify'],
    ['?options=sslmode=require', '?options=sslmode=require'],
  ])('an address with %s is opened with %s', (given, expected) => {
    const { pool } = openPool({ url: `postgres://portal@localhost/portal${given}` });
    const { connectionString } = pool.options as pg.PoolConfig;
    expect(connectionString).toBe(`postgres://portal@localhost/portal${expected}`);
  });

  it('the usage counts connections in use and idle ones', async () => {
    const database = await createTestDatabase();
    const { db, usage, close } = await openDatabase({ ...database, databaseConnections: 3 });
    await db.connection().execute(async (connection) => {
      await sql`SELECT 1`.execute(connection);
      await sql`SELECT 1`.execute(db);
      expect(usage()).toEqual({ max: 3, total: 2, idle: 1, waiting: 0 });
    });
    expect(usage()).toEqual({ max: 3, total: 2, idle: 2, waiting: 0 });
    await close();
    await database.remove();
  });
});

describe('a ping', () => {
  it('uses a connection of the pool if the server accepts no more', async () => {
    const { pool, ping } = openPool({ url: urlOf({ user: 'one' }) });
    await pool.query('SELECT 1');
    expect((await ping('SELECT current_user AS who')).rows).toEqual([{ who: 'one' }]);
  });

  it('does not wait for the connections of the pool', async () => {
    const { pool, ping } = openPool();
    const client = await pool.connect();
    expect((await ping('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    client.release();
  });

  it('fails within three seconds on a silent network, and succeeds once it recovers', async () => {
    const { ping } = openPool({ url: urlOf({ port: network.port }) });
    await ping('SELECT 1');
    network.freeze();
    const stop = startStopwatch();
    await expect(ping('SELECT 1')).rejects.toThrow('Query read timeout');
    expect(stop()).toBeLessThan(3_000);
    const stopAgain = startStopwatch();
    await expect(ping('SELECT 1')).rejects.toThrow('timeout');
    expect(stopAgain()).toBeLessThan(3_000);
    network.thaw();
    expect((await ping('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('opens another connection if the server has ended its idle one', async () => {
    const { ping } = openPool();
    const { rows } = await ping('SELECT pg_backend_pid() AS pid');
    const { pid } = rows[0] as { pid: number };
    await admin.query('SELECT pg_terminate_backend($1)', [pid]);
    await expect.poll(() => isGone(pid)).toBe(true);
    const again = () =>
      ping('SELECT 1 AS one').then(
        (answer) => answer.rows,
        () => [],
      );
    await expect.poll(again).toEqual([{ one: 1 }]);
  });

  it('whose connection the server ends fails, and the next one succeeds', async () => {
    const { ping } = openPool();
    const failure = ping('SELECT pg_sleep(60)').catch((error: Error) => error.message);
    const endPing = async () =>
      (
        await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE query = 'SELECT pg_sleep(60)' AND wait_event = 'PgSleep'`)
      ).rowCount;
    await expect.poll(endPing).toBe(1);
    expect(await failure).toContain('terminating connection');
    expect((await ping('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('pings share one connection, which stays open for a minute', async () => {
    const { ping } = openPool();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const answers = await Promise.all([1, 2, 3].map(() => ping('SELECT pg_backend_pid() AS pid')));
    const pids = new Set(answers.map(({ rows }) => (rows[0] as { pid: number }).pid));
    expect(pids.size).toBe(1);
    const [pid] = pids;
    vi.advanceTimersByTime(59_999);
    expect((await ping('SELECT pg_backend_pid() AS pid')).rows).toEqual([{ pid }]);
    vi.advanceTimersByTime(60_000);
    await expect.poll(() => isGone(pid!)).toBe(true);
  });
});

it('a snapshot does not see concurrent commits', async () => {
  const database = await createTestDatabase();
  const { db, close } = await openDatabase(database);
  const count = async (on: typeof db) =>
    (await on.selectFrom('organizations').select('id').execute()).length;
  await inSnapshot(db, async (snapshot) => {
    expect(await count(snapshot)).toBe(0);
    await sql`INSERT INTO organizations (id, slug, name, accent_color)
      VALUES (gen_random_uuid(), 'new', 'New', '#000000')`.execute(db);
    expect(await count(db)).toBe(1);
    expect(await count(snapshot)).toBe(0);
    await expect(sql`DELETE FROM organizations`.execute(snapshot)).rejects.toThrow('read-only');
  });
  await close();
  await database.remove();
});

describe('a schema', () => {
  const refusalOf = async (change: string) => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    await client.query(change);
    const opening = openDatabase({ ...database, migrate: false });
    const refusal = await opening.catch((error: Error) => error);
    const countOthers = async () => {
      const { rows } = await client.query<{ others: number }>(
        `SELECT count(*)::integer AS others FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      return rows[0]!.others;
    };
    // An idle connection would be closed after ten seconds.
    await expect.poll(countOthers, { timeout: 5_000 }).toBe(0);
    await client.end();
    await database.remove();
    return refusal;
  };

  it('of release 0.1 is refused, although its list of migrations has no releases', async () => {
    const refusal = await refusalOf(`
      DELETE FROM schema_migrations WHERE name >= '0003';
      ALTER TABLE schema_migrations DROP COLUMN oldest_release`);
    expect(refusal).toMatchObject({
      code: 'schema_outdated',
      message: expect.stringMatching(/lacks 0003_\w+\.sql, .*Run `portal migrate`/),
    });
  });

  it('a database without the portal’s tables is refused as such', async () => {
    const refusal = await refusalOf('DROP TABLE schema_migrations');
    expect(refusal).toMatchObject({
      code: 'schema_outdated',
      message: expect.stringMatching(/no portal tables yet\. Check .*then run `portal migrate`/),
    });
  });

  it('simultaneous checks of the readiness share one query', async () => {
    const database = await createTestDatabase();
    const { checkReady, close } = await openDatabase(database);
    const first = checkReady();
    expect(checkReady()).toBe(first);
    await first;
    const next = checkReady();
    expect(next).not.toBe(first);
    await next;
    await close();
    await database.remove();
  });
});
