import { expect, it } from 'vitest';

import { reportSchema } from '../files/report.ts';
import { checkSize } from './size.ts';

/** A report whose pages have these numbers of tiles. */
const reportOf = (...counts: number[]) =>
  reportSchema.parse({
    name: 'Report',
    workspace: 'Sales',
    dataset: 'orders',
    pages: counts.map((count, index) => ({
      name: `Page ${index + 1}`,
      rows: Array.from({ length: Math.ceil(count / 12) }, (_, row) => ({
        tiles: Array.from({ length: Math.min(12, count - row * 12) }, () => ({
          type: 'kpi',
          metric: 'Sales',
        })),
      })),
    })),
  });

it('a page may have 60 tiles and a report 200', () => {
  expect(checkSize(reportOf(60, 60, 60, 20))).toEqual([]);
});

it('a page with more than 60 tiles says which page and what to do', () => {
  expect(checkSize(reportOf(1, 61))).toEqual([
    {
      path: ['pages', 1],
      message: 'Page 2: the page has 61 tiles, but the maximum is 60; move some to another page',
    },
  ]);
});

it('a report with more than 200 tiles says what to do', () => {
  expect(checkSize(reportOf(60, 60, 60, 21))).toEqual([
    {
      path: ['pages'],
      message:
        'the report has 201 tiles, but the maximum is 200; move some pages to another report',
    },
  ]);
});
