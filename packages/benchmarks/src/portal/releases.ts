/**
 * Compares the processor time of requests to this version of the portal with another one's, whose built
 * repository is `BASE`. Both run on one PostgreSQL database and take turns, so that other work on the
 * machine slows both. Prints medians, and the median of each round's ratio.
 *
 * - mint: one URL for the whole portal
 * - redeem: the page of such a URL
 * - view: a report whose results are in the cache
 * - tile: a bar chart over 3,000,000 flights whose results are not, with the processes of the engine
 *
 * `ROUNDS` (default 10) is the number of rounds.
 */
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

import { send, startPostgres, type Answer } from 'testing';

import { readFamilyCpuMs } from './processes.ts';
import { median } from './quantiles.ts';
import { address, publicUrl, seedReaders, type Readers } from './readers-seed.ts';
import { startPortal, type ServerProcess } from './service.ts';
import { openSession } from './sessions.ts';

const base = process.env['BASE'];
if (base === undefined) throw new Error('Set BASE to the built repository of another version.');
const rounds = Number(process.env['ROUNDS'] ?? 10);

const { host } = new URL(address);
const agent = new http.Agent({ keepAlive: true });
const requestsAtOnce = 8;

type Call = () => Promise<Answer>;

interface Side {
  portal: ServerProcess;
  /** Prepares one request of each kind. What is prepared is not measured. */
  prepare: Record<Kind, () => Promise<Call> | Call>;
}

/** Requests of one round. */
const counts = { mint: 1_000, redeem: 400, view: 400, tile: 12 };
type Kind = keyof typeof counts;

let nextDistance = 0;
/** A filter that no request had before, and that leaves nearly all rows. */
const createFilter = () => ({ field: 'distance', values: [`0..${100_000 + (nextDistance += 1)}`] });

async function startSide(
  environment: Record<string, string>,
  { apiKey, tileId, equal: [userEmail] }: Readers,
  folder?: string,
): Promise<Side> {
  const portal = await startPortal(environment, folder);
  const { bearer } = await openSession(portal, apiKey, userEmail!);
  const mint = () =>
    send(`${portal.origin}/api/identity/url`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey },
      json: { userEmail, baseUrl: address },
      agent,
    });
  const view = (filters: object[]) =>
    send(`${portal.origin}/viewer/reports/${tileId}/view`, {
      method: 'POST',
      headers: { host, authorization: `Bearer ${bearer}` },
      json: { intent: 'refresh', view: { filters, sorts: [], drills: [] } },
      agent,
    });
  return {
    portal,
    prepare: {
      mint: () => mint,
      redeem: async () => {
        const { pathname, search } = new URL((await mint()).json().embedUrl as string);
        const headers = { host, 'sec-fetch-mode': 'navigate' };
        return () => send(portal.origin, { path: pathname + search, headers, agent });
      },
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

/** Returns the processor time of one request, in microseconds. */
async function measure({ portal, prepare }: Side, kind: Kind): Promise<number> {
  const count = counts[kind];
  const calls = await runAll(Array.from({ length: count }, () => prepare[kind]));
  const before = readFamilyCpuMs(portal.pid);
  const answers = await runAll(calls);
  const cpuMs = readFamilyCpuMs(portal.pid) - before;
  const wrong = answers.find(({ status, body }) => status !== 200 || body.includes('"failure"'));
  if (wrong) throw new Error(`A ${kind} failed: ${wrong.status} ${wrong.body.slice(0, 500)}`);
  return (cpuMs * 1_000) / count;
}

const print = (line: string) => process.stdout.write(`${line}\n`);

// Without a handler, SIGTERM would skip the `exit` listeners that stop the servers.
process.once('SIGTERM', () => process.exit(143));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-benchmark-'));
const cluster = await startPostgres();
try {
  const environment = {
    PORTAL_DATABASE_URL: cluster.url('postgres'),
    PORTAL_DATA_DIR: folder,
    PORTAL_PUBLIC_URL: publicUrl,
    PORTAL_VIEWER_RATE_LIMIT: '0',
  };
  const readers = await seedReaders(environment.PORTAL_DATABASE_URL, folder, 1);
  const now = await startSide(environment, readers);
  const then = await startSide(environment, readers, base);
  print(`load ${os.loadavg()[0]!.toFixed(1)} at the start\n`);
  print('| request | CPU µs now | CPU µs then | ratio | lowest | highest |');
  print('|---|---:|---:|---:|---:|---:|');
  for (const kind of Object.keys(counts) as Kind[]) {
    // Warm-up, not measured.
    for (const side of [now, then]) await measure(side, kind);
    const measured: [number, number][] = [];
    for (let round = 0; round < rounds; round += 1)
      // Each side goes first as often as the other.
      if (round % 2 === 0) measured.push([await measure(now, kind), await measure(then, kind)]);
      else {
        const other = await measure(then, kind);
        measured.push([await measure(now, kind), other]);
      }
    const ratios = measured.map(([one, other]) => one / other);
    const cells = [
      kind,
      median(measured.map(([one]) => one)).toFixed(0),
      median(measured.map(([, other]) => other)).toFixed(0),
      ...[median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) =>
        ratio.toFixed(2),
      ),
    ];
    print(`| ${cells.join(' | ')} |`);
  }
  await Promise.all([now.portal.stop(), then.portal.stop()]);
} finally {
  await cluster.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}
