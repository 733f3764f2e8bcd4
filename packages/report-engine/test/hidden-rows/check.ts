import type { Dataset, RowPredicate } from '@portal-embed/report-model';
import { expect } from 'vitest';

import type { StoredDataset } from '#platform';

import type { ContentStage, StageRequest } from '../support/content.ts';
import { readerView } from '../support/reader-view.ts';
import { badOwner, listOwners, readerEmail } from './rows.ts';

type Source = Dataset['source'];
type Choice = { report?: object; request?: StageRequest };

const owner = (operator: object) => ({ field: 'Owner', ...operator }) as unknown as RowPredicate;

export const roles: [string, RowPredicate][] = [
  ['the reader’s e-mail', owner({ equals: { viewer: 'email' } })],
  ['a list of 1 value', owner({ in: listOwners(1) })],
  ['a list of 17 values', owner({ in: listOwners(17) })],
  ['a list of 500 values', owner({ in: listOwners(500) })],
  [
    'a look-up',
    owner({ in: { lookup: 'managers', key: 'email', value: 'owner', viewer: 'email' } }),
  ],
  ['a negated list', owner({ notIn: [badOwner] })],
  ['a negation', { not: owner({ equals: badOwner }) }],
];

/** Values that most rows match, and that the bad row may fail to be compared with. */
const ranges: [string, string][] = [
  ['Size', '100..2000'],
  ['Square', '100..4000000'],
  ['Shipped', '2024-01-01..2024-05-31'],
  ['Price', '0.5..1900.5'],
];

const chart = { type: 'bar' as const, y: 'Rows', limit: 2 };

/** What a reader or a host can choose. */
export const choices: [string, Choice][] = [
  ...ranges.flatMap(([field, value]): [string, Choice][] => [
    [`a filter of the host on ${field}`, { request: { filters: [[{ key: field, value }]] } }],
    [
      `a filter of the reader on ${field}`,
      {
        report: { filters: [{ field }] },
        request: { view: readerView({ field, values: [value] }) },
      },
    ],
    [`a default on ${field}`, { report: { filters: [{ field, default: value }] } }],
    [`a bar for all others of ${field}`, { report: { tile: { ...chart, x: field } } }],
  ]),
  [
    'a drill into a year',
    {
      report: { tile: { type: 'column', x: 'Shipped by year', y: 'Rows' } },
      request: {
        view: { filters: [], sorts: [], drills: [{ tile: '0.0.0', path: ['2024-01-01'] }] },
      },
    },
  ],
  [
    'a comparison with the previous month',
    { report: { tile: { type: 'kpi', metric: 'Rows', compare: 'previous month' } } },
  ],
];

const dataset = (source: Source) => ({
  source,
  time: 'Shipped',
  fields: [
    { name: 'Shipped', type: 'date' as const },
    { name: 'Size', expression: 'abs(N)' },
    { name: 'Square', expression: 'X * X' },
  ],
  metrics: [
    { name: 'Rows', expression: 'count()' },
    { name: 'Total', expression: 'sum(Size)' },
  ],
});

interface Given {
  stage: ContentStage;
  /** The source of a table. */
  sourceOf: (table: 'orders' | 'clean') => Source;
  managers: StoredDataset;
}

const requestOf = ({ managers }: Given, role: RowPredicate, request: StageRequest = {}) => ({
  visibleRows: [role],
  viewer: { email: [readerEmail], department: [], groups: [], companies: [] },
  findDataset: async (slug: string) => (slug === 'managers' ? managers : undefined),
  ...request,
});

/** Expects the same answer with and without the bad row, which the reader may not see. */
export async function expectSameReport(
  given: Given,
  role: RowPredicate,
  { report, request }: Choice,
): Promise<void> {
  const { tile = { type: 'kpi', metric: 'Total' }, ...rest } = { ...report } as { tile?: object };
  const pages = [{ name: 'P', rows: [{ tiles: [tile] }] }];
  const compute = (table: 'orders' | 'clean') =>
    given.stage.compute(
      dataset(given.sourceOf(table)),
      { ...rest, pages } as never,
      requestOf(given, role, request),
    );
  const expected = await compute('clean');
  expect(expected.rowCount).toBeGreaterThan(0);
  expect(await compute('orders')).toEqual(expected);
}

/** Expects that a search for values finds the same with and without the bad row. */
export async function expectSameValues(
  given: Given,
  role: RowPredicate,
  field: string,
): Promise<void> {
  const list = (table: 'orders' | 'clean') =>
    given.stage.listValues(
      dataset(given.sourceOf(table)),
      {
        filters: [{ field }],
        pages: [{ name: 'P', rows: [{ tiles: [{ type: 'kpi', metric: 'Rows' }] }] }],
      } as never,
      { ...requestOf(given, role), field, search: '0' },
    );
  const expected = await list('clean');
  expect(expected.valueCount).toBeGreaterThan(0);
  expect(await list('orders')).toEqual(expected);
}

export const searchedFields = ['Size', 'Square', 'Shipped', 'Price'];
