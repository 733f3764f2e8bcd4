import { ClickHouseError } from '@clickhouse/client';
import { expect, it } from 'vitest';

import { toReportError } from './clickhouse-failures.ts';

it.each([
  [{ code: '60', type: 'UNKNOWN_TABLE' }, 'UNKNOWN_TABLE'],
  [{ code: '60' }, '60'],
])('a failure with %j is labeled %s in the log', (part, label) => {
  const error = new ClickHouseError({ message: 'It failed.', ...part });
  expect(toReportError('warehouse', error)).toMatchObject({
    reason: 'failed',
    message: `The connection "warehouse" failed: It failed (${label}).`,
  });
});

it.each([
  ['UNKNOWN_DATABASE', 'unavailable'],
  ['MEMORY_LIMIT_EXCEEDED', 'out_of_memory'],
  ['SYNTAX_ERROR', 'failed'],
])('an error of type %s has the reason %s', (type, reason) => {
  const error = new ClickHouseError({ message: 'It failed.', code: '1', type });
  expect(toReportError('warehouse', error)).toMatchObject({ reason });
});
