import { describe, expect, it } from 'vitest';

import type { FieldType } from '../files/dataset.ts';
import { parseDatasetFile, parseReportFile } from '../files/parse-files.ts';
import { resolveDataset } from './resolve-dataset.ts';
import { resolveReport } from './resolve-report.ts';

const columns = new Map<string, FieldType>([
  ['Region', 'text'],
  ['Order ID', 'text'],
  ['Order Date', 'date'],
  ['Sales', 'decimal'],
  ['Profit', 'number'],
  ['Quantity', 'integer'],
]);

function resolve(properties: object, before: string[] = []) {
  const { value } = parseDatasetFile({ name: 'O', source: { file: 'a.csv' }, ...properties });
  return resolveDataset(value!, columns, before);
}

const metric = (expression: string) => ({ metrics: [{ name: 'Cost', expression }] });

describe('a column that the file had before', () => {
  const before = [...columns.keys(), 'Cost', 'Due'];
  const gone = (name: string) =>
    `the file has no column "${name}" any more; add it again, or remove what uses it`;

  it.each([
    [metric('sum(Cost)'), `Cost: ${gone('Cost')}`],
    [{ fields: [{ name: 'Cost', format: 'integer' }] }, `Cost: ${gone('Cost')}`],
    [{ fields: [{ name: 'Gain', expression: 'Sales - Cost' }] }, `Gain: ${gone('Cost')}`],
    [{ roles: [{ name: 'West', rows: { field: 'Due', isNull: true } }] }, `West: ${gone('Due')}`],
    [{ time: 'Due' }, gone('Due')],
    [{ hierarchies: [{ name: 'H', fields: ['Region', 'Due'] }] }, `H: ${gone('Due')}`],
  ])('%j says that it is gone', (properties, message) => {
    expect(resolve(properties, before).issues.map((issue) => issue.message)).toEqual([message]);
  });

  it('all that uses it says so, although a field declares it', () => {
    const { draft, issues } = resolve(
      {
        fields: [{ name: 'Due', type: 'date' }],
        time: 'Due',
        metrics: [{ name: 'Days', expression: 'count_distinct(Due)' }],
        roles: [{ name: 'West', rows: { field: 'Due', isNull: true } }],
      },
      before,
    );
    expect(issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual([
      `fields.0.name Due: ${gone('Due')}`,
      `metrics.0.expression Days: ${gone('Due')}`,
      `time ${gone('Due')}`,
      `roles.0.rows.field West: ${gone('Due')}`,
    ]);
    const report = parseReportFile({
      name: 'R',
      workspace: 'W',
      dataset: 'o',
      filters: [{ field: 'Due' }],
      pages: [{ name: 'P', rows: [{ tiles: [{ type: 'text', text: 'T' }] }] }],
    }).value!;
    expect(resolveReport(report, draft).issues).toMatchObject([{ message: gone('Due') }]);
  });

  it('a new name that is similar is proposed', () => {
    expect(resolve({ time: 'Order Day' }, ['Order Day']).issues).toMatchObject([
      { message: 'the file has no column "Order Day" any more; did you mean "Order Date"?' },
    ]);
  });

  it('without the former columns, a metric with the name of its column is not taken for a field', () => {
    const { issues } = resolve(metric('case when true then sum(Cost) else -max(Cost) end'));
    expect(issues[0]?.message).toContain('Cost: unknown column "Cost"; write one of Region');
  });
});

it('a table and a report name the columns that are gone, too', () => {
  const { value } = parseDatasetFile({
    name: 'O',
    source: { connection: 'warehouse', table: 'orders' },
    time: 'Due',
  });
  const { draft, issues } = resolveDataset(value!, columns, ['Due']);
  const gone = 'the table has no column "Due" any more; add it again, or remove what uses it';
  expect(issues.map(({ message }) => message)).toEqual([gone]);
  const report = parseReportFile({
    name: 'R',
    workspace: 'W',
    dataset: 'o',
    filters: [{ field: 'Due' }],
    pages: [
      {
        name: 'P',
        rows: [{ tiles: [{ type: 'table', dimensions: ['Due', 'Due by month'] }] }],
      },
    ],
  }).value!;
  expect(resolveReport(report, draft).issues.map(({ message }) => message)).toEqual([
    gone,
    `P, table: ${gone}`,
    `P, table: ${gone}`,
  ]);
});
