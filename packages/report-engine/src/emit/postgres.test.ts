import {
  datasetSchema,
  resolveDataset,
  type FieldType,
  type TypedExpression,
} from '@portal-embed/report-model';
import pg from 'pg';
import { findPostgres, startPostgres, type PostgresCluster } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { allRows, chooseRows, everyOf, negate } from '../plan/compare.ts';
import type { Condition, QueryPlan, Rows } from '../plan/plan.ts';
import { emitExpression } from './expression.ts';
import { postgres } from './postgres.ts';
import { Emitter } from './query.ts';
import { bind, render } from './sql.ts';

const types = new Map([
  ['Region', 'text'],
  ['N', 'integer'],
  ['Price', 'numeric(10,2)'],
  ['X', 'double precision'],
  ['Day', 'date'],
  ['Clock', 'timestamp without time zone'],
  ['At', 'timestamp with time zone'],
]);

const column = (name: string): TypedExpression => ({
  kind: 'column',
  name,
  type: postgres.fieldTypeOf(types.get(name) ?? ''),
});

const count: TypedExpression = { kind: 'call', function: 'count', type: 'integer', arguments: [] };

const emit = (
  chosen: Condition,
  plan: Partial<QueryPlan> = {},
  source: Parameters<typeof postgres.from>[0] = { table: 'orders' },
) =>
  new Emitter(postgres, {
    from: postgres.from(source),
    columns: new Map([...types].map(([name, type]) => [name, { name: type, isFinite: false }])),
    timeZone: 'Europe/Berlin',
  }).emit({
    rows: chooseRows(allRows, chosen),
    dimensions: [],
    metrics: [count],
    order: [],
    ...plan,
  });

const isIn = (name: string, values: string[]): Condition => ({
  kind: 'in',
  operand: column(name),
  values,
});

const range = (name: string, from: string, to: string): Condition => {
  const operand = column(name);
  const bound = (value: string) => ({ type: operand.type, value, isIncluded: true });
  return { kind: 'range', operand, from: bound(from), to: bound(to) };
};

it('days and times of the year 0 are sent as PostgreSQL reads them, and text as it is', () => {
  expect(emit(range('Day', '0000-02-29', '0001-01-01')).values).toEqual(
    expect.arrayContaining(['0001-02-29 BC', '0001-01-01']),
  );
  expect(emit(range('Clock', '0000-02-29T10:00:00', '2024-01-01T00:00:00')).values).toEqual(
    expect.arrayContaining(['0001-02-29T10:00:00 BC', '2024-01-01T00:00:00']),
  );
  expect(emit(isIn('Region', ['0000-1'])).values.flat()).toContain('0000-1');
});

it.each<[string, FieldType]>([
  ['smallint', 'integer'],
  ['bigint', 'integer'],
  ['numeric', 'decimal'],
  ['numeric(18,4)', 'decimal'],
  ['real', 'number'],
  ['double precision', 'number'],
  ['date', 'date'],
  ['timestamp without time zone', 'datetime'],
  ['timestamp(3) with time zone', 'datetime'],
  ['boolean', 'boolean'],
  ['text', 'text'],
  ['character varying(20)', 'text'],
  ['character(3)', 'text'],
  ['uuid', 'text'],
  ['jsonb', 'text'],
  ['time without time zone', 'text'],
  ['integer[]', 'text'],
  ['money', 'text'],
])('a column of type %s is read as %s', (sourceType, type) => {
  expect(postgres.fieldTypeOf(sourceType)).toBe(type);
});

it('roles and filters are in the innermost WHERE, with values as parameters', () => {
  const rows: Condition = {
    kind: 'and',
    parts: [isIn('Region', ["O'Hara", 'West']), { kind: 'not', part: isIn('N', ['5']) }],
  };
  const { text, values } = emit(rows, { dimensions: [{ expression: column('Region') }] });
  expect(text).toBe(
    'WITH r AS (SELECT s."Region" AS k0 FROM "orders" AS s WHERE ((s."Region" = ANY (CAST($1 AS text[]))) AND (NOT (s."N" = ANY (CAST($2 AS bigint[])))))), g AS (SELECT k0, count(*) AS v0, count(*) OVER () AS n FROM r GROUP BY k0) SELECT * FROM g ORDER BY (k0 COLLATE "C") NULLS LAST',
  );
  expect(values).toEqual([["O'Hara", 'West'], ['5']]);
});

it.each([
  ['table', { table: 'a"b' }, '"a""b"'],
  ['table of a schema', { table: 'Sales.Orders' }, '"Sales"."Orders"'],
  ['SELECT', { sql: 'SELECT 1 -- all' }, '(SELECT 1 -- all\n)'],
])('a %s stays one item of FROM', (_title, source, text) => {
  expect(render(postgres.from(source), postgres.placeholder).text).toBe(text);
});

