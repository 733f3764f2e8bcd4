import fs from 'node:fs';
import path from 'node:path';

import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import pg from 'pg';

import { takeLock } from './lock.ts';

/** The parts of Emscripten that PGlite's types leave out. */
interface EmscriptenModule {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } };
}

/** PGlite's file system, but with an fsync that reaches the disk: its own answers without one. */
class DurableNodeFS extends NodeFS {
  override async init(...[pglite, options]: Parameters<NodeFS['init']>) {
    const initialized = await super.init(pglite, options);
    const { emscriptenOpts } = initialized;
    const preRun = [...(emscriptenOpts.preRun ?? []), syncToDisk];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

function syncToDisk(module: unknown): void {
  (module as EmscriptenModule).NODEFS.stream_ops.fsync = ({ nfd }) => {
    fs.fsyncSync(nfd);
    return 0;
  };
}

// `-F` switches fsync off, whatever the configuration says. The default wal_sync_method,
// fdatasync, never reaches the patched call.
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
];

export interface Embedded {
  pool: pg.Pool;
  close: () => Promise<void>;
}

/**
 * Opens the embedded database in `dataDir`, for this process alone. A committed transaction is on
 * disk.
 *
 * @throws `LockedError` when another process holds it.
 */
export async function openEmbedded(
  dataDir: string,
  options: { types: pg.CustomTypesConfig },
): Promise<Embedded> {
  const folder = path.join(dataDir, 'database');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // PGlite's files are open to everybody; what keeps others out is the folder.
  fs.chmodSync(folder, 0o700);
  const releaseLock = await takeLock(path.join(dataDir, 'lock.duckdb'));
  try {
    const pglite = await PGlite.create({
      fs: new DurableNodeFS(folder),
      startParams,
    });
    // One connection that is never given back: there is nothing behind it to reconnect to.
    const poolConfig = { ...options, max: 1, idleTimeoutMillis: 0 };
    const pool = new pg.Pool(Object.assign(createPgConfig(pglite), poolConfig));
    return {
      pool,
      close: async () => {
        await pool.end();
        await pglite.close();
        releaseLock();
      },
    };
  } catch (error) {
    releaseLock();
    throw error;
  }
}
