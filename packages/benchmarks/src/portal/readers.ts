/**
 * Measures 1, 10 and 50 readers who open the demo's report over 3,000,000 flights at the same time,
 * once with equal rows and once with different ones. Each reads it twice: the portal has nothing in its
 * cache at first. Engine time is the CPU time of the processes that run DuckDB.
 *
 * Then it mints one URL after another: alone, while 50 readers ask for rows that are never in the
 * cache, and beside as many spinning processes as the engine had runnable threads. It fails if a
 * mint is refused. It runs on PostgreSQL.
 *
 * `ROUNDS` (default 3) is the number of rounds, `SECONDS` (default 10) how long mints are measured in
 * each.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';
import { send, startPostgres } from 'test-support';

import { drive } from './load.ts';
import { countRunnable, listChildren, readCpuMs } from './processes.ts';
import { median, quantile } from './quantiles.ts';
import { address, publicUrl, seedReaders, type Readers } from './readers-seed.ts';
import { startPortal, type ServerProcess } from './service.ts';
import { createMintRequest, openSession, type Session } from './sessions.ts';

const rounds = Number(process.env['ROUNDS'] ?? 3);
const seconds = Number(process.env['SECONDS'] ?? 10);
const counts = [1, 10, 50];
const { host } = new URL(address);

let waits = 0;

/** Requests the report until it is there, and returns the time that it took, in milliseconds. */
async function view(
  portal: ServerProcess,
  { reportId }: Readers,
  { bearer }: Session,
  filters: { field: string; values: string[] }[] = [],
): Promise<number> {
  const started = performance.now();
  for (;;) {
    const answer = await send(`${portal.origin}/viewer/reports/${reportId}/view`, {
      method: 'POST',
      headers: { host, authorization: `Bearer ${bearer}` },
      json: { intent: 'refresh', view: { filters, sorts: [], drills: [] } },
    });
    if (answer.status === 200 && !answer.body.includes('"failure"'))
      return performance.now() - started;
    if (answer.status !== 503) throw new Error(`The report failed: ${answer.body.slice(0, 500)}`);
    // A minute has passed. The page asks again, too.
    waits += 1;
    await delay(Number(answer.headers['retry-after']) * 1_000);
  }
}

let nextDistance = 0;
/** A filter that no request had before, and that leaves nearly all rows. */
const createFilter = () => [{ field: 'distance', values: [`0..${100_000 + (nextDistance += 1)}`] }];

const readEngineMs = (portal: ServerProcess) =>
  listChildren(portal.pid).reduce((sum, pid) => sum + readCpuMs(pid), 0);

interface Measured {
  latencies: number[];
  engineMs: number;
}

async function measureViews(
  portal: ServerProcess,
  readers: Readers,
  sessions: readonly Session[],
): Promise<Measured> {
  const before = readEngineMs(portal);
  const latencies = await Promise.all(sessions.map((session) => view(portal, readers, session)));
  return { latencies, engineMs: readEngineMs(portal) - before };
}

/** Starts a portal with an empty cache and with all of its engine processes. */
async function startWarm(
  environment: Record<string, string>,
  readers: Readers,
): Promise<{ portal: ServerProcess; open: (emails: readonly string[]) => Promise<Session[]> }> {
  const portal = await startPortal({
    ...environment,
    PORTAL_PUBLIC_URL: publicUrl,
    PORTAL_VIEWER_RATE_LIMIT: '0',
  });
  const open = async (emails: readonly string[]) => {
    const sessions: Session[] = [];
    for (const email of emails) sessions.push(await openSession(portal, readers.apiKey, email));
    return sessions;
  };
  const sessions = await open(readers.equal.slice(0, 4));
  await Promise.all(sessions.map((session) => view(portal, readers, session, createFilter())));
  return { portal, open };
}

const print = (line: string) => process.stdout.write(`${line}\n`);

