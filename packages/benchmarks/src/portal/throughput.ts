/**
 * Compares three contenders at mint and redeem: complete requests to the portal, a minimal Express
 * route that runs the same statement, and the statement alone. Each has one process and 16
 * connections, on PostgreSQL and on the embedded database. The contenders take turns, so that other
 * work on the machine slows all of them. The CPU time of a request depends least on other work.
 *
 * `ROUNDS` (default 5) is the number of rounds, `SECONDS` (default 2) their length.
 * `DATABASE=postgres` or `DATABASE=embedded` measures only one database.
 * `BENCHMARK_PROFILE=folder` writes a CPU profile of each server to this folder.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { openDatabase } from '@portal-embed/portal';
import pg from 'pg';
import { send, startPostgres } from 'test-support';

import { drive, writeMintRequest, type Measured } from './load.ts';
import { readCpuMs } from './processes.ts';
import { median, quantile } from './quantiles.ts';
import { startPortal, startServer, type ServerProcess } from './service.ts';
import { createToken, prepareAlone, createValues, type Statement } from './statements.ts';
import { prepareTarget, publicUrl, type Target } from './targets.ts';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 2);
const connections = 16;

type Action = 'mint' | 'redeem';

interface Contender {
  name: string;
  run: (action: Action) => Promise<Measured & { cpuMs?: number }>;
  stop: () => Promise<void>;
}

/** Returns the size of the viewer page, so that the minimal route can answer with as many bytes. */
async function measurePageBytes(portal: ServerProcess, target: Target): Promise<number> {
  const answer = await send(`${portal.origin}/identity?token=${target.tokens.pop()}`, {
    headers: { host: new URL(publicUrl).host },
  });
  if (answer.status !== 200) throw new Error(`Redeeming failed: ${answer.body}`);
  return Buffer.byteLength(answer.body);
}

function takeToken(tokens: string[]): string {
  const token = tokens.pop();
  if (token === undefined) throw new Error('There are not enough tokens for this many rounds.');
  return token;
}

function serverContender(name: string, server: ServerProcess, target: Target): Contender {
  const host = new URL(publicUrl).host;
  const { subject, apiKey, tokens } = target;
  const mint = writeMintRequest(host, apiKey, {
    userEmail: subject.userEmail,
    organizationId: subject.organizationId,
    reportId: subject.reportId,
    baseUrl: publicUrl,
  });
  const redeem = () =>
    `GET /identity?token=${takeToken(tokens)} HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Mode: navigate\r\n\r\n`;
  return {
    name,
    run: async (action) => {
      const before = readCpuMs(server.pid);
      const nextRequest = action === 'mint' ? () => mint : redeem;
      const measured = await drive({ port: server.port, connections, seconds, nextRequest });
      return { ...measured, cpuMs: readCpuMs(server.pid) - before };
    },
    stop: server.stop,
  };
}

async function bareContender(target: Target): Promise<Contender> {
  const { execute, close } = await openBare(target);
  return {
    name: 'bare statement',
    run: async (action) => {
      const statement = target.statements.find(({ name }) => name === action)!;
      const latencies: number[] = [];
      const start = performance.now();
      const end = start + seconds * 1000;
      const work = async (connection: number) => {
        while (performance.now() < end) {
          const sent = performance.now();
          const token = action === 'mint' ? createToken() : takeToken(target.tokens);
          const values = createValues(statement, token);
          await execute(connection, statement, values);
          latencies.push(performance.now() - sent);
          // The embedded database answers within the current turn of the event loop.
          if (!target.databaseUrl) await new Promise(setImmediate);
        }
      };
      await Promise.all(Array.from({ length: connections }, (_, index) => work(index)));
      return { latencies, seconds: (performance.now() - start) / 1000 };
    },
    stop: close,
  };
}

type Execute = (connection: number, statement: Statement, values: unknown[]) => Promise<unknown>;

async function openBare(target: Target): Promise<{ execute: Execute; close: () => Promise<void> }> {
  const { databaseUrl, dataDir } = target;
  if (databaseUrl) {
    const clients = await Promise.all(
      Array.from({ length: connections }, async () => {
        const client = new pg.Client({ connectionString: databaseUrl });
        await client.connect();
        return client;
      }),
    );
    return {
      execute: (connection, { name, text }, values) =>
        clients[connection]!.query({ name, text, values }),
      close: async () => {
        await Promise.all(clients.map((client) => client.end()));
      },
    };
  }
  const { db, close } = await openDatabase({ dataDir });
  const [mint, redeem] = await Promise.all(target.statements.map(prepareAlone));
  const runs = { mint: mint!, redeem: redeem! };
  return { execute: (_connection, { name }, values) => runs[name](db, values), close };
}

