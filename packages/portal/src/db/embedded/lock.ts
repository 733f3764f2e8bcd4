import path from 'node:path';

/** Another process holds the lock. */
export class LockedError extends Error {
  override name = 'LockedError';
}

/** Locks of this process, because the system's lock allows a second one of the same process. */
const heldHere = new Set<string>();

/**
 * Takes the lock `file` and returns a function that releases it. One process at a time holds it, in
 * any container, and it ends with its process. It is the operating system's lock on an empty DuckDB
 * database, because Node has no file locks.
 *
 * @throws `LockedError`, which names the holder
 */
export async function takeLock(file: string): Promise<() => void> {
  const lock = path.resolve(file);
  if (heldHere.has(lock)) throw lockedBy(`process ${process.pid}, this one`, lock);
  heldHere.add(lock);
  try {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(lock, { threads: '1' });
    return () => {
      instance.closeSync();
      heldHere.delete(lock);
    };
  } catch (error) {
    heldHere.delete(lock);
    const { message } = error as Error;
    if (!message.includes('Could not set lock')) throw error;
    const pid = /PID ([1-9]\d*)/.exec(message)?.[1];
    throw lockedBy(pid ? `process ${pid}` : 'a process of another container', lock);
  }
}

const lockedBy = (holder: string, file: string): LockedError =>
  new LockedError(
    `The embedded database is in use by ${holder} (${file}). ` +
      'Stop that process, give this one a PORTAL_DATA_DIR of its own, ' +
      'or set PORTAL_DATABASE_URL to a PostgreSQL that several processes can share.',
  );