async function compareReaders(
  environment: Record<string, string>,
  readers: Readers,
): Promise<void> {
  print(
    '| readers | rows | first p50 ms | first max ms | engine ms | again p50 ms | engine ms | asked again after a minute |',
  );
  print('|---:|---|---:|---:|---:|---:|---:|---:|');
  for (const count of counts)
    for (const rows of ['equal', 'different'] as const) {
      const measured: { first: Measured; again: Measured }[] = [];
      waits = 0;
      for (let round = 0; round < rounds; round += 1) {
        const { portal, open } = await startWarm(environment, readers);
        const sessions = await open(readers[rows].slice(0, count));
        const first = await measureViews(portal, readers, sessions);
        measured.push({ first, again: await measureViews(portal, readers, sessions) });
        await portal.stop();
      }
      const pick = (choose: (each: (typeof measured)[number]) => number) =>
        median(measured.map(choose)).toFixed(0);
      const cells = [
        count,
        rows,
        pick(({ first }) => median(first.latencies)),
        pick(({ first }) => Math.max(...first.latencies)),
        pick(({ first }) => first.engineMs),
        pick(({ again }) => median(again.latencies)),
        pick(({ again }) => again.engineMs),
        waits,
      ];
      print(`| ${cells.join(' | ')} |`);
    }
}

/** Keeps readers busy until the returned function is called, which returns the number of reports. */
function keepReading(portal: ServerProcess, readers: Readers, sessions: readonly Session[]) {
  const stopping = new AbortController();
  const loops = sessions.map(async (session) => {
    let reports = 0;
    for (; !stopping.signal.aborted; reports += 1)
      await view(portal, readers, session, createFilter());
    return reports;
  });
  return async (): Promise<number> => {
    stopping.abort();
    return (await Promise.all(loops)).reduce((sum, reports) => sum + reports, 0);
  };
}

/** Starts processes that spin, and returns a function that ends them. */
function spin(processes: number): () => void {
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const end = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.once('exit', end);
  return end;
}

/** Samples the engine's runnable threads until the returned function is called; returns their mean. */
function sampleThreads(portal: ServerProcess): () => number {
  const samples: number[] = [];
  const timer = setInterval(() => {
    const threads = listChildren(portal.pid).map((pid) => countRunnable(pid));
    samples.push(threads.reduce((sum, each) => sum + each, 0));
  }, 100);
  return () => {
    clearInterval(timer);
    return samples.reduce((sum, each) => sum + each, 0) / samples.length;
  };
}

async function compareMints(environment: Record<string, string>, readers: Readers): Promise<void> {
  const { portal, open } = await startWarm(environment, readers);
  const sessions = await open(readers.different);
  const request = createMintRequest(readers.apiKey, readers.equal[0]!);
  // Throws if a mint is refused.
  const mint = async () =>
    (await drive({ port: portal.port, connections: 1, seconds, nextRequest: () => request }))
      .latencies;
  const latencies: Record<'alone' | 'readers' | 'control', number[]> = {
    alone: [],
    readers: [],
    control: [],
  };
  const threads: number[] = [];
  let reports = 0;
  await mint();
  for (let round = 0; round < rounds; round += 1) {
    latencies.alone.push(...(await mint()));
    const stop = keepReading(portal, readers, sessions);
    await delay(2_000);
    const endSample = sampleThreads(portal);
    latencies.readers.push(...(await mint()));
    threads.push(endSample());
    reports += await stop();
    const end = spin(Math.round(threads.at(-1)!));
    await delay(500);
    latencies.control.push(...(await mint()));
    end();
  }
  await portal.stop();
  print('\n| mints | number | p50 ms | p99 ms |');
  print('|---|---:|---:|---:|');
  for (const [name, values] of Object.entries(latencies))
    print(
      `| ${name} | ${values.length} | ${median(values).toFixed(1)} | ${quantile(values, 0.99).toFixed(1)} |`,
    );
  print(
    `\nNo mint was refused. The readers opened ${reports} reports meanwhile. The engine had ${threads.map((mean) => mean.toFixed(1)).join(', ')} runnable threads.`,
  );
}

// Without a handler, SIGTERM would skip the `exit` listeners that stop the servers.
process.once('SIGTERM', () => process.exit(143));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-benchmark-'));
const cluster = await startPostgres();
try {
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  await client.connect();
  await client.query('CREATE DATABASE readers');
  await client.end();
  const environment = { PORTAL_DATABASE_URL: cluster.url('readers'), PORTAL_DATA_DIR: folder };
  const readers = await seedReaders(cluster.url('readers'), folder, Math.max(...counts));
  print(`${os.cpus().length} cores, load ${os.loadavg()[0]!.toFixed(1)} at the start\n`);
  await compareReaders(environment, readers);
  await compareMints(environment, readers);
  print(`\nload ${os.loadavg()[0]!.toFixed(1)} at the end`);
} finally {
  await cluster.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}
