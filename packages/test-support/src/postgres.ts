import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { findFreePort } from './free-port.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

/** Returns the folder of the newest PostgreSQL server's programs; `undefined` if there is none. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian) : [];
  const folders = [
    process.env['POSTGRES_BIN'],
    ...versions
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => `${debian}/${version}/bin`),
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  return folders.find((folder) => folder && fs.existsSync(path.join(folder, 'initdb')));
}

export interface PostgresCluster {
  /** Connection string of the database `name` of this cluster. */
  url: (name: string) => string;
  /** Shuts the server down cleanly. The data stays. */
  halt: () => Promise<void>;
  /** Kills the server. The data stays. */
  kill: () => Promise<void>;
  /** Starts the server again on the same port, after `halt` or `kill`. */
  restart: () => Promise<void>;
  /** Stops the server and removes its data. */
  stop: () => Promise<void>;
}

/**
 * Starts a throwaway cluster on a free port of the loopback address. PostgreSQL refuses to run as
 * root, so as root it runs as `nobody`.
 */
export async function startPostgres(): Promise<PostgresCluster> {
  const bin = findPostgres();
  if (!bin)
    throw new Error(
      'No PostgreSQL server was found. Install it, or set POSTGRES_BIN to the folder of its programs.',
    );
  const identity = await findIdentity();
  const folder = createTemporaryFolder('portal-postgres-');
  if (identity) fs.chownSync(folder, identity.uid, identity.gid);
  const data = path.join(folder, 'data');
  const options = { ...identity, cwd: folder };
  await run(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'portal', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    options,
  );
  const port = await findFreePort();
  const start = () =>
    startServer(bin, port, () =>
      spawn(
        path.join(bin, 'postgres'),
        ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
        { ...options, stdio: 'ignore' },
      ),
    );
  let server = await start();
  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded(server)) return;
    server.kill(signal);
    await once(server, 'exit');
  };
  return {
    url: (name) => `postgres://portal@127.0.0.1:${port}/${name}`,
    halt: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    restart: async () => {
      server = await start();
    },
    stop: async () => {
      await end('SIGINT');
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

const hasEnded = (server: ChildProcess): boolean =>
  server.exitCode !== null || server.signalCode !== null;

/**
 * Starts the server and waits until it answers. After a kill, processes of the old server may still
 * run for a moment. Until they end, the new server refuses to start, and is started again.
 */
async function startServer(
  bin: string,
  port: number,
  spawnServer: () => ChildProcess,
): Promise<ChildProcess> {
  let server = spawnServer();
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await isReady(bin, port)) return server;
    await delay(50);
    if (hasEnded(server)) server = spawnServer();
  }
  server.kill('SIGKILL');
  throw new Error('PostgreSQL did not start.');
}

const isReady = (bin: string, port: number): Promise<boolean> =>
  run(path.join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).then(
    () => true,
    () => false,
  );

async function findIdentity(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'nobody'])).stdout)),
  );
  return { uid: uid!, gid: gid! };
}
