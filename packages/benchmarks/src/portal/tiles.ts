/**
 * Compares each type of tile over 3,000,000 flights with the same SQL by hand. The statements that a
 * tile sends to the engine and those by hand take turns in the same engine process, so that other work
 * on the machine slows both. The CPU time of the engine depends least on other work.
 *
 * `ROUNDS` (default 15) is the number of rounds, `THREADS` (default 2) those of a query.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { flightsFile } from './flights.ts';
import { listChildren, readThreadsCpuMs } from './processes.ts';
import { median } from './quantiles.ts';
import { cases, dataset } from './tiles-cases.ts';

const rounds = Number(process.env['ROUNDS'] ?? 15);
const threads = Number(process.env['THREADS'] ?? 2);

interface Query {
  dataset: object;
  text: string;
  values: unknown[];
}
type RunQuery = (owner: object, query: Query, signal: AbortSignal) => Promise<{ rows: object[] }>;

interface Internals {
  Engine: new (options: object) => { query: RunQuery; close: () => Promise<void> };
  Datasets: new (folder: string, cache: { query: RunQuery }) => object;
  computeReport: (scope: object, request: object) => Promise<object>;
  datasetSchema: { parse: (file: object) => object };
  reportSchema: { parse: (file: object) => object };
}

/** The portal exports none of these. */
async function loadInternals(): Promise<Internals> {
  const portal = import.meta.resolve('@portal-embed/portal');
  const model = new URL('../node_modules/@portal-embed/report-model/dist/index.js', portal);
  const builtin = new URL('platforms/builtin/', portal);
  const modules = await Promise.all(
    [
      new URL('engine/engine.js', builtin),
      new URL('files/datasets.js', builtin),
      new URL('compute.js', builtin),
      model,
    ].map((url) => import(url.href) as Promise<Partial<Internals>>),
  );
  return Object.assign({}, ...modules) as Internals;
}

const owner = { organizationId: 'flights', userId: 'reader' };
const { signal } = new AbortController();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-benchmark-'));
fs.mkdirSync(path.join(folder, owner.organizationId));
fs.copyFileSync(flightsFile, path.join(folder, owner.organizationId, 'flights.parquet'));

const { Engine, Datasets, computeReport, datasetSchema, reportSchema } = await loadInternals();
const logger = { warn: () => {}, error: () => {} };
const engine = new Engine({ queries: 1, userQueries: 1, threads, memoryMb: 1_024, logger });

/** Computes a report of one tile, and returns the statements that reach the engine. */
async function capture(tile: object, rows: unknown): Promise<Query[]> {
  const queries: Query[] = [];
  const query: RunQuery = (user, asked, aborted) => {
    queries.push(asked);
    return engine.query(user, asked, aborted);
  };
  const definition = datasetSchema.parse(dataset);
  await computeReport(
    { datasets: new Datasets(folder, { query }), cache: { query }, now: () => new Date() },
    {
      ...owner,
      platform: 'builtin',
      dataset: { name: 'Flights', file: '', files: ['flights.parquet'], definition },
      definition: reportSchema.parse({
        name: 'Tile',
        workspace: 'Benchmark',
        dataset: 'flights',
        pages: [{ name: 'Page', rows: [{ tiles: [tile] }] }],
      }),
      page: 0,
      visibleRows: [rows],
      viewer: { email: ['reader@flights.example'], department: [], groups: [], companies: [] },
      findDataset: async () => undefined,
      filters: [],
      unappliedFilters: 'note',
      onTileFailure: (error: unknown) => {
        throw error;
      },
      signal,
    },
  );
  return queries;
}

interface Measured {
  ms: number;
  cpuMs: number;
}

async function measure(queries: readonly Query[]): Promise<Measured> {
  const [pid = 0] = listChildren(process.pid);
  const cpuMs = readThreadsCpuMs(pid);
  const started = performance.now();
  for (const query of queries) await engine.query(owner, query, signal);
  return { ms: performance.now() - started, cpuMs: readThreadsCpuMs(pid) - cpuMs };
}

const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  print(`load ${os.loadavg()[0]!.toFixed(1)} at the start\n`);
  print(
    '| tile | statements | tile ms | by hand ms | CPU of tile ms | by hand ms | ratio | of CPU |',
  );
  print('|---|---:|---:|---:|---:|---:|---:|---:|');
  for (const { title, tile, rows = 'all', sql } of cases) {
    // A report has more statements than its tile: the time of the data and the number of rows.
    const around = await capture({ type: 'text', text: 'None' }, rows);
    const texts = new Set(around.map(({ text }) => text));
    const ofTile = (await capture(tile, rows)).filter(({ text }) => !texts.has(text));
    const byHand = sql.map((text) => ({ dataset: around[0]!.dataset, text, values: [] }));
    await measure([...ofTile, ...byHand]);
    const results: { tile: Measured; hand: Measured }[] = [];
    for (let round = 0; round < rounds; round += 1)
      results.push({ tile: await measure(ofTile), hand: await measure(byHand) });
    const pick = (of: 'tile' | 'hand', what: keyof Measured) =>
      median(results.map((result) => result[of][what])).toFixed(0);
    const ratio = (what: keyof Measured) =>
      median(results.map(({ tile: one, hand }) => one[what] / hand[what])).toFixed(2);
    const cells = [
      title,
      ofTile.length,
      pick('tile', 'ms'),
      pick('hand', 'ms'),
      pick('tile', 'cpuMs'),
      pick('hand', 'cpuMs'),
      ratio('ms'),
      ratio('cpuMs'),
    ];
    print(`| ${cells.join(' | ')} |`);
  }
  print(`\nload ${os.loadavg()[0]!.toFixed(1)} at the end`);
} finally {
  await engine.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
