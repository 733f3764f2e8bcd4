import { csvSchema } from '@portal-embed/report-model';
import { expect, it } from 'vitest';

import { explainFailure } from './file-problems.ts';
import type { FileTask } from './tasks.ts';

const task = {
  kind: 'convert' as const,
  source: '/srv/data/acme/orders.csv',
  target: '/srv/data/acme/orders.parquet',
  csv: csvSchema.parse({}),
  fields: {},
  kept: [],
} satisfies FileTask;
const describe: FileTask = { kind: 'describe', source: task.source };

it.each([
  [
    'out of memory',
    new Error('Out of Memory Error: failed to allocate data of size 32.0 KiB'),
    'the conversion ran out of memory; convert the file to Parquet yourself, and use that file',
  ],
  [
    'a file that the portal may not read',
    Object.assign(new Error(`EACCES: permission denied, open '${task.source}'`), {
      code: 'EACCES',
    }),
    'the file cannot be read (EACCES); check its permissions',
  ],
  [
    'a disk that fails',
    Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }),
    'the file cannot be read (EIO); try again',
  ],
  [
    'a disk that is full',
    new Error(`IO Error: Could not write file "${task.target}": No space left on device`),
    'the disk of the portal is full; tell its operator, who must free space',
  ],
  [
    'another error of the CSV reader',
    new Error('Invalid Input Error: Sniffing failed\nPossible solutions:\n* Set skip'),
    'the file cannot be read as CSV (Invalid Input Error: Sniffing failed); check the options under csv',
  ],
  [
    'a thrown text',
    'no result',
    'the file cannot be read as CSV (no result); check the options under csv',
  ],
])('the author of a file learns what to do about %s', (_, error, message) => {
  for (const each of [task, describe])
    expect(explainFailure(error, each)).toEqual({ problems: [{ message }] });
});
