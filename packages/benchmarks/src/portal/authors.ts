/**
 * Mints a URL every 20 ms for one organization, alone and while a contributor of another organization
 * sends what takes longest: checks, previews, saves, applies of content and opened reports. Both are
 * measured in turns. It fails if a mint is refused. It runs on PostgreSQL.
 *
 * `ROUNDS` (default 5) is the number of rounds, `SECONDS` (default 10) how long each part of a round is
 * measured. `KINDS=checks,saves` sends only these, and `BASE=folder` measures the built portal of
 * another version of the repository.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import pg from 'pg';
import { send, startPostgres } from 'test-support';

import { kinds, type Kind, type LoadOptions } from './authors-kinds.ts';
import {
  authorsAddress,
  contributor,
  quietReader,
  seedAuthors,
  type Authors,
} from './authors-seed.ts';
import { drive } from './load.ts';
import { median, quantile } from './quantiles.ts';
import { publicUrl } from './readers-seed.ts';
import { startPortal, type ServerProcess } from './service.ts';
import { createMintRequest, openSession } from './sessions.ts';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 10);
const base = process.env['BASE'];
const chosen = (process.env['KINDS']?.split(',') ?? kinds) as readonly Kind[];
const program = fileURLToPath(new URL('authors-load.js', import.meta.url));

/** Signs the contributor in, and returns the cookie. */
async function signIn({ origin }: ServerProcess, { token }: Authors): Promise<string> {
  const answer = await send(`${origin}/admin/api/invitation/accept`, {
    method: 'POST',
    headers: { host: new URL(publicUrl).host, origin: publicUrl },
    json: { token, password: 'a long sentence to measure with' },
  });
  if (answer.status !== 200) throw new Error(`The sign-in failed: ${answer.body}`);
  return answer.headers['set-cookie']![0]!.split(';')[0]!;
}

/** Sends requests until the returned function is called, which returns the answers by kind and status. */
function startLoad(options: LoadOptions) {
  const child = fork(program, [JSON.stringify(options)]);
  process.once('exit', () => child.kill());
  return async (): Promise<Record<string, number>> => {
    const answered = once(child, 'message');
    child.send('report');
    const [answers] = await answered;
    child.kill('SIGKILL');
    await once(child, 'exit');
    return answers as Record<string, number>;
  };
}

const print = (line: string) => process.stdout.write(`${line}\n`);

// Without a handler, SIGTERM would skip the `exit` listeners that stop the servers.
process.once('SIGTERM', () => process.exit(143));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-benchmark-'));
const cluster = await startPostgres();
try {
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  await admin.query('CREATE DATABASE portal');
  await admin.end();
  const databaseUrl = cluster.url('portal');
  const authors = await seedAuthors(databaseUrl, folder);
  const portal = await startPortal(
    { PORTAL_DATABASE_URL: databaseUrl, PORTAL_DATA_DIR: folder, PORTAL_PUBLIC_URL: publicUrl },
    base,
  );
  const cookie = await signIn(portal, authors);
  const { bearer } = await openSession(portal, authors.apiKey, contributor, authorsAddress);
  const request = createMintRequest(authors.quietKey, quietReader);
  // Throws if a mint is refused.
  const mint = async () => {
    const options = { port: portal.port, connections: 1, pauseMs: 20, nextRequest: () => request };
    return (await drive({ ...options, seconds })).latencies;
  };

  print(`${os.cpus().length} cores, load ${os.loadavg()[0]!.toFixed(1)} at the start\n`);
  await mint();
  print('| round | alone p50 | p95 | beside p50 | p95 | max | ratio p50 | p95 |');
  print('|---|---:|---:|---:|---:|---:|---:|---:|');
  const all: { alone: number[]; beside: number[] } = { alone: [], beside: [] };
  const answers = new Map<string, number>();
  const printRow = (name: string, alone: readonly number[], beside: readonly number[]) => {
    const [a, b] = [alone, beside].map((values) => [median(values), quantile(values, 0.95)]);
    const cells = [...a!, ...b!, Math.max(...beside), b![0]! / a![0]!, b![1]! / a![1]!];
    print(`| ${name} | ${cells.map((cell) => cell.toFixed(1)).join(' | ')} |`);
  };
  for (let round = 1; round <= rounds; round += 1) {
    const alone = await mint();
    const stop = startLoad({ ...authors, origin: portal.origin, cookie, bearer, kinds: chosen });
    await delay(2_000);
    const beside = await mint();
    for (const [outcome, count] of Object.entries(await stop()))
      answers.set(outcome, (answers.get(outcome) ?? 0) + count);
    // Work that has begun ends.
    await delay(3_000);
    all.alone.push(...alone);
    all.beside.push(...beside);
    printRow(String(round), alone, beside);
  }
  printRow('all', all.alone, all.beside);
  await portal.stop();
  const outcomes = [...answers].map(([outcome, count]) => `${outcome}: ${count}`);
  print(`\nAnswers to the contributor: ${outcomes.toSorted().join(', ')}.`);
  print(`No mint was refused. Load ${os.loadavg()[0]!.toFixed(1)} at the end.`);
} finally {
  await cluster.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}
