/**
 * Compares each type of tile over flights with the same SQL by hand. The statements of a tile and those
 * by hand take turns over the portal's own connection to the engine, so that other work on the machine
 * slows both. The CPU time of the engine depends least on other work.
 *
 * `ENGINE` is `duckdb` (default), `postgres` or `clickhouse`, `ROWS` (default 3,000,000) the number of
 * flights (DuckDB always has 3,000,000), `ROUNDS` (default 15) the number of rounds, `THREADS`
 * (default 2) those of a query of DuckDB.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { median } from './quantiles.ts';
import { cases, dataset, dialects } from './tiles-cases.ts';
import { engines } from './tiles-engines.ts';

const engineName = (process.env['ENGINE'] ?? 'duckdb') as keyof typeof engines;
const rounds = Number(process.env['ROUNDS'] ?? 15);
const rows = Number(process.env['ROWS'] ?? 3_000_000);
const threads = Number(process.env['THREADS'] ?? 2);

interface Statement {
  text: string;
  values: readonly unknown[];
}

interface Source {
  query: (owner: object, statement: Statement, signal: AbortSignal) => Promise<object[]>;
}

interface Cache {
  query: (
    owner: object,
    source: Source,
    statement: Statement,
    signal: AbortSignal,
  ) => Promise<object[]>;
}

interface Internals {
  Engine: new (options: object) => { close: () => Promise<void> };
  Datasets: new (files: object, engine: object, cache: Cache) => object;
  Slices: new () => object;
  folderFiles: (folder: string) => object;
  computeReport: (scope: object, request: object) => Promise<object>;
  openConnections: (settings: object[], limits: object) => { close: () => Promise<void> };
  datasetSchema: { parse: (file: object) => object };
  reportSchema: { parse: (file: object) => object };
}

/** The portal exports none of these. */
async function loadInternals(): Promise<Internals> {
  const portal = import.meta.resolve('@portal-embed/portal');
  const model = new URL('../node_modules/@portal-embed/report-model/dist/index.js', portal);
  const reportEngine = new URL('packages/report-engine/', portal);
  const modules = await Promise.all(
    [
      new URL('engine/engine.js', reportEngine),
      new URL('files/datasets.js', reportEngine),
      new URL('storage/folder-files.js', reportEngine),
      new URL('connections/open.js', reportEngine),
      new URL('slices.js', reportEngine),
      new URL('compute.js', reportEngine),
      model,
    ].map((url) => import(url.href) as Promise<Partial<Internals>>),
  );
  return Object.assign({}, ...modules) as Internals;
}

const owner = { organizationId: 'flights', userId: 'reader' };
const { signal } = new AbortController();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-benchmark-'));
const dataFolder = path.join(folder, owner.organizationId);
fs.mkdirSync(dataFolder);

const {
  Engine,
  Datasets,
  Slices,
  folderFiles,
  computeReport,
  openConnections,
  datasetSchema,
  reportSchema,
} = await loadInternals();
const flights = await engines[engineName](dataFolder, rows);
const logger = { warn: () => {}, error: () => {} };
const memoryMb = 2_048;
const engine = new Engine({ queries: 1, userQueries: 1, threads, memoryMb, logger });
const connections = openConnections(flights.connection ? [flights.connection] : [], {
  sourceQueries: 2,
  userQueries: 1,
  memoryMb,
});

interface Captured {
  source: Source;
  statements: Statement[];
}

/** Computes a report of one tile, and returns the statements that reach the engine. */
async function capture(tile: object, visible: unknown): Promise<Captured> {
  const statements: Statement[] = [];
  let used: Source | undefined;
  const cache: Cache = {
    query: (user, source, statement, aborted) => {
      used = source;
      statements.push(statement);
      return source.query(user, statement, aborted);
    },
  };
  const definition = datasetSchema.parse({ ...dataset, source: flights.source });
  await computeReport(
    {
      datasets: new Datasets(folderFiles(folder), engine, cache),
      connections,
      cache,
      uncached: cache,
      slices: new Slices(),
      isGranted: async () => true,
      findDataset: async () => undefined,
      now: () => new Date(),
    },
    {
      ...owner,
      dataset: {
        name: 'Flights',
        source: {
          definition,
          files: flights.connection ? [] : ['flights.parquet'],
          columns: [],
        },
        timeZone: 'UTC',
      },
      source: reportSchema.parse({
        name: 'Tile',
        workspace: 'Benchmark',
        dataset: 'flights',
        pages: [{ name: 'Page', rows: [{ tiles: [tile] }] }],
      }),
      page: 0,
      visibleRows: [visible],
      viewer: { email: ['reader@flights.example'], department: [], groups: [], companies: [] },
      filters: [],
      unappliedFilters: 'note',
      onTileFailure: (error: unknown) => {
        throw error;
      },
      signal,
    },
  );
  return { source: used!, statements };
}

interface Measured {
  ms: number;
  cpuMs: number;
}

async function measure(source: Source, statements: readonly Statement[]): Promise<Measured> {
  const cpuMs = flights.readCpuMs();
  const started = performance.now();
  for (const statement of statements) await source.query(owner, statement, signal);
  return { ms: performance.now() - started, cpuMs: flights.readCpuMs() - cpuMs };
}

const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  print(`load ${os.loadavg()[0]!.toFixed(1)} at the start\n`);
  print(
    '| tile | statements | tile ms | by hand ms | CPU of tile ms | by hand ms | ratio | of CPU |',
  );
  print('|---|---:|---:|---:|---:|---:|---:|---:|');
  for (const { title, tile, rows: visible = 'all', sql } of cases) {
    // A report has more statements than its tile: the time of the data and the number of rows.
    const around = await capture({ type: 'text', text: 'None' }, visible);
    const texts = new Set(around.statements.map(({ text }) => text));
    const { source, statements } = await capture(tile, visible);
    const ofTile = statements.filter(({ text }) => !texts.has(text));
    const byHand = sql(dialects[engineName]).map((text) => ({ text, values: [] }));
    await measure(source, [...ofTile, ...byHand]);
    const results: { tile: Measured; hand: Measured }[] = [];
    for (let round = 0; round < rounds; round += 1)
      results.push({ tile: await measure(source, ofTile), hand: await measure(source, byHand) });
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
  await Promise.all([engine.close(), connections.close()]);
  await flights[Symbol.asyncDispose]();
  fs.rmSync(folder, { recursive: true, force: true });
}