async function startContenders(
  folder: string,
  databaseUrl?: (name: string) => string,
): Promise<Contender[]> {
  const tokenCount = Math.ceil(rounds * seconds * (databaseUrl ? 6_000 : 3_000)) + 5_000;
  const [portalTarget, minimalTarget, bareTarget] = [
    await prepareTarget(path.join(folder, 'whole'), databaseUrl?.('portal_whole'), tokenCount),
    await prepareTarget(path.join(folder, 'minimal'), databaseUrl?.('portal_minimal'), tokenCount),
    await prepareTarget(path.join(folder, 'bare'), databaseUrl?.('portal_bare'), tokenCount * 2),
  ];
  const portal = await startPortal({
    ...createEnvironment(portalTarget),
    PORTAL_PUBLIC_URL: publicUrl,
  });
  const setup = path.join(folder, 'setup.json');
  const pageBytes = await measurePageBytes(portal, portalTarget);
  fs.writeFileSync(setup, JSON.stringify({ statements: minimalTarget.statements, pageBytes }));
  const minimal = await startServer(
    [fileURLToPath(new URL('minimal-server.js', import.meta.url))],
    { ...createEnvironment(minimalTarget), MINIMAL_SETUP: setup },
  );
  return [
    serverContender('portal', portal, portalTarget),
    serverContender('minimal route', minimal, minimalTarget),
    await bareContender(bareTarget),
  ];
}

const createEnvironment = ({ databaseUrl, dataDir }: Target) => ({
  PORTAL_DATABASE_URL: databaseUrl ?? '',
  PORTAL_DATA_DIR: dataDir,
});

const print = (line: string) => process.stdout.write(`${line}\n`);

async function compare(title: string, contenders: Contender[]): Promise<void> {
  for (const action of ['mint', 'redeem'] as const) {
    // Warm-up, not measured.
    for (const contender of contenders) await contender.run(action);
    const results = contenders.map(() => [] as Awaited<ReturnType<Contender['run']>>[]);
    for (let round = 0; round < rounds; round++)
      for (const [index, contender] of contenders.entries())
        results[index]!.push(await contender.run(action));
    const rates = results.map((runs) => runs.map((run) => run.latencies.length / run.seconds));
    contenders.forEach(({ name }, index) => {
      const latencies = results[index]!.flatMap((run) => run.latencies);
      const ratio = (to: number) =>
        median(rates[index]!.map((rate, round) => rate / rates[to]![round]!)).toFixed(2);
      const cpu = results[index]!.map((run) => ((run.cpuMs ?? 0) * 1000) / run.latencies.length);
      const cells = [
        title,
        action,
        name,
        median(rates[index]!).toFixed(0),
        quantile(latencies, 0.5).toFixed(1),
        quantile(latencies, 0.99).toFixed(1),
        median(cpu) > 0 ? median(cpu).toFixed(0) : '',
        ratio(1),
        ratio(2),
      ];
      print(`| ${cells.join(' | ')} |`);
    });
  }
}

async function measure(title: string, databaseUrl?: (name: string) => string): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-benchmark-'));
  const contenders = await startContenders(folder, databaseUrl);
  try {
    await compare(title, contenders);
  } finally {
    for (const contender of contenders) await contender.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function measurePostgres(): Promise<void> {
  const cluster = await startPostgres();
  try {
    const client = new pg.Client({ connectionString: cluster.url('postgres') });
    await client.connect();
    for (const name of ['portal_whole', 'portal_minimal', 'portal_bare'])
      await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    await measure('PostgreSQL', cluster.url);
  } finally {
    await cluster.stop();
  }
}

// Without a handler, SIGTERM would skip the `exit` listeners that stop the servers.
process.once('SIGTERM', () => process.exit(143));

print('| database | request | | per s | p50 ms | p99 ms | CPU µs | of minimal | of bare |');
print('|---|---|---|---:|---:|---:|---:|---:|---:|');
const only = process.env['DATABASE'];
if (only !== 'embedded') await measurePostgres();
if (only !== 'postgres') await measure('embedded');
