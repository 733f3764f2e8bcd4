import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import {
  datasetSchema,
  resolveDataset,
  type FieldType,
  type TypedExpression,
} from '@portal-embed/report-model';
import { beforeAll, expect, it } from 'vitest';

import { duckdb } from './duckdb.ts';
import { emitExpression } from './expression.ts';
import { render, sql } from './sql.ts';

/** Two rows: one with a value in each column, and one without text, numbers and time. */
const table = `CREATE TABLE orders AS SELECT * FROM (VALUES
  (DATE '2024-12-31', TIMESTAMP '2024-12-31 18:30:00', 'West', 12.50::DECIMAL(18, 2), 3.25::DOUBLE, 4::BIGINT, true),
  (DATE '2024-01-01', NULL, NULL, NULL, NULL, 0, false)
) AS orders("Order Date", "Shipped At", "Region", "Sales", "Profit", "Quantity", "Returned")`;

const columns = new Map<string, FieldType>([
  ['Order Date', 'date'],
  ['Shipped At', 'datetime'],
  ['Region', 'text'],
  ['Sales', 'decimal'],
  ['Profit', 'number'],
  ['Quantity', 'integer'],
  ['Returned', 'boolean'],
]);

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create()).connect();
  await connection.run(table);
  return () => connection.closeSync();
});

function resolve(properties: object) {
  const file = { name: 'Orders', source: { file: 'orders.csv' }, ...properties };
  const { dataset, issues } = resolveDataset(datasetSchema.parse(file), columns);
  if (!dataset) throw new Error(issues.map(({ message }) => message).join('\n'));
  return dataset;
}

async function run(expression: TypedExpression) {
  const { text, values } = render(
    sql`SELECT ${emitExpression(
      duckdb,
      {
        column: duckdb.quote,
        aggregate: (call) =>
          duckdb.aggregate[call.function](
            call.arguments.map((part) => emitExpression(duckdb, { column: duckdb.quote }, part)),
            call.arguments.map(({ type }) => type),
          ),
      },
      expression,
    )} FROM orders`,
    duckdb.placeholder,
  );
  const reader = await connection.runAndReadAll(text, values as string[]);
  return { type: String(reader.columnType(0)), rows: reader.getRowsJson().flat() };
}

