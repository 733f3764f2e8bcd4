import type { FieldType } from '@portal-embed/report-model';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

import { createDraft } from './drafts.ts';

/** Drafts content for a file with these columns. */
function draft(name: string, columns: Record<string, FieldType>) {
  const described = {
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
    hints: [],
    questions: [],
  };
  const { slug, title, write } = createDraft(name, {
    described,
    options: {},
    fields: {},
    notes: [],
  });
  const files = write();
  const dataset = files[`datasets/${slug}.yaml`]!;
  const report = files[`reports/${slug}.yaml`] ?? '';
  return {
    slug,
    title,
    files: Object.keys(files),
    dataset: parse(dataset),
    report: parse(report),
    text: dataset,
  };
}

it.each([
  ['sales_2022-2024 (final).csv', 'sales-2022-2024-final', 'Sales 2022-2024 (final)'],
  ['Über-Stunden.csv', 'uber-stunden', 'Über Stunden'],
  ['数据.csv', 'data', '数据'],
  ['_.csv', 'data', 'Data'],
  [
    `${'x'.repeat(59)}-${'y'.repeat(60)}.csv`,
    'x'.repeat(59),
    `X${'x'.repeat(58)} ${'y'.repeat(40)}`,
  ],
])('the file %s gets a slug and a title from its name', (name, slug, title) => {
  expect(draft(name, { A: 'text' })).toMatchObject({ slug, title });
});

it('a draft sums at most six numbers, sums before means, and no codes', () => {
  const numbers = ['Rate', 'A', 'B', 'Order id', 'Postleitzahl', 'customerId', 'C', 'D', 'E', 'F'];
  const columns = Object.fromEntries(numbers.map((name) => [name, 'integer' as const]));
  const { dataset } = draft('a.csv', { ...columns, Text: 'text', Day: 'date' });
  expect(dataset.metrics.map(({ name }: { name: string }) => name)).toEqual([
    'Rows',
    'A',
    'B',
    'C',
    'D',
    'E',
    'F',
  ]);
  expect(dataset).toMatchObject({ time: 'Day', rowAccess: 'everyone', source: { file: 'a.csv' } });
  expect(dataset.source).not.toHaveProperty('csv');
  const few = draft('b.csv', { Rate: 'number', Sum: 'decimal' }).dataset.metrics.slice(1);
  expect(few).toEqual([
    { name: 'Sum', expression: 'sum(Sum)' },
    { name: 'Rate', expression: 'avg(Rate)' },
  ]);
});

it('a report groups by texts before codes', () => {
  const columns = { 'Beleg-Nr.': 'text', PLZ: 'text', Region: 'text', Sales: 'number' } as const;
  const { report, text } = draft('a.csv', columns);
  expect(report.filters).toEqual([{ field: 'Region' }, { field: 'Beleg-Nr.' }, { field: 'PLZ' }]);
  expect(report.pages[0].rows[1].tiles[0]).toMatchObject({ type: 'bar', x: 'Region' });
  expect(text).toContain('a value of Region');
});

it('a draft of e-mails and other texts is a look-up without a report', () => {
  const columns = { 'E-Mail': 'text', Region: 'text' } as const;
  const lookUp = draft('a.csv', columns);
  expect([lookUp.files, lookUp.dataset.rowAccess]).toEqual([['datasets/a.yaml'], 'by-role']);
  expect(lookUp.text).not.toContain('roles:');
  const other = draft('a.csv', { ...columns, Sales: 'number' });
  expect(other.files).toEqual(['datasets/a.yaml', 'reports/a.yaml']);
});

it.each([
  [{ Sales: 'number', 'E-Mail': 'text', Region: 'text' }, '#       field: E-Mail\n'],
  [
    { Sales: 'number', Region: 'text' },
    '#       field: Region\n#       in:\n#         - a value of Region\n',
  ],
  [{ Sales: 'number', Costs: 'number' }, '#       field: Sales\n'],
] as const)('a draft of %o suggests a role', (columns, advice) => {
  expect(draft('a.csv', columns).text).toContain(advice);
});

it('a column named Rows does not take the name of the number of rows', () => {
  const { dataset } = draft('a.csv', { Rows: 'integer', Region: 'text' });
  expect(dataset.metrics).toEqual([
    { name: 'Number of rows', expression: 'count()' },
    { name: 'Rows', expression: 'sum(Rows)' },
  ]);
});

it('a title is cut without a space at its end', () => {
  expect(draft(`${'x'.repeat(99)} y.csv`, { A: 'text' }).title).toBe(`X${'x'.repeat(98)}`);
});
