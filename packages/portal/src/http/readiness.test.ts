import { expect, it } from 'vitest';

import { describeReadiness } from './readiness.ts';

it.each([
  [0, 0, [], { status: 'ok' }],
  [1, 0, [], { status: 'incomplete', missingDataFiles: 1 }],
  [0, 2, [], { status: 'incomplete', unreadableDataFiles: 2 }],
  [0, 0, ['dataDirectory'], { status: 'disk_full', fullDisks: ['dataDirectory'] }],
  [
    1,
    2,
    ['dataDirectory', 'database'],
    {
      status: 'disk_full',
      fullDisks: ['dataDirectory', 'database'],
      missingDataFiles: 1,
      unreadableDataFiles: 2,
    },
  ],
] as const)(
  '%d missing and %d unreadable files and the full disks %j are %j',
  (missing, unreadable, disks, expected) => {
    expect(describeReadiness({ missing, unreadable }, disks)).toEqual(expected);
  },
);