describe.skipIf(!findPostgres())('on a server', () => {
  let server: PostgresCluster;
  let client: pg.Client;
  beforeAll(async () => {
    server = await startPostgres();
    client = new pg.Client({ connectionString: server.url('postgres') });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  it.each([
    ['abs(N)', '5'],
    ["coalesce(Empty, 'none')", 'none'],
    ["concat(Region, Empty, '!')", 'West!'],
    ["contains(Region, 'es')", true],
    ["ends_with(Region, 'st')", true],
    ["ends_with(Region, 'We')", false],
    ['length(Region)', '4'],
    ['lower(Region)', 'west'],
    ["nullif(Region, 'West')", null],
    ['N % 3', -2],
    ["starts_with(Region, 'st')", false],
    ["starts_with(Region, 'We')", true],
    ['upper(Region)', 'WEST'],
  ])('the expression %s is %s', async (expression, value) => {
    const columns = new Map<string, FieldType>([
      ['Region', 'text'],
      ['Empty', 'text'],
      ['N', 'integer'],
    ]);
    const file = { name: 'O', source: { file: 'o.csv' }, fields: [{ name: 'F', expression }] };
    const { dataset } = resolveDataset(datasetSchema.parse(file), columns);
    const field = dataset!.fields.get('F')!.expression;
    const emitted = emitExpression(postgres, { column: postgres.quote }, field);
    const { text, values } = render(emitted, postgres.placeholder);
    const { rows } = await client.query({
      text: `SELECT ${text} AS value FROM (SELECT 'West' AS "Region", NULL::text AS "Empty", -5 AS "N") AS s`,
      values: [...values],
    });
    expect(rows).toEqual([{ value }]);
  });

  it('a stored infinity is in no range, and not outside of one either', async () => {
    const select = `SELECT 'infinity'::date AS "Day"`;
    const inRange = range('Day', '2024-01-01', '2024-12-31');
    for (const rows of [inRange, { kind: 'not', part: inRange } as const]) {
      const { text, values } = emit(rows, {}, { sql: select });
      const answer = await client.query({ text, values: [...values], rowMode: 'array' });
      expect(answer.rows[0]?.[0]).toBe('0');
    }
  });

  it.each([
    ['ΝΙΚΟΣ@X.example', 'νικοσ@x.example', true],
    ['νικος@x.example', 'νικοσ@x.example', true],
    ['İ@x.example', 'i@x.example', false],
  ])('without letter case, %s equals %s: %s', async (stored, email, isEqual) => {
    const { text, values } = render(
      postgres.isIn(bind(stored), [email], 'text', true),
      postgres.placeholder,
    );
    const { rows } = await client.query(`SELECT ${text} AS found`, [...values]);
    expect(rows).toEqual([{ found: isEqual }]);
  });

  it.each([
    ['02:00:00', '02:59:59', 4],
    ['02:30:00', '02:59:59', 2],
    ['02:00:00', '02:15:00', 2],
    ['01:59:59', '03:00:00', 5],
  ])(
    'a filter from %s to %s in the hour that clocks repeat shows both passes: %i rows',
    async (from, to, expected) => {
      // Clocks in Berlin go from 3:00 back to 2:00 at 1:00 UTC.
      const select = `SELECT t::timestamptz AS "At" FROM unnest(ARRAY['2024-10-27T00:15:00Z',
        '2024-10-27T00:45:00Z', '2024-10-27T01:15:00Z', '2024-10-27T01:45:00Z',
        '2024-10-27T02:00:00Z', '2024-10-26T02:30:00Z']) AS t`;
      const rows = range('At', `2024-10-27T${from}`, `2024-10-27T${to}`);
      const { text, values } = emit(rows, {}, { sql: select });
      const answer = await client.query({ text, values: [...values], rowMode: 'array' });
      expect(answer.rows[0]?.[0]).toBe(String(expected));
    },
  );

  it('each condition uses the index of its column, also beside a computed condition', async () => {
    await client.query(`
      CREATE TABLE orders AS SELECT 'R' || i AS "Region", i AS "N", i::numeric(10, 2) AS "Price",
        i::float8 AS "X", '1900-01-01'::date + i AS "Day", '1900-01-01'::timestamp + i * interval '1 hour' AS "Clock",
        '1900-01-01'::timestamptz + i * interval '1 hour' AS "At" FROM generate_series(1, 50000) AS i`);
    for (const name of types.keys()) await client.query(`CREATE INDEX ON orders ("${name}")`);
    await client.query('ANALYZE orders');
    const explain = async (rows: Condition | Rows) => {
      const { text, values } = 'visible' in rows ? emit(rows.chosen, { rows }) : emit(rows);
      const plan = await client.query({ text: `EXPLAIN ${text}`, values, rowMode: 'array' });
      return plan.rows.flat().join('\n');
    };
    const conditions: [string, Condition][] = [
      ['Region', isIn('Region', ['R1', 'R2'])],
      ['N', isIn('N', ['1', '2'])],
      ['N', range('N', '1', '20')],
      ['Price', isIn('Price', ['1.5'])],
      ['Price', range('Price', '1', '20')],
      ['X', range('X', '1', '20')],
      ['Day', isIn('Day', ['1901-01-01'])],
      ['Day', range('Day', '1901-01-01', '1901-01-31')],
      ['Clock', range('Clock', '1901-01-01', '1901-01-03')],
      ['At', range('At', '1901-01-01', '1901-01-03')],
      [
        'At',
        {
          kind: 'or',
          parts: [range('At', '1901-01-01', '1901-01-03'), range('At', '1902-01-01', '1902-01-02')],
        },
      ],
    ];
    for (const [name, condition] of conditions)
      expect(await explain(condition)).toMatch(new RegExp(`Index.*orders_"?${name}_idx`));
    const isSmall: Condition = {
      kind: 'in',
      operand: { kind: 'call', function: 'abs', type: 'integer', arguments: [column('N')] },
      values: ['1'],
    };
    const visible = isIn('Region', ['R1', 'R2']);
    const isEarly = range('Day', '1901-01-01', '1901-01-31');
    for (const computed of [[], [isSmall]]) {
      const rows = { visible, chosen: everyOf(computed) };
      expect(await explain(rows)).toMatch(/Index.*orders_"?Region_idx/);
      const ofDays = { visible: negate(visible), chosen: everyOf([isEarly, ...computed]) };
      expect(await explain(ofDays)).toMatch(/Index.*orders_"?Day_idx/);
    }
    expect(
      await explain({ kind: 'not', part: range('Day', '1901-01-01', '1901-01-31') }),
    ).toContain('Seq Scan');
  });
});
