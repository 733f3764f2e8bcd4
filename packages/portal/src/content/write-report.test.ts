import { reportSchema } from '@portal-embed/report-model';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

import { writeReport } from './write-report.ts';

const listCharts = (time: string | undefined) => {
  const text = writeReport({
    dataset: 'orders',
    title: 'Orders',
    metrics: ['Orders', 'Sales'],
    texts: ['Region', 'Segment', 'City'],
    time,
  });
  const { pages } = reportSchema.parse(parse(text));
  return pages[0]!.rows[1]!.tiles;
};

it('a first report with a time shows the main metric over it and by the first text', () => {
  expect(listCharts('Ordered')).toMatchObject([
    { type: 'line', x: 'Ordered by month', y: ['Sales'] },
    { type: 'bar', x: 'Region', y: ['Sales'] },
  ]);
});

it('a first report without a time shows the main metric by the first two texts', () => {
  expect(listCharts(undefined)).toMatchObject([
    { type: 'bar', x: 'Region', y: ['Sales'] },
    { type: 'bar', x: 'Segment', y: ['Sales'] },
  ]);
});
