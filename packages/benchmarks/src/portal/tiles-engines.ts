import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { startPostgres } from 'test-support';

import { flightsFile } from './flights.ts';
import { listChildren, readFamilyCpuMs, readThreadsCpuMs } from './processes.ts';

/** Flights in the file. */
const flightsInFile = 3_000_000;

export interface FlightsEngine extends AsyncDisposable {
  /** Where the dataset's rows are, as in a dataset file. */
  source: object;
  /** `undefined` for files. */
  connection?: { name: string; engine: string; url: string };
  /** Total CPU time of the engine. */
  readCpuMs: () => number;
}

/** DuckDB runs in the portal's engine process, over a file below `folder`. */
function startDuckdb(folder: string): FlightsEngine {
  fs.copyFileSync(flightsFile, path.join(folder, 'flights.parquet'));
  return {
    source: { file: 'flights.parquet' },
    readCpuMs: () => readThreadsCpuMs(listChildren(process.pid)[0]!),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function startPostgresEngine(folder: string, rows: number): Promise<FlightsEngine> {
  const server = await startPostgres();
  const csv = path.join(folder, 'flights.csv');
  const duckdb = await DuckDBInstance.create();
  const connection = await duckdb.connect();
  await connection.run(
    `COPY (FROM read_parquet('${flightsFile}') LIMIT ${rows}) TO '${csv}' (HEADER false)`,
  );
  duckdb.closeSync();
  // The server runs as another user.
  fs.chmodSync(path.dirname(folder), 0o755);
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query(
    'CREATE TABLE flights (date timestamp, delay smallint, distance smallint, origin text, destination text)',
  );
  await client.query(`COPY flights FROM '${csv}' (FORMAT csv)`);
  await client.query('VACUUM ANALYZE flights');
  const { rows: found } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const [, status = ''] = fs.readFileSync(`/proc/${found[0]!.pid}/stat`, 'utf8').split(/\) \S+ /);
  const postmaster = Number(status.split(' ')[0]);
  await client.end();
  return {
    source: { connection: 'warehouse', table: 'flights', freshness: '0 seconds' },
    connection: { name: 'warehouse', engine: 'postgres', url: server.url('postgres') },
    readCpuMs: () => readFamilyCpuMs(postmaster),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

const repository = new URL('../../../../', import.meta.url);

/** ClickHouse as a library, behind the HTTP front of the engine's tests. */
async function startClickhouse(folder: string, rows: number): Promise<FlightsEngine> {
  const [front, chdb] = [
    'packages/report-engine/test/support/chdb-front.mjs',
    'node_modules/.chdb/node_modules/chdb',
  ].map((name) => fileURLToPath(new URL(name, repository))) as [string, string];
  if (!fs.existsSync(chdb)) throw new Error('Install chdb with `npm run test:deep`.');
  const child = spawn(process.execPath, [front, chdb, path.join(folder, 'chdb')], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [port] = (await once(child.stdout!, 'data')) as [Buffer];
  const run = async (statement: string) => {
    const answer = await fetch(`http://127.0.0.1:${Number(port)}/`, {
      method: 'POST',
      body: statement,
    });
    if (!answer.ok) throw new Error(await answer.text());
  };
  await run(
    `CREATE TABLE flights (date DateTime64(6), delay Int16, distance Int16,
      origin LowCardinality(String), destination LowCardinality(String))
    ENGINE = MergeTree ORDER BY (origin, date)`,
  );
  for (let left = rows; left > 0; left -= flightsInFile)
    await run(
      `INSERT INTO flights SELECT date, delay, distance, origin, destination
      FROM file('${flightsFile}', Parquet) LIMIT ${Math.min(left, flightsInFile)}`,
    );
  await run('OPTIMIZE TABLE flights FINAL');
  return {
    source: { connection: 'warehouse', table: 'flights', freshness: '0 seconds' },
    connection: {
      name: 'warehouse',
      engine: 'clickhouse',
      url: `clickhouse://127.0.0.1:${Number(port)}/default`,
    },
    readCpuMs: () => readThreadsCpuMs(child.pid!),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

export const engines = {
  duckdb: startDuckdb,
  postgres: startPostgresEngine,
  clickhouse: startClickhouse,
};
