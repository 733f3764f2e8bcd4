import { expect, it } from 'vitest';

import { connect, startServer } from '../../../../../test/support/clickhouse-connection.ts';
import { sendRows } from '../../../../../test/support/fake-clickhouse.ts';

const never = new AbortController().signal;
const describedColumns = ['name', 'type', 'default_type'];

it('describing a source returns its columns with their types, and omits EPHEMERAL columns', async () => {
  const server = await startServer();
  server.answer((_request, response) =>
    sendRows(response, describedColumns, [
      ['Region', 'String', ''],
      ['Draft', 'String', 'EPHEMERAL'],
      ['Sales', 'UInt32', 'DEFAULT'],
    ]),
  );
  const columns = await connect(server.port).describe({ table: 'orders' }, never);
  expect([...columns]).toEqual([
    ['Region', 'String'],
    ['Sales', 'UInt32'],
  ]);
});

it('a source with too many columns is refused', async () => {
  const server = await startServer();
  const names = Array.from({ length: 2_001 }, (_, index) => [`c${index}`, 'String', '']);
  server.answer((_request, response) => sendRows(response, describedColumns, names));
  await expect(connect(server.port).describe({ table: 'wide' }, never)).rejects.toThrow(
    'the source has 2001 columns, and may have 2000; select those that reports need',
  );
});

it.each([
  ['', 'the engine MergeTree has no sorting key to check'],
  ['Region, Day', 'the sorting key (Region, Day) contains all columns of roles and filters'],
])('a check of a table with the sorting key "%s" reports its coverage', async (sorting, text) => {
  const server = await startServer();
  const columns = ['total_rows', 'sorting_key', 'partition_key', 'engine'];
  server.answer((_request, response) =>
    sendRows(response, columns, [['5000000', sorting, '', 'MergeTree']]),
  );
  const findings = await connect(server.port).checkSource({ table: 'orders' }, ['Region'], never);
  expect(findings).toEqual([
    { level: 'ok', text: 'about 5,000,000 rows' },
    { level: 'ok', text },
  ]);
});

it('a check does not warn of missing TLS on the same machine', async () => {
  const server = await startServer();
  const findings = await connect(server.port).check(never);
  expect(findings).toContainEqual({
    level: 'ok',
    text: 'not encrypted; the server is on this machine',
  });
});
