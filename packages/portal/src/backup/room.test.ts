import { expect, it } from 'vitest';

import { requireRoom } from './room.ts';

const need = { diskBytes: 100 * 2 ** 20, memoryBytes: 500 * 2 ** 20 };

it('a copy is refused without enough disk space or memory, and the message says how much it needs', () => {
  const require = (free: Partial<typeof need>) => () =>
    requireRoom(need, { ...need, ...free }, '/data');
  expect(require({})).not.toThrow();
  const text =
    'needs 100 MB of free disk in /data for a copy of the database, and 500 MB of memory.';
  for (const [free, reason] of [
    [{ diskBytes: need.diskBytes - 1 }, 'of disk is free. Free some, or stop the portal'],
    [{ memoryBytes: need.memoryBytes - 1 }, 'of memory is free. Stop other programs'],
  ] as const) {
    expect(require(free)).toThrow(text);
    expect(require(free)).toThrow(reason);
  }
});
