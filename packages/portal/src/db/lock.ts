import fs from 'node:fs';

/** Another process holds what the lock file stands for. */
export class LockedError extends Error {
  override name = 'LockedError';
}

interface Holder {
  pid: number;
  /** Tells the holder from a later process that was given the same number; absent off Linux. */
  startedAt?: string | undefined;
}

/** Takes the lock `file` for the life of this process and returns how to release it. */
export function takeLock(file: string): () => void {
  const self: Holder = { pid: process.pid, startedAt: startTime(process.pid) };
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      fs.writeFileSync(file, JSON.stringify(self), { flag: 'wx', mode: 0o600 });
      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = readHolder(file);
      if (holder && isAlive(holder)) throw lockedBy(holder, file);
      // Renamed first: of two that find a dead holder, one wins and the other tries again.
      const stale = `${file}.${process.pid}.stale`;
      try {
        fs.renameSync(file, stale);
        fs.rmSync(stale);
      } catch {
        continue;
      }
    }
  }
  throw new LockedError(`Another process is taking ${file} at this moment. Try again.`);
}

function lockedBy({ pid }: Holder, file: string): LockedError {
  return new LockedError(
    `The embedded database is in use by process ${pid} (${file}). ` +
      'Stop that process, give this one a PORTAL_DATA_DIR of its own, ' +
      'or set PORTAL_DATABASE_URL to a PostgreSQL that several processes can share.',
  );
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, startedAt }: Holder): boolean {
  if (startedAt !== startTime(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
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
