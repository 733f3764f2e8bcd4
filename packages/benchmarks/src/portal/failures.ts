/**
 * Mints one URL after another while 20 readers keep asking for a report over a database that works,
 * refuses connections, never answers, ends each connection, has no connection left, or is slow. Each
 * reader asks again a second after an answer, as a person would. It fails if a mint is refused. It
 * runs on PostgreSQL.
 *
 * `ROUNDS` (default 3) is the number of rounds, `SECONDS` (default 8) how long mints are measured in
 * each.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, connect, type Server, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { permissions } from '@portal-embed/contract';
import {
  createApiKey,
  createOrganization,
  createUser,
  linkReports,
  listReports,
  openDatabase,
  operatorContext,
  setOrigins,
} from '@portal-embed/portal';
import pg from 'pg';
import { findFreePort, send, startPostgres } from 'test-support';

import { drive } from './load.ts';
import { median, quantile } from './quantiles.ts';
import { address, publicUrl } from './readers-seed.ts';
import { portalBin, startPortal, type ServerProcess } from './service.ts';
import { createMintRequest, openSession } from './sessions.ts';

const rounds = Number(process.env['ROUNDS'] ?? 3);
const seconds = Number(process.env['SECONDS'] ?? 8);
const readers = 20;
const emails = Array.from({ length: readers }, (_, index) => `reader-${index}@orders.example`);
const { host } = new URL(address);

/** How a connection of the portal to the database behaves. */
const behaviors = {
  works: (socket: Socket, toDatabase: () => Socket) => {
    const database = toDatabase();
    socket.pipe(database).pipe(socket);
    socket.on('error', () => database.destroy());
    database.on('error', () => socket.destroy());
    socket.on('close', () => database.destroy());
  },
  'never answers': (socket: Socket) => socket.on('error', () => {}),
  'ends connections': (socket: Socket) => setTimeout(() => socket.destroy(), 50),
} satisfies Record<string, (socket: Socket, toDatabase: () => Socket) => void>;

