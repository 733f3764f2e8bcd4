/**
 * Compares the processor time of requests to this version of the portal with another one's, whose built
 * repository is `BASE`. Both run on one PostgreSQL database and take turns, so that other work on the
 * machine slows both. Prints medians, and the median of each round's ratio.
 *
 * - mint: one URL for the whole portal
 * - redeem: the page of such a URL
 * - page: the page of a URL for one report, with its first data, whose results are in the cache
 * - view: a report whose results are in the cache
 * - tile: a bar chart over 3,000,000 flights whose results are not, with the processes of the engine
 *
 * `ROUNDS` (default 10) is the number of rounds, each with fresh processes, since two processes of one
 * program can differ by a third; `TURNS` (default 8) that of each side's turns in a round.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

import { send, startPostgres, type Answer } from 'test-support';

import { listChildren, readThreadsCpuMs } from './processes.ts';
import { median } from './quantiles.ts';
import { address, publicUrl, seedReaders, type Readers } from './readers-seed.ts';
import { startPortal, type ServerProcess } from './service.ts';
import { openSession, type Session } from './sessions.ts';

const base = process.env['BASE'];
if (base === undefined) throw new Error('Set BASE to the built repository of another version.');
const rounds = Number(process.env['ROUNDS'] ?? 10);
const turns = Number(process.env['TURNS'] ?? 8);

const { host } = new URL(address);
const agent = new http.Agent({ keepAlive: true });
const requestsAtOnce = 8;

type Call = () => Promise<Answer>;

interface Side {
  portal: ServerProcess;
  /** Prepares one request of each kind. What is prepared is not measured. */
  prepare: Record<Kind, () => Promise<Call> | Call>;
}

/** Readers who take turns: one alone would soon wait for others, and a process that waits is slower. */
const users = 20;

/** Requests of one round. The sides change often, so that other work slows both alike. */
const counts = { mint: 500, redeem: 250, page: 100, view: 100, tile: 4 };
type Kind = keyof typeof counts;
/** Rounds before the measured one. */
const warmUps = { mint: 2, redeem: 2, page: 2, view: 2, tile: 1 };

let nextDistance = 0;
/** A filter that no request had before, and that leaves nearly all rows. */
const createFilter = () => ({ field: 'distance', values: [`0..${100_000 + (nextDistance += 1)}`] });

async function startSide(
  environment: Record<string, string>,
  { organizationId, apiKey, tileId, equal }: Readers,
  folder?: string,
): Promise<Side> {
  const portal = await startPortal(environment, folder);
  pin(portal.pid, 1);
  const sessions: Session[] = [];
  for (const email of equal) sessions.push(await openSession(portal, apiKey, email));
  let next = 0;
  const nextUser = () => equal[(next += 1) % equal.length];
  const mint = (report: object = {}) =>
    send(`${portal.origin}/api/identity/url`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey },
      json: { userEmail: equal[0], baseUrl: address, ...report },
      agent,
    });
  const redeem = async (report?: object) => {
    const { pathname, search } = new URL((await mint(report)).json().embedUrl as string);
    const headers = { host, 'sec-fetch-mode': 'navigate' };
    return () => send(portal.origin, { path: pathname + search, headers, agent });
  };
  const view = (filters: object[]) => {
    const { bearer } = sessions[(next += 1) % sessions.length]!;
    return send(`${portal.origin}/viewer/reports/${tileId}/view`, {
      method: 'POST',
      headers: { host, authorization: `Bearer ${bearer}` },
      json: { intent: 'refresh', view: { filters, sorts: [], drills: [] } },
      agent,
    });
  };
  return {
    portal,
    prepare: {
      mint: () => () => mint(),
      redeem: () => redeem(),
      page: () => redeem({ organizationId, reportId: tileId, userEmail: nextUser() }),
      view: () => () => view([]),
      tile: () => {
        const filters = [createFilter()];
        return () => view(filters);
      },
    },
  };
}

