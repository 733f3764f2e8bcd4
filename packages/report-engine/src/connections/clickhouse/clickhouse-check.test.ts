import { describe, expect, it } from 'vitest';

import { connect, startServer } from '../../../test/support/clickhouse-connection.ts';
import { sendRows } from '../../../test/support/fake-clickhouse.ts';

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
    'the source has 2001 columns, but the maximum is 2000; select those that reports need',
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

const tableColumns = ['total_rows', 'sorting_key', 'partition_key', 'engine'];

it('a check of a large table warns of the columns that neither its sorting key nor its partition key contains', async () => {
  const server = await startServer();
  server.answer((_request, response) =>
    sendRows(response, tableColumns, [['1000000', 'Region, `Order day`', 'Year', 'MergeTree']]),
  );
  const columns = ['Region', 'Order day', 'Year', 'City', 'State'];
  const findings = await connect(server.port).checkSource({ table: 'dwh.orders' }, columns, never);
  expect(server.received[0]?.parameters).toEqual({ p0: 'orders', p1: 'dwh' });
  expect(server.received[0]?.query).toContain('database = {p1:String} AND name = {p0:String}');
  expect(findings).toEqual([
    { level: 'ok', text: 'about 1,000,000 rows' },
    {
      level: 'warning',
      text: 'the sorting key (Region, `Order day`) lacks "City", "State"; conditions on it read all rows',
    },
  ]);
});

it.each([
  [[['999999', 'Region', '', 'MergeTree']], ['about 999,999 rows']],
  [[[null, '', '', 'View']], ['the engine View has no sorting key to check']],
  [[[0, 'Region', '', 'MergeTree']], ['about 0 rows']],
  [[], ['the server does not show the size and the sorting key of this table']],
])('a check of a small table or a view does not read its keys: %j', async (rows, texts) => {
  const server = await startServer();
  server.answer((_request, response) => sendRows(response, tableColumns, rows));
  const findings = await connect(server.port).checkSource({ table: 'orders' }, ['City'], never);
  expect(findings).toEqual(texts.map((text) => ({ level: 'ok', text })));
  expect(server.received[0]?.parameters).toEqual({ p0: 'orders' });
  expect(server.received[0]?.query).toContain(
    'database = currentDatabase() AND name = {p0:String}',
  );
});

it('a check of a SELECT adds the rows that it reads of each table', async () => {
  const server = await startServer();
  const columns = ['database', 'table', 'parts', 'rows'];
  const read = [
    ['dwh', 'orders', '3', '1200'],
    ['dwh', 'returns', '1', '34'],
  ];
  server.answer((_request, response) => sendRows(response, columns, read));
  const connection = connect(server.port);
  const source = { sql: 'SELECT 1 AS one' };
  expect(await connection.checkSource(source, [], never)).toEqual([
    { level: 'ok', text: 'about 1,234 rows' },
  ]);
  read.length = 0;
  expect(await connection.checkSource(source, [], never)).toEqual([]);
});

describe('a check of the rights of a user', () => {
  const checkGrants = async (grants: string[], readonly: 0 | 2 = 0) => {
    const server = await startServer();
    server.users['reader'] = { password: 'sesame', readonly };
    server.answer(({ query }, response) =>
      query.startsWith('SHOW GRANTS FINAL')
        ? sendRows(
            response,
            ['GRANTS'],
            grants.map((grant) => [grant]),
          )
        : sendRows(response, ['v', 'd', 'u', 'z'], [['26.1', 'sales', 'reader', 'Asia/Tokyo']]),
    );
    return connect(server.port).check(never);
  };

  it('a user who can only read is accepted', async () => {
    const findings = await checkGrants([
      'GRANT SELECT(Region, Sales), SHOW TABLES, dictGet ON sales.* TO reader',
      'GRANT analyst TO reader',
    ]);
    expect(findings).toEqual([
      { level: 'ok', text: 'reachable: ClickHouse 26.1, database sales, user reader' },
      { level: 'ok', text: 'not encrypted; the server is on this machine' },
      { level: 'ok', text: 'the user cannot write' },
      {
        level: 'ok',
        text: 'server time zone: Asia/Tokyo; reports use the time zone of their dataset',
      },
    ]);
  });

  it('the first three rights to write are named', async () => {
    const findings = await checkGrants([
      'GRANT SELECT, INSERT(Region, Sales), ALTER UPDATE ON sales.* TO reader',
      'GRANT DROP TABLE, TRUNCATE ON sales.* TO reader',
    ]);
    expect(findings).toContainEqual({
      level: 'warning',
      text: 'the user has the rights INSERT(Region, Sales), ALTER UPDATE, DROP TABLE; the portal never writes, but use a user with readonly = 2',
    });
  });

  it('a single right to write is named', async () => {
    const findings = await checkGrants(['GRANT SELECT, TRUNCATE ON sales.* TO reader']);
    expect(findings).toContainEqual({
      level: 'warning',
      text: expect.stringMatching(/^the user has the rights TRUNCATE; /),
    });
  });

  it('the rights of a user with readonly = 2 do not matter', async () => {
    const findings = await checkGrants(['GRANT INSERT ON sales.* TO reader'], 2);
    expect(findings).toContainEqual({ level: 'ok', text: 'the user cannot write (readonly = 2)' });
  });
});

it('a check does not warn of missing TLS on the same machine', async () => {
  const server = await startServer();
  const findings = await connect(server.port).check(never);
  expect(findings).toContainEqual({
    level: 'ok',
    text: 'not encrypted; the server is on this machine',
  });
});
