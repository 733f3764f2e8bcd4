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
    { type: 'bar', x: 'Region', y: ['Sales'], limit: 10 },
  ]);
});

it('a first report without a time shows the main metric by the first two texts', () => {
  expect(listCharts(undefined)).toMatchObject([
    { type: 'bar', x: 'Region', y: ['Sales'] },
    { type: 'bar', x: 'Segment', y: ['Sales'] },
  ]);
});

it('a first report has filters of the first three texts and of the time', () => {
  const listFilters = (time: string | undefined) => {
    const texts = ['Region', 'Segment', 'City', 'Street'];
    const text = writeReport({ dataset: 'orders', title: 'Orders', metrics: [], texts, time });
    return reportSchema.parse(parse(text)).filters?.map(({ field }) => field);
  };
  expect(listFilters('Ordered')).toEqual(['Region', 'Segment', 'City', 'Ordered']);
  expect(listFilters(undefined)).toEqual(['Region', 'Segment', 'City']);
});

it('a first report shows four of many metrics as numbers, and seven in its table', () => {
  const metrics = Array.from({ length: 9 }, (_, index) => `Metric ${index}`);
  const text = writeReport({ dataset: 'orders', title: 'Orders', metrics, texts: ['Region'] });
  const [numbers, , table] = reportSchema.parse(parse(text)).pages[0]!.rows;
  expect(numbers!.tiles).toMatchObject(metrics.slice(0, 4).map((metric) => ({ metric })));
  expect(table!.tiles).toMatchObject([{ type: 'table', metrics: metrics.slice(0, 7) }]);
});
