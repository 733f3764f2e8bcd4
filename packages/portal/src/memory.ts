import os from 'node:os';

/** Returns the MiB of memory of the machine or, if less, of this process's control group. */
export function readMemoryMb(): number {
  // Without a limit, it is 0 or larger than the machine.
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
  return Math.floor(bytes / 2 ** 20);
}
