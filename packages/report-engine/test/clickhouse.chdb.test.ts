import type { TypedExpression } from '@portal-embed/report-model';
import { injections } from 'test-support/hostile-values';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ReportError } from '#platform';

import { createClickhouseConnection } from '../src/connections/clickhouse/clickhouse-connection.ts';
import { SourceError, type Connection } from '../src/connections/connection.ts';
import { openConnections } from '../src/connections/open.ts';
import { clickhouse } from '../src/emit/clickhouse.ts';
import { Emitter } from '../src/emit/query.ts';
import { bind, render, sql } from '../src/emit/sql.ts';
import { allRows, chooseRows } from '../src/plan/compare.ts';
import type { Condition } from '../src/plan/plan.ts';
import { startChdb, type Chdb } from './support/chdb.ts';
import { ContentStage } from './support/content.ts';
import { readableTextCases } from './support/readable-texts.ts';
import { readerView } from './support/reader-view.ts';
import { readFunctionResult, selectFunction, textFunctionCases } from './support/text-functions.ts';

const never = new AbortController().signal;
let chdb: Chdb;
let connection: Connection;
const connect = (options: { memoryMb?: number; limitMs?: number } = {}) =>
  createClickhouseConnection({
    name: 'events',
    url: chdb.url,
    connections: 2,
    memoryMb: 512,
    ...options,
  });

beforeAll(async () => {
  chdb = await startChdb();
  connection = connect();
  await chdb.run(`CREATE TABLE orders (Region String, Day Date, Sales Int64)
    ENGINE = MergeTree ORDER BY (Region, Day)`);
  await chdb.run(`INSERT INTO orders VALUES
    ('West', '2024-01-03', 10), ('West', '2024-02-03', 20), ('East', '2024-01-09', 15)`);
});
afterAll(async () => {
  await connection.close();
  await chdb[Symbol.asyncDispose]();
});

const select = (text: string) => connection.query({ text, values: [] }, never);

const failure = (reason: string, text: RegExp) =>
  expect.objectContaining({
    constructor: ReportError,
    reason,
    message: expect.stringMatching(text),
  });

describe('describing a source', () => {
  it('gives the columns of a table and of a SELECT with their types', async () => {
    const columns = [
      ['Region', 'String'],
      ['Day', 'Date'],
      ['Sales', 'Int64'],
    ];
    for (const source of [
      { table: 'orders' },
      { table: 'default.orders' },
      { sql: 'SELECT * FROM orders -- all of them' },
      { sql: 'WITH o AS (SELECT * FROM orders) SELECT * FROM o' },
    ])
      expect([...(await connection.describe(source, never))]).toEqual(columns);
  });

  it.each([
    ['select 1 as a) as x, (select 2 as b', /Syntax error/],
    ['select 1; select 2', /Syntax error/],
    ['select 1 settings max_execution_time = 0', /SETTINGS/],
    ['select * from (select 1 settings max_execution_time = 0)', /SETTINGS/],
    ['select {p0:String} as a', /parameter|p0/],
    ['insert into orders values (1)', /one SELECT/],
    ['drop table orders', /one SELECT/],
    ["select 1 into outfile '/tmp/x'", /./],
    ['select 1 format CSV', /./],
    ['select 1 /*', /./],
    ['select * from (explain select 1)', /./],
    ["select * from url('http://127.0.0.1:1/', CSV, 'a String')", /./],
    ['select a from nowhere', /nowhere/],
    ['select 1 as a, 2 as a', /two columns have the name "a"|./],
    ['', /./],
  ])('refuses %j', async (text, message) => {
    const refused = connection.describe({ sql: text }, never);
    await expect(refused).rejects.toBeInstanceOf(SourceError);
    await expect(refused).rejects.toThrow(message);
  });

  it('refuses a table that does not exist', async () => {
    for (const table of ['nowhere', 'nowhere.orders', '`; DROP TABLE orders; --'])
      await expect(connection.describe({ table }, never)).rejects.toBeInstanceOf(SourceError);
    expect(await chdb.run('SELECT count() FROM orders FORMAT TSV')).toBe('3\n');
  });
});

