import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';

import pg from 'pg';
import {
  createTemporaryFolder,
  findFreePort,
  startPostgres,
  type PostgresCluster,
} from 'test-support';
import { startBlackHole } from 'test-support/black-hole';

import { openDatabase } from '../../../src/db/connection/open.ts';
import { buildProgram } from '../processes.ts';
import { startOlderServer } from './older-server.ts';

/** A password that no message may contain. */
export const secret = 'hunter2';

/** What the cases use: a server with databases, folders and ports. */
export interface Stage {
  /** Address of a database of the server. */
  url: (name: string, user?: string) => string;
  /** A folder that everyone may read. */
  folder: string;
  freePort: number;
  takenPort: number;
  /** A port that answers nothing. */
  silentPort: number;
  /** A port of the server, at which it is PostgreSQL 14. */
  olderPort: number;
}

export interface Misconfiguration {
  mistake: string;
  env?: Record<string, string> | ((stage: Stage) => Record<string, string>);
  /** Default: `serve`. */
  args?: readonly string[] | ((stage: Stage) => readonly string[]);
  /** The exit code, or `listens` for a warning. */
  code: number | 'listens';
  /** Part of the message. */
  says: string;
  skipped?: { if: boolean; because: string };
  /** Whether a user without special rights runs the command. */
  asOrdinaryUser?: boolean;
  prepare?: (stage: Stage) => void;
}

export const isRoot = process.getuid!() === 0;
export const nobody = 65_534;

const roles = `
  CREATE ROLE with_password LOGIN PASSWORD '${secret}';
  CREATE ROLE without_schema LOGIN;
  CREATE ROLE without_tables LOGIN;
  CREATE ROLE only_reads LOGIN;
  CREATE ROLE runs LOGIN;
  CREATE ROLE few LOGIN CONNECTION LIMIT 4`;

const rights = `
  REVOKE ALL ON SCHEMA public FROM PUBLIC;
  GRANT USAGE ON SCHEMA public TO without_tables, only_reads, runs, few;
  GRANT SELECT ON ALL TABLES IN SCHEMA public TO only_reads;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO runs, few`;

export async function openStage(): Promise<{ stage: Stage; close: () => Promise<void> }> {
  const cluster = await startPostgres();
  const folder = createTemporaryFolder('portal-misconfigured-');
  fs.chmodSync(folder, 0o755);
  await createDatabases(cluster, folder);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const silent = await startBlackHole();
  const older = await startOlderServer(Number(new URL(cluster.url('portal')).port));
  const url = (name: string, user = 'portal') => cluster.url(name).replace('portal@', `${user}@`);
  return {
    stage: {
      url,
      folder,
      freePort: await findFreePort(),
      takenPort: (taken.address() as AddressInfo).port,
      silentPort: silent.port,
      olderPort: older.port,
    },
    close: async () => {
      taken.close();
      await older.close();
      await silent[Symbol.asyncDispose]();
      await cluster.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createDatabases(cluster: PostgresCluster, dataDir: string): Promise<void> {
  const run = async (name: string, ...statements: string[]) => {
    const client = new pg.Client({ connectionString: cluster.url(name) });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  await run('postgres', roles, 'CREATE DATABASE portal', 'CREATE DATABASE empty');
  await run('postgres', `CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
  const { close } = await openDatabase({ databaseUrl: cluster.url('portal'), dataDir });
  await close();
  await run('portal', rights);
  for (const name of ['fresh', 'older', 'newer'])
    await run('postgres', `CREATE DATABASE ${name} TEMPLATE portal`);
  await run(
    'older',
    'DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations)',
  );
  await run(
    'newer',
    `INSERT INTO schema_migrations (name, oldest_release) VALUES ('9999_new.sql', '99.0.0')`,
  );
  await requirePassword(cluster, run);
}

/** Makes the server ask the role `with_password` for its password. */
async function requirePassword(
  cluster: PostgresCluster,
  run: (name: string, ...statements: string[]) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  await client.connect();
  const { rows } = await client.query<{ hba_file: string }>('SHOW hba_file');
  await client.end();
  const [{ hba_file: file }] = rows as [{ hba_file: string }];
  const lines = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, `host all with_password 127.0.0.1/32 scram-sha-256\n${lines}`);
  await run('postgres', 'SELECT pg_reload_conf()');
}

/** The exit code of a command, and its output. */
export interface Outcome {
  code: Misconfiguration['code'] | null;
  output: string;
  /** The refusal, or the only warning of a server. */
  message: string;
}

/** Runs the built portal. A server that listens is killed. */
export async function runMisconfigured(each: Misconfiguration, stage: Stage): Promise<Outcome> {
  each.prepare?.(stage);
  const { env = {}, args = ['serve'], asOrdinaryUser = false } = each;
  const child = spawn(
    process.execPath,
    [await buildProgram(), ...(typeof args === 'function' ? args(stage) : args)],
    {
      cwd: stage.folder,
      env: {
        PATH: process.env['PATH'],
        HOME: stage.folder,
        PORTAL_PORT: String(stage.freePort),
        PORTAL_DATA_DIR: path.join(stage.folder, 'data'),
        PORTAL_DRAIN_NOTICE: '0',
        ...(typeof env === 'function' ? env(stage) : env),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(asOrdinaryUser && isRoot ? { uid: nobody, gid: nobody } : {}),
    },
  );
  let output = '';
  const isListening = () => output.includes('"msg":"listening"');
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
    if (isListening()) child.kill('SIGKILL');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const [code] = (await once(child, 'close')) as [number | null];
  return {
    code: isListening() ? 'listens' : code,
    output,
    message: findMessages(output).join('\n'),
  };
}

/** Returns the warnings of a log, or what a command printed. */
function findMessages(output: string): string[] {
  const lines = output.trim().split('\n');
  const log = lines
    .filter((line) => line.startsWith('{"level":'))
    .map((line) => JSON.parse(line) as { level: number; msg: string });
  const printed = lines.filter((line) => !line.startsWith('{"level":'));
  return [...log.filter(({ level }) => level > 30).map(({ msg }) => msg), ...printed];
}
