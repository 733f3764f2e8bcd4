import { expect, it } from 'vitest';

import { describeReadiness } from './readiness.ts';

it.each([
  [0, 0, 0, [], { status: 'ok' }],
  [1, 0, 0, [], { status: 'incomplete', missingDataFiles: 1 }],
  [0, 2, 0, [], { status: 'incomplete', unreadableDataFiles: 2 }],
  [0, 0, 3, [], { status: 'incomplete', notFetchedDataFiles: 3 }],
  [0, 0, 0, ['dataDirectory'], { status: 'disk_full', fullDisks: ['dataDirectory'] }],
  [
    1,
    2,
    0,
    ['dataDirectory', 'database'],
    {
      status: 'disk_full',
      fullDisks: ['dataDirectory', 'database'],
      missingDataFiles: 1,
      unreadableDataFiles: 2,
    },
  ],
] as const)(
  '%d missing, %d unreadable and %d unfetched files and the full disks %j are %j',
  (missing, unreadable, notFetched, disks, expected) => {
    expect(describeReadiness({ missing, unreadable, notFetched }, disks)).toEqual(expected);
  },
);