describe('a statement', () => {
  it('gets each value exactly', async () => {
    const values = [...injections, '\\', "\\'", '\\N', '\t\r\n', '{p0:String}', "['a']"];
    for (const value of values) {
      const { text, values: bound } = render(
        sql`SELECT ${bind(value)} AS one, ${bind([value, 'x'])} AS list`,
        clickhouse.placeholder,
      );
      expect(await connection.query({ text, values: bound }, never)).toEqual([
        { one: value, list: [value, 'x'] },
      ]);
    }
  });

  it('finds a value among ten thousand, and reads only the rows that may have one', async () => {
    const texts = Array.from({ length: 10_000 }, (_, index) => `${index} ' \\ é`);
    for (const [list, count] of [
      [[...texts, 'West'], '2'],
      [texts, '0'],
    ] as const) {
      const condition = clickhouse.isIn(sql`s.Region`, list, 'text');
      const statement = sql`SELECT count() AS n FROM orders AS s WHERE ${condition}`;
      const found = await connection.query(render(statement, clickhouse.placeholder), never);
      expect(found).toEqual([{ n: count }]);
    }
  });

  it.each([
    'INSERT INTO orders VALUES (1)',
    'CREATE TABLE x (a Int8) ENGINE = Memory',
    'DROP TABLE orders',
    'SET max_execution_time = 0',
    `SELECT * FROM url('http://127.0.0.1:1/', CSV, 'a String')`,
  ])('cannot be %s', async (text) => {
    await expect(select(text)).rejects.toBeInstanceOf(ReportError);
    expect(await chdb.run('SELECT count() FROM orders FORMAT TSV')).toBe('3\n');
  });

  it('ends at its limit of time, of memory, and of the size of its answer', async () => {
    const slow = connect({ limitMs: 1_000 });
    const forever = { text: 'SELECT count() AS n FROM numbers(1000000000000)', values: [] };
    await expect(slow.query(forever, never)).rejects.toEqual(
      failure('timeout', /TIMEOUT_EXCEEDED/),
    );
    const small = connect({ memoryMb: 1 });
    const large = {
      text: 'SELECT uniqExact(toString(number)) AS n FROM numbers(3000000)',
      values: [],
    };
    await expect(small.query(large, never)).rejects.toEqual(
      failure('out_of_memory', /MEMORY_LIMIT_EXCEEDED/),
    );
    const broad = { text: `SELECT repeat(repeat('a', 1000000), 20) AS a`, values: [] };
    await expect(connection.query(broad, never)).rejects.toEqual(
      failure('out_of_memory', /more than 16 MB/),
    );
    await Promise.all([slow.close(), small.close()]);
  });

  it('ends on the server when its reader leaves', async () => {
    const running = async () =>
      Number(
        await chdb.run(
          `SELECT count() FROM system.processes WHERE query LIKE '%AS reader%' AND query NOT LIKE '%processes%' FORMAT TSV`,
        ),
      );
    const left = new AbortController();
    const reason = new Error('The reader has left.');
    const text = 'SELECT count() AS reader FROM numbers(1000000000000)';
    const forever = connection.query({ text, values: [] }, left.signal);
    await expect.poll(running).toBe(1);
    left.abort(reason);
    await expect(forever).rejects.toBe(reason);
    await expect.poll(running).toBe(0);
  });
});

it('a check warns of a user who may write', async () => {
  expect(await connection.check(never)).toEqual([
    { level: 'ok', text: expect.stringMatching(/^reachable: ClickHouse \d+\.\d+/) },
    { level: 'ok', text: 'not encrypted; the server is on this machine' },
    { level: 'warning', text: expect.stringContaining('use a user with readonly = 2') },
    { level: 'ok', text: expect.stringContaining('server time zone: ') },
  ]);
});

it('a check of a source gives its size, and conditions that its sorting key does not help', async () => {
  await chdb.run(`CREATE TABLE many (Region String, Day Date, Owner String)
    ENGINE = MergeTree ORDER BY (Region, toYYYYMM(Day))
    AS SELECT toString(number % 10), toDate('2024-01-01') + number % 100, 'x' FROM numbers(1000000)`);
  const check = (columns: string[]) => connection.checkSource({ table: 'many' }, columns, never);
  const size = { level: 'ok', text: 'about 1,000,000 rows' };
  expect(await check(['Region', 'Day'])).toEqual([
    size,
    { level: 'ok', text: expect.stringContaining('contains all columns') },
  ]);
  expect(await check(['Region', 'Owner'])).toEqual([
    size,
    { level: 'warning', text: expect.stringContaining('lacks "Owner"') },
  ]);
  const all = { sql: 'SELECT * FROM many' };
  expect(await connection.checkSource(all, ['Owner'], never)).toEqual([size]);
});