it.each([
  ['-Profit', 'number', 'DOUBLE', [-3.25, null]],
  ['Sales * 2', 'number', 'DOUBLE', [25, null]],
  ['Quantity / 3', 'number', 'DOUBLE', [4 / 3, 0]],
  ['7 / Quantity', 'number', 'DOUBLE', [1.75, null]],
  ['7 % Quantity', 'number', 'DOUBLE', [3, null]],
  ['Sales + Profit', 'number', 'DOUBLE', [15.75, null]],
  ["'it''s ' || Region", 'text', 'VARCHAR', ["it's West", null]],
  ["Region <> 'West'", 'boolean', 'BOOLEAN', [false, null]],
  ['Quantity = 1.5', 'boolean', 'BOOLEAN', [false, false]],
  ['Quantity between 0 and 4', 'boolean', 'BOOLEAN', [true, true]],
  ['Quantity between 1 and 3', 'boolean', 'BOOLEAN', [false, false]],
  ['Quantity between null and 5', 'boolean', 'BOOLEAN', [null, null]],
  ['Sales in (12.5, null)', 'boolean', 'BOOLEAN', [true, null]],
  ['Region is null', 'boolean', 'BOOLEAN', [false, true]],
  ['not Returned', 'boolean', 'BOOLEAN', [false, true]],
  ['Returned and Quantity > 1 and Sales > 1', 'boolean', 'BOOLEAN', [true, false]],
  ['"Shipped At" > "Order Date"', 'boolean', 'BOOLEAN', [true, null]],
  ['"Order Date" >= \'2024-02-29\'', 'boolean', 'BOOLEAN', [true, false]],
  ['9223372036854775807', 'integer', 'BIGINT', Array(2).fill('9223372036854775807')],
  ['-9223372036854775808', 'integer', 'BIGINT', Array(2).fill('-9223372036854775808')],
  ['9223372036854775808', 'decimal', 'DECIMAL(19,0)', Array(2).fill('9223372036854775808')],
  ['abs(Profit)', 'number', 'DOUBLE', [3.25, null]],
  ['abs(-5)', 'integer', 'BIGINT', ['5', '5']],
  ['round(-2.5)', 'number', 'DOUBLE', [-3, -3]],
  ['round(1250.5, -2)', 'number', 'DOUBLE', [1300, 1300]],
  ['coalesce(Sales, Quantity)', 'decimal', 'DECIMAL(21,2)', ['12.50', '0.00']],
  ['coalesce(Quantity, 0.5)', 'decimal', 'DECIMAL(20,1)', ['4.0', '0.0']],
  ['case when Returned then Quantity else Sales end', 'decimal', 'DECIMAL(21,2)', ['4.00', null]],
  [
    'coalesce("Shipped At", "Order Date")',
    'datetime',
    'TIMESTAMP',
    ['2024-12-31 18:30:00', '2024-01-01 00:00:00'],
  ],
  ['nullif(Quantity, 0)', 'integer', 'BIGINT', ['4', null]],
  ['upper(Region)', 'text', 'VARCHAR', ['WEST', null]],
  ['length(Region)', 'integer', 'BIGINT', ['4', null]],
  ["concat(Region, '-')", 'text', 'VARCHAR', ['West-', '-']],
  ["contains(Region, 'es')", 'boolean', 'BOOLEAN', [true, null]],
  ["starts_with(Region, 'es')", 'boolean', 'BOOLEAN', [false, null]],
  ["ends_with(lower(Region), 'st')", 'boolean', 'BOOLEAN', [true, null]],
  ['year("Order Date") * 100 + month("Order Date")', 'number', 'DOUBLE', [202412, 202401]],
  ['quarter("Order Date")', 'integer', 'BIGINT', ['4', '1']],
  ['day("Shipped At")', 'integer', 'BIGINT', ['31', null]],
  ['hour("Shipped At")', 'integer', 'BIGINT', ['18', null]],
  ['date_trunc(\'week\', "Order Date")', 'date', 'DATE', ['2024-12-30', '2024-01-01']],
  ['date_trunc(\'hour\', "Shipped At")', 'datetime', 'TIMESTAMP', ['2024-12-31 18:00:00', null]],
])('%s is %s and has its value in the engine', async (text, type, engineType, rows) => {
  const field = resolve({ fields: [{ name: 'Field', expression: text }] }).fields.get('Field');
  expect(field?.type).toBe(type);
  expect(await run(field!.expression)).toEqual({ type: engineType, rows });
});

it.each([
  ['sum(Sales)', 'decimal', 'DECIMAL(38,2)', '12.50'],
  ['sum(Quantity)', 'integer', 'HUGEINT', '4'],
  ['avg(Quantity)', 'number', 'DOUBLE', 2],
  ['min(Quantity)', 'integer', 'BIGINT', '0'],
  ['max(Profit)', 'number', 'DOUBLE', 3.25],
  ['count()', 'integer', 'BIGINT', '2'],
  ['count(Region)', 'integer', 'BIGINT', '1'],
  ['count_distinct(Returned)', 'integer', 'BIGINT', '2'],
  ['median(Quantity)', 'number', 'DOUBLE', 2],
  ['quantile(Quantity, 0.75)', 'number', 'DOUBLE', 3],
  ['sum(Sales) / count()', 'number', 'DOUBLE', 6.25],
  ["sum(case when Region = 'West' then Quantity end)", 'integer', 'HUGEINT', '4'],
])('the metric %s is %s and has its value in the engine', async (text, type, engineType, value) => {
  const metric = resolve({ metrics: [{ name: 'Metric', expression: text }] }).metrics.get('Metric');
  expect(metric?.type).toBe(type);
  expect(await run(metric!.expression)).toEqual({ type: engineType, rows: [value] });
});