/** Runs calls, some at the same time, and returns their answers. */
async function runAll<Result>(
  calls: readonly (() => Promise<Result> | Result)[],
): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...calls.entries()];
  await Promise.all(
    Array.from({ length: requestsAtOnce }, async () => {
      for (let next = left.pop(); next; next = left.pop()) results[next[0]] = await next[1]();
    }),
  );
  return results;
}

const readCpuMs = ({ pid }: ServerProcess) =>
  [pid, ...listChildren(pid)].reduce((sum, each) => sum + readThreadsCpuMs(each), 0);

/** Returns the processor time of one request, in microseconds. */
async function measure({ portal, prepare }: Side, kind: Kind): Promise<number> {
  const count = counts[kind];
  const calls = await runAll(Array.from({ length: count }, () => prepare[kind]));
  const before = readCpuMs(portal);
  const answers = await runAll(calls);
  const cpuMs = readCpuMs(portal) - before;
  const wrong = answers.find(({ status, body }) => status !== 200 || body.includes('"failure"'));
  if (wrong) throw new Error(`A ${kind} failed: ${wrong.status} ${wrong.body.slice(0, 500)}`);
  return (cpuMs * 1_000) / count;
}

/** Returns the processor times of one request to each side, in microseconds. */
async function measureTurns(now: Side, then: Side, kind: Kind): Promise<[number, number]> {
  const sums: [number, number] = [0, 0];
  for (let turn = 0; turn < turns; turn += 1)
    // Each side goes first as often as the other.
    for (const index of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      sums[index] += await measure([now, then][index]!, kind);
  return [sums[0] / turns, sums[1] / turns];
}

/** Lets all threads of a process run on one processor only. New threads and children inherit it. */
const pin = (pid: number, processor: number) =>
  execFileSync('taskset', ['-acp', String(processor), String(pid)]);

const print = (line: string) => process.stdout.write(`${line}\n`);

process.setMaxListeners(0);
// Without a handler, SIGTERM would skip the `exit` listeners that stop the servers.
process.once('SIGTERM', () => process.exit(143));

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-benchmark-'));
// The same processor for both sides: one that shares its own with the database costs a third more.
pin(process.pid, 0);
const cluster = await startPostgres();
try {
  const environment = {
    PORTAL_DATABASE_URL: cluster.url('postgres'),
    PORTAL_DATA_DIR: dataDir,
    PORTAL_PUBLIC_URL: publicUrl,
    PORTAL_VIEWER_RATE_LIMIT: '0',
  };
  const readers = await seedReaders(environment.PORTAL_DATABASE_URL, dataDir, users, base);
  print(`load ${os.loadavg()[0]!.toFixed(1)} at the start\n`);
  const measured: Record<string, [number, number][]> = {};
  for (let round = 0; round < rounds; round += 1) {
    const start = (folder?: string) => startSide(environment, readers, folder);
    // What starts first differs from what starts second.
    const first = round % 2 === 0;
    const one = await start(first ? undefined : base);
    const other = await start(first ? base : undefined);
    const [now, then] = first ? [one, other] : [other, one];
    for (const kind of Object.keys(counts) as Kind[]) {
      // Not measured: Node compiles what runs often.
      for (let turn = 0; turn < warmUps[kind]; turn += 1) await measureTurns(now, then, kind);
      (measured[kind] ??= []).push(await measureTurns(now, then, kind));
    }
    await Promise.all([now.portal.stop(), then.portal.stop()]);
  }
  print('| request | CPU µs now | CPU µs then | ratio | lowest | highest |');
  print('|---|---:|---:|---:|---:|---:|');
  for (const [kind, pairs] of Object.entries(measured)) {
    const ratios = pairs.map(([one, other]) => one / other);
    const cells = [
      kind,
      median(pairs.map(([one]) => one)).toFixed(0),
      median(pairs.map(([, other]) => other)).toFixed(0),
      ...[median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) =>
        ratio.toFixed(2),
      ),
    ];
    print(`| ${cells.join(' | ')} |`);
  }
} finally {
  await cluster.stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
}
