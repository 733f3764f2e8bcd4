/**
 * Preloaded with `--import`. While the file that `FULL_DISK` names exists, the embedded database has
 * no space for its write-ahead log.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { writeSync } = fs;
fs.writeSync = (descriptor, ...rest) => {
  const file = fs.readlinkSync(`/proc/self/fd/${descriptor}`);
  if (file.includes('/pg_wal/') && fs.existsSync(process.env['FULL_DISK'] ?? ''))
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  return writeSync(descriptor, ...rest);
};
syncBuiltinESMExports();