it('each type of ClickHouse is read as a field type', async () => {
  await chdb.run(`CREATE TABLE types (
      a UInt64, b Int256, c Decimal(38, 10), d Float32, e LowCardinality(String), f Enum8('x' = 1),
      g UUID, h FixedString(4), i DateTime('Asia/Tokyo'), j DateTime64(9), k Array(Int8),
      l SimpleAggregateFunction(sum, UInt64), m Bool, n Nullable(IPv4), o Date32, p UInt8
    ) ENGINE = MergeTree ORDER BY tuple()`);
  await chdb.run(`INSERT INTO types VALUES (18446744073709551615, -7, 1.5, 0.5, 'low', 'x',
    '61f0c404-5cb3-11e7-907b-a6006ad3dba0', 'ab', '2024-07-01 09:30:00', '2024-07-01 00:30:00.123456789',
    [1, 2], 9, true, '127.0.0.1', '2024-07-01', 255)`);
  const settings = { name: 'events', engine: 'clickhouse', url: chdb.url } as const;
  const stage = new ContentStage(
    openConnections([settings], { sourceQueries: 2, userQueries: 2, memoryMb: 512 }),
  );
  const names = Array.from('abcdefghijklmnop');
  const tiles = await stage.tilesOf(
    { timeZone: 'America/New_York', source: { connection: 'events', table: 'types' }, metrics: [] },
    [names.slice(0, 8), names.slice(8)].map((dimensions) => ({
      type: 'table',
      dimensions,
      metrics: [],
    })) as never,
  );
  const keys = tiles.flatMap((tile) => ('groups' in tile ? (tile.groups[0]?.keys ?? []) : []));
  expect(keys).toEqual([
    '18446744073709551615',
    -7,
    1.5,
    0.5,
    'low',
    'x',
    '61f0c404-5cb3-11e7-907b-a6006ad3dba0',
    'ab',
    '2024-06-30T20:30:00',
    '2024-06-30T20:30:00.123456',
    '[1,2]',
    9,
    true,
    '127.0.0.1',
    '2024-07-01',
    255,
  ]);
  await stage.close();
});

it('columns may have the names that statements use', async () => {
  await chdb.run(
    'CREATE TABLE names (k0 String, o0 Int64, v0 Int64, n String, t String, s String, x String, "a`b\\\\c" String) ENGINE = MergeTree ORDER BY k0',
  );
  await chdb.run(
    `INSERT INTO names VALUES ('a', 1, 10, 'n', 't', 's', 'x', '1'), ('b', 2, 20, 'n', 't', 's', 'x', '2')`,
  );
  const settings = { name: 'events', engine: 'clickhouse', url: chdb.url } as const;
  const stage = new ContentStage(
    openConnections([settings], { sourceQueries: 2, userQueries: 2, memoryMb: 512 }),
  );
  const tiles = await stage.tilesOf(
    {
      source: { connection: 'events', table: 'names' },
      metrics: [{ name: 'Sum', expression: 'sum(v0) + max(o0)' }],
    },
    [
      { type: 'table', dimensions: ['n', 't'], metrics: ['Sum'], totals: true },
      { type: 'bar', x: 'k0', y: ['Sum'], color: 's', limit: 1 },
      { type: 'pivot', rows: ['x'], columns: ['a`b\\c'], metrics: ['Sum'] },
    ] as never,
    { visibleRows: [{ field: 'k0', in: ['a', 'b'] }] as never },
  );
  expect(tiles).toMatchObject([
    { groups: [{ keys: ['n', 't'], values: [32] }], totals: [32] },
    {
      groups: [
        { keys: ['b', 's'], values: [22] },
        { keys: [null, 's'], values: [11], other: 1 },
      ],
    },
    { totals: { all: [32], rows: [{ keys: ['x'], values: [32] }] } },
  ]);
  await stage.close();
});

it('an export has every row of the reader’s roles and filters once, in batches', async () => {
  await chdb.run(`CREATE TABLE lines (Region String, Line Int64, Day Date32, Sales Decimal(38, 2))
    ENGINE = MergeTree ORDER BY Region AS SELECT if(number % 2 = 0, 'West', 'East'), number,
    toDate32('2023-01-15') + toIntervalMonth(number % 24), number + 0.25 FROM numbers(60000)`);
  const settings = { name: 'events', engine: 'clickhouse', url: chdb.url } as const;
  const stage = new ContentStage(
    openConnections([settings], { sourceQueries: 2, userQueries: 2, memoryMb: 512 }),
  );
  const month = { field: 'Day', values: [1, 3], grain: 'month of year' as const };
  const [header, ...rows] = await stage.export(
    {
      source: { connection: 'events', table: 'lines' },
      metrics: [{ name: 'Sum', expression: 'sum(Sales)' }],
    },
    [{ type: 'table', dimensions: ['Line', 'Day'], metrics: ['Sum'], sort: '-Line' }],
    { visibleRows: [{ field: 'Region', in: ['West'] }], view: readerView(month) },
  );
  const days = ['2023-01-15', '2023-03-15', '2024-01-15', '2024-03-15'];
  const expected = Array.from({ length: 60_000 }, (_, line) => line)
    .filter((line) => line % 2 === 0 && [0, 2].includes(line % 12))
    .map((line) => [line, days[Math.floor((line % 24) / 12) * 2 + (line % 12) / 2]!, line + 0.25]);
  expect(header).toEqual(['Line', 'Day', 'Sum']);
  expect(rows).toEqual(expected.toReversed());
  await stage.close();
});