/** Stands between the portal and the database, and behaves like one that fails. */
class Front {
  behavior: keyof typeof behaviors | 'refuses' = 'works';
  readonly #port: number;
  readonly #databasePort: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  constructor(port: number, databasePort: number) {
    this.#port = port;
    this.#databasePort = databasePort;
  }

  async change(behavior: Front['behavior']): Promise<void> {
    this.behavior = behavior;
    for (const socket of this.#sockets) socket.destroy();
    this.#server?.close();
    this.#server = undefined;
    if (behavior === 'refuses') return;
    const toDatabase = () => connect(this.#databasePort, '127.0.0.1');
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      behaviors[behavior](socket, toDatabase);
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }
}

/** Half a second for each statement of a slow database. */
const orders = `
  CREATE ROLE reports LOGIN;
  CREATE TABLE pace (seconds double precision);
  INSERT INTO pace VALUES (0);
  CREATE TABLE orders AS SELECT i AS id, 'R' || i % 4 AS region, i % 100 AS sales
    FROM generate_series(1, 10000) AS i;
  CREATE VIEW slow_orders AS SELECT orders.* FROM orders,
    (SELECT pg_sleep(seconds) FROM pace OFFSET 0) AS waited;
  GRANT SELECT ON ALL TABLES IN SCHEMA public TO reports;`;

const content = {
  'datasets/orders.yaml': `name: Orders
source:
  connection: warehouse
  table: slow_orders
  freshness: 0 seconds
rowAccess: everyone
metrics:
  - name: Sales
    expression: sum(sales)
`,
  'reports/orders.yaml': `name: Orders
workspace: Sales
dataset: orders
pages:
  - name: Overview
    rows:
      - tiles:
          - type: kpi
            metric: Sales
          - type: bar
            x: region
            y: Sales
`,
};

async function seed(environment: Record<string, string>, folder: string) {
  const databaseUrl = environment['PORTAL_DATABASE_URL'];
  const { db, close } = await openDatabase({ databaseUrl, dataDir: folder });
  const organizationId = await createOrganization(db, {
    slug: 'orders',
    name: 'Orders',
    accentColor: '#0f6e56',
  });
  const ctx = operatorContext({ db, organizationId, publicUrl });
  await setOrigins(ctx, { addresses: [address], embedOrigins: [] });
  const { key: apiKey } = await createApiKey(ctx, { name: 'benchmark', permissions });
  for (const [name, text] of Object.entries(content)) {
    const file = path.join(folder, 'content', name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [portalBin, ...args, '-o', 'orders'], {
      env: { ...process.env, ...environment },
    });
  await run('connections', 'grant', 'warehouse');
  await run('content', 'apply', path.join(folder, 'content'));
  const { data } = await listReports(ctx, { pageNumber: 1, pageSize: 1 });
  const reportId = data[0]!.id;
  for (const email of emails) {
    await createUser(ctx, { email, name: email, role: 3 });
    await linkReports(ctx, { userEmail: email, reports: [reportId] });
  }
  await close();
  return { apiKey, reportId };
}

/** Keeps readers busy until the returned function is called, which returns the answers by status. */
function keepReading(portal: ServerProcess, reportId: string, bearers: readonly string[]) {
  const stopping = new AbortController();
  const statuses = new Map<string, number>();
  const loops = bearers.map(async (bearer) => {
    while (!stopping.signal.aborted) {
      const answer = await send(`${portal.origin}/viewer/reports/${reportId}/view`, {
        method: 'POST',
        headers: { host, authorization: `Bearer ${bearer}` },
        json: { intent: 'refresh', view: { filters: [], sorts: [], drills: [] } },
      });
      const outcome =
        answer.status === 200 && answer.body.includes('"failure"')
          ? 'failed tiles'
          : `${answer.status}`;
      statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
      await delay(1_000);
    }
  });
  return async () => {
    stopping.abort();
    await Promise.all(loops);
    return statuses;
  };
}

// Without a handler, SIGTERM would skip the `exit` listeners that stop the servers.
process.once('SIGTERM', () => process.exit(143));
const print = (line: string) => process.stdout.write(`${line}\n`);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-benchmark-'));
const cluster = await startPostgres();
try {
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  await admin.query('CREATE DATABASE portal');
  await admin.query(orders);
  const port = await findFreePort();
  const front = new Front(port, Number(new URL(cluster.url('postgres')).port));
  await front.change('works');
  const environment = {
    PORTAL_DATABASE_URL: cluster.url('portal'),
    PORTAL_DATA_DIR: folder,
    PORTAL_CONNECTION_WAREHOUSE: `postgres://reports@127.0.0.1:${port}/postgres`,
  };
  const { apiKey, reportId } = await seed(environment, folder);
  const portal = await startPortal({
    ...environment,
    PORTAL_PUBLIC_URL: publicUrl,
    PORTAL_VIEWER_RATE_LIMIT: '0',
  });
  const bearers: string[] = [];
  for (const email of emails) bearers.push((await openSession(portal, apiKey, email)).bearer);
  const request = createMintRequest(apiKey, emails[0]!);
  // Throws if a mint is refused.
  const mint = async () =>
    (await drive({ port: portal.port, connections: 1, seconds, nextRequest: () => request }))
      .latencies;

  const { max_connections: most } = (await admin.query('SHOW max_connections')).rows[0] as {
    max_connections: string;
  };
  const situations: Record<
    string,
    { begin: () => Promise<unknown>; end?: () => Promise<unknown> }
  > = {
    works: { begin: () => front.change('works') },
    refuses: { begin: () => front.change('refuses') },
    'never answers': { begin: () => front.change('never answers') },
    'ends connections': { begin: () => front.change('ends connections') },
    'has no connection left': {
      begin: async () => {
        await admin.query('ALTER ROLE reports CONNECTION LIMIT 0');
        await front.change('works');
      },
      end: () => admin.query(`ALTER ROLE reports CONNECTION LIMIT ${most}`),
    },
    'takes half a second': {
      begin: async () => {
        await admin.query('UPDATE pace SET seconds = 0.5');
        await front.change('works');
      },
      end: () => admin.query('UPDATE pace SET seconds = 0'),
    },
  };
  const latencies: Record<string, number[]> = { 'no readers': [] };
  const answers: Record<string, Map<string, number>> = {};
  print(`${os.cpus().length} cores, load ${os.loadavg()[0]!.toFixed(1)} at the start\n`);
  await mint();
  for (let round = 0; round < rounds; round += 1) {
    latencies['no readers']!.push(...(await mint()));
    for (const [name, { begin, end }] of Object.entries(situations)) {
      await begin();
      const stop = keepReading(portal, reportId, bearers);
      await delay(1_500);
      (latencies[name] ??= []).push(...(await mint()));
      const outcomes = await stop();
      await end?.();
      const all = (answers[name] ??= new Map());
      for (const [outcome, count] of outcomes) all.set(outcome, (all.get(outcome) ?? 0) + count);
    }
  }
  await portal.stop();
  await front.change('refuses');
  await admin.end();
  print('| the database | mints | p50 ms | p99 ms | answers to readers |');
  print('|---|---:|---:|---:|---|');
  for (const [name, values] of Object.entries(latencies)) {
    const outcomes = [...(answers[name] ?? [])].map(([outcome, count]) => `${outcome}: ${count}`);
    const cells = [
      name,
      values.length,
      median(values).toFixed(1),
      quantile(values, 0.99).toFixed(1),
    ];
    print(`| ${[...cells, outcomes.toSorted().join(', ')].join(' | ')} |`);
  }
  print(`\nNo mint was refused. Load ${os.loadavg()[0]!.toFixed(1)} at the end.`);
} finally {
  await cluster.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}
