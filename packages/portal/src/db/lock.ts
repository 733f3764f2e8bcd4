import fs from 'node:fs';
import os from 'node:os';

/** Another process holds what the lock file stands for. */
export class LockedError extends Error {
  override name = 'LockedError';
}

interface Holder {
  pid: number;
  host: string;
  /** Tells the holder from a later process that was given the same number; absent off Linux. */
  startedAt?: string | undefined;
}

/** How often a holder shows that it lives, for those that cannot see its process. */
const heartbeatMs = 5_000;

/** After this long without a sign, a holder on another host (or in another container) is dead. */
const silenceMs = 30_000;

/**
 * Takes the lock `file` for the life of this process and returns how to release it. A lock whose
 * holder is dead is taken over.
 *
 * @throws `LockedError`, which names the holder.
 */
export function takeLock(file: string): () => void {
  const self: Holder = { pid: process.pid, host: os.hostname(), startedAt: startTime(process.pid) };
  const content = JSON.stringify(self);
  for (let attempt = 0; attempt < 10; attempt++) {
    if (tryCreate(file, content)) return keepAlive(file, content);
    const found = read(file);
    if (found === undefined) continue;
    const holder = parse(found);
    if (holder && isAlive(holder, file)) throw lockedBy(holder, file);
    removeIfUnchanged(file, found);
  }
  throw new LockedError(`Another process is taking ${file} at this moment. Try again.`);
}

/** Creates the lock with its content at once: nobody ever reads half of it. */
function tryCreate(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}.new`;
  fs.writeFileSync(draft, content, { mode: 0o600 });
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    fs.rmSync(draft);
  }
}

/**
 * Removes a dead holder's lock. Between reading and removing, another process may have taken it
 * over: then what was moved away is that one's, and goes back.
 */
function removeIfUnchanged(file: string, content: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    fs.renameSync(file, aside);
  } catch {
    return;
  }
  if (read(aside) !== content) {
    try {
      fs.linkSync(aside, file);
    } catch {
      // Its holder has let go of it, and the next one was quicker.
    }
  }
  fs.rmSync(aside, { force: true });
}

function keepAlive(file: string, content: string): () => void {
  const heartbeat = setInterval(() => {
    const now = new Date();
    fs.utimes(file, now, now, () => {});
  }, heartbeatMs);
  heartbeat.unref();
  return () => {
    clearInterval(heartbeat);
    if (read(file) === content) fs.rmSync(file, { force: true });
  };
}

function lockedBy({ pid, host }: Holder, file: string): LockedError {
  const where = host === os.hostname() ? '' : ` on ${host}`;
  return new LockedError(
    `The embedded database is in use by process ${pid}${where} (${file}). ` +
      'Stop that process, give this one a PORTAL_DATA_DIR of its own, ' +
      'or set PORTAL_DATABASE_URL to a PostgreSQL that several processes can share.',
  );
}

function read(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parse(content: string): Holder | undefined {
  try {
    return JSON.parse(content) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, host, startedAt }: Holder, file: string): boolean {
  if (host !== os.hostname()) return isFresh(file);
  if (startedAt !== startTime(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isFresh(file: string): boolean {
  try {
    return Date.now() - fs.statSync(file).mtimeMs < silenceMs;
  } catch {
    return false;
  }
}

/** Field 22 of `/proc/{pid}/stat`; the second field may contain spaces and brackets. */
function startTime(pid: number): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