it('conditions on times and ids read only the rows that the sorting key leaves', async () => {
  const columns = new Map([
    ['at', "DateTime64(3, 'Asia/Tokyo')"],
    ['id', 'UInt64'],
  ]);
  for (const key of columns.keys())
    await chdb.run(`CREATE TABLE by_${key} (at ${columns.get('at')}, id UInt64)
      ENGINE = MergeTree ORDER BY ${key} SETTINGS index_granularity = 1000
      AS SELECT toDateTime('2024-01-01 00:00:00', 'UTC') + number * 60, number FROM numbers(500000)`);
  const count = async (table: string, rows: Condition) => {
    const from = clickhouse.from({ table });
    const typed = new Map(
      [...columns].map(([name, type]) => [name, { name: type, isFinite: false }] as const),
    );
    const emitter = new Emitter(clickhouse, { from, columns: typed, timeZone: 'Europe/Berlin' });
    const metrics = [{ kind: 'call', function: 'count', type: 'integer', arguments: [] }] as const;
    const { text, values } = emitter.emit({
      rows: chooseRows(allRows, rows),
      dimensions: [],
      metrics: metrics as unknown as TypedExpression[],
      order: [],
    });
    const [found] = await connection.query({ text, values }, never);
    const explained = await connection.query(
      { text: `EXPLAIN indexes = 1 ${text}`, values },
      never,
    );
    const plan = explained.map(({ explain }) => String(explain)).join('\n');
    const [, read = 0] = /Granules: (\d+)\/500/.exec(plan) ?? [];
    return [Number(found?.['v0']), Number(read)];
  };
  const at: TypedExpression = { kind: 'column', name: 'at', type: 'datetime' };
  const id: TypedExpression = { kind: 'column', name: 'id', type: 'decimal' };
  const bound = (value: string) => ({ type: 'datetime', value, isIncluded: true }) as const;
  const range = (from: string, to: string): Condition => ({
    kind: 'range',
    operand: at,
    from: bound(from),
    to: bound(to),
  });
  const [days, granules] = await count(
    'by_at',
    range('2024-03-01T00:00:00', '2024-03-02T00:00:00'),
  );
  expect(days).toBe(1_441);
  expect(granules).toBeLessThan(10);
  expect(
    await count('by_at', { kind: 'in', operand: at, values: ['2024-03-01T00:00:00'] }),
  ).toEqual([1, expect.toSatisfy((read: number) => read < 10)]);
  const all = range('0001-01-01T00:00:00', '9999-12-31T00:00:00');
  expect((await count('by_at', all))[0]).toBe(500_000);
  expect(await count('by_id', { kind: 'in', operand: id, values: ['5', '7'] })).toEqual([2, 1]);
  const mixed: Condition = { kind: 'in', operand: id, values: ['5', '7.5', '-1'] };
  expect((await count('by_id', mixed))[0]).toBe(1);
});

it.each(readableTextCases)('ClickHouse reads as %s the text %j: %j', async (type, text, value) => {
  const read = clickhouse.cast(sql`t.v`, 'text', type);
  const written = type === 'boolean' || type === 'number' ? read : sql`toString(${read})`;
  const [row] = await connection.query(
    render(
      sql`SELECT ${written} AS v FROM (SELECT toNullable(${bind(text)}) AS v) AS t`,
      clickhouse.placeholder,
    ),
    never,
  );
  const found = row?.['v'] ?? null;
  const isTime = type === 'datetime' && found !== null;
  const isSmall = type === 'integer' && found !== null && Number.isSafeInteger(Number(found));
  const known = isTime
    ? String(found).replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros))
    : isSmall
      ? Number(found)
      : found;
  expect(type === 'decimal' && known !== null ? Number(known) : known).toEqual(
    type === 'decimal' && value !== null ? Number(value) : value,
  );
});

it.each(textFunctionCases)('in ClickHouse, %s is %j', async (expression, value) => {
  const [row] = await connection.query(selectFunction(clickhouse, expression), never);
  expect(readFunctionResult(row?.['v'] ?? null, value)).toEqual(value);
});

it.each([
  ['ΝΙΚΟΣ@X.example', 'νικοσ@x.example', true],
  ['νικος@x.example', 'νικοσ@x.example', true],
  ['İ@x.example', 'i@x.example', false],
])('without letter case, %s equals %s: %s', async (stored, email, isEqual) => {
  const isFound = clickhouse.isIn(bind(stored), [email], 'text', true);
  const [row] = await connection.query(
    render(sql`SELECT ${isFound} AS found`, clickhouse.placeholder),
    never,
  );
  expect(Boolean(row?.['found'])).toBe(isEqual);
});
