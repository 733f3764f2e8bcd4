import { expect, it } from 'vitest';

import { flatReportSchema, flatPredicateSchema } from '../index.ts';

const measure = { label: 'Sales', format: 'dollars', aggregate: 'sum', column: 'Sales' };
const kpi = { id: 'sales', title: 'Sales', mark: 'kpi', measure };

it('a dimension groups by value unless the report says otherwise', () => {
  const dimension = { label: 'Region', column: 'Region' };
  const { tiles } = flatReportSchema.parse({ tiles: [{ ...kpi, mark: 'bar', dimension }] });
  expect(tiles[0]).toMatchObject({ dimension: { by: 'value' } });
});

it.each([
  ['no tile', []],
  ['an unknown mark', [{ ...kpi, mark: 'pie' }]],
  ['an unknown field', [{ ...kpi, sql: 'DROP TABLE users' }]],
  ['a series without a dimension', [{ ...kpi, mark: 'line' }]],
])('a report with %s is refused', (_case, tiles) => {
  expect(flatReportSchema.safeParse({ tiles }).success).toBe(false);
});

it('predicates nest, and an unknown operator is refused', () => {
  const region = { column: 'Region', in: ['West'] };
  const nested = { all: [region, { any: [{ column: 'Owner', equalsViewerEmail: true }] }] };
  expect(flatPredicateSchema.parse(nested)).toEqual(nested);
  expect(flatPredicateSchema.safeParse({ column: 'Region', notIn: ['West'] }).success).toBe(false);
});
