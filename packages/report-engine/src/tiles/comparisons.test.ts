import type { KpiTile } from '@portal-embed/report-model';
import { chooseRepetitions } from 'test-support/repetitions';
import { afterAll, describe, expect, it } from 'vitest';

import {
  countDays,
  firstDayOf,
  listDays,
  shiftDays,
  type ComparedUnit,
} from '../../test/support/calendar.ts';
import { ContentStage } from '../../test/support/content.ts';
import { readerView } from '../../test/support/reader-view.ts';
import { filterBy } from '../../test/support/sales.ts';

const stage = new ContentStage();
afterAll(() => stage.close());

const units: readonly ComparedUnit[] = ['day', 'week', 'month', 'quarter', 'year'];
const kpi = (unit: ComparedUnit) =>
  ({ type: 'kpi', metric: 'Rows', compare: `previous ${unit}` }) as const;

/** Each day is one row. Each time has one in the first minute of the day, and one in the last. */
const lines = listDays(2021, 2025).map((day) => [day, `${day}T00:00:30`, `${day}T23:59:30`]);
stage.write('days.csv', ['Day', ...lines.map(([day]) => day)].join('\n'));
stage.write(
  'times.csv',
  ['At', ...lines.flatMap(([, morning, night]) => [morning, night])].join('\n'),
);
const metrics = [{ name: 'Rows', expression: 'count()' }];
const days = { source: { file: 'days.csv' }, time: 'Day', metrics };
const times = { source: { file: 'times.csv' }, time: 'At', metrics };

async function computeKpis(
  dataset: typeof days,
  compared: readonly ComparedUnit[],
  {
    values,
    ...request
  }: Partial<Parameters<ContentStage['compute']>[2]> & { values?: readonly string[] } = {},
): Promise<KpiTile[]> {
  const filter = { field: dataset.time, ...(values ? { default: [...values] } : {}) };
  const pages = [{ name: 'Page', rows: [{ tiles: compared.map(kpi) }] }];
  const { page } = await stage.compute(dataset, { filters: [filter], pages }, request);
  return page.rows.flat() as KpiTile[];
}

/** In `npm test`, days near the ends of months of different lengths. */
const lastDays =
  chooseRepetitions(1, 2) > 1
    ? listDays(2023, 2025)
    : [
        '2023-02-28',
        '2024-02-28',
        '2024-02-29',
        '2024-03-30',
        '2024-03-31',
        '2024-05-30',
        '2024-11-30',
        '2025-02-28',
      ];

it('a report until any day counts the days of the period and of the earlier one', async () => {
  for (const day of lastDays) {
    const shown = await computeKpis(days, units, filterBy('Day', `..${day}`));
    for (const [index, unit] of units.entries()) {
      const [from, to] = shiftDays(unit, firstDayOf(unit, day), day);
      expect(shown[index], `${day} ${unit}`).toMatchObject({
        value: countDays(firstDayOf(unit, day), day),
        comparison: { from, value: countDays(from, to) },
      });
    }
  }
}, 600_000);

describe.each([
  ['the default of a filter', (values: readonly string[]) => ({ values })],
  [
    'a filter of the reader',
    (values: readonly string[], field: string) => ({
      view: readerView({ field, values: [...values] }),
    }),
  ],
] as const)('%s', (_, choose) => {
  const eachDay = listDays(2024, 2024).filter((day) => day.startsWith('2024-02'));

  it.each<[ComparedUnit, readonly string[], number, number | null]>([
    ['month', ['2023-02-28'], 1, 1],
    ['month', ['2023-02-20..2023-02-28'], 9, 9],
    ['year', ['2024-02-28'], 1, 1],
    ['year', ['2024-02-29'], 1, 1],
    ['month', ['2024-03-29..2024-03-31'], 3, 1],
    ['month', ['2024-05-01..2024-05-30'], 30, 30],
    ['month', ['2024-04-01..2024-04-30'], 30, 31],
    ['quarter', ['2024-04-01..2024-05-30'], 60, 60],
    ['year', ['2024-01-01..2024-02-28'], 59, 59],
    ['year', ['2025-01-01..2025-02-28'], 59, 60],
    ['day', ['2024-03-01'], 1, 1],
    ['week', ['2024-02-26..2024-03-01'], 5, 5],
    // The earlier period of the last month replaces the range, which begins before it.
    ['month', ['2024-01-15..2024-02-29'], 29, 31],
    ['month', ['2022-06-10..'], 31, 30],
    ['month', ['..2024-02-29'], 29, 31],
    // Days in a row are a range.
    ['month', eachDay, 29, 31],
    ['month', ['2024-02-15..2024-02-29', '2024-02-01..2024-02-14'], 29, 31],
    // Each range of several is moved by the rule.
    ['month', ['2024-02-01..2024-02-14', '2024-02-20..2024-02-29'], 24, 24],
    ['month', ['2024-01-15..2024-02-10', '2024-02-20..2024-02-29'], 20, 20],
    ['month', ['2024-02-28', '2024-02-03'], 2, 2],
    ['year', ['2024-01-01..2024-01-31', '2024-02-29'], 32, 32],
  ])(
    'compared with the previous %s, %j counts %i days and %s earlier ones',
    async (unit, values, value, earlier) => {
      const [shown] = await computeKpis(days, [unit], choose(values, 'Day'));
      expect(shown).toMatchObject({ value, comparison: { value: earlier } });
    },
  );

  it.each<[ComparedUnit, readonly string[], number, number | null]>([
    ['month', ['2023-02-28..2023-02-28'], 2, 2],
    ['month', ['2024-02-01..2024-02-29'], 58, 62],
    ['month', ['2024-02-01T00:00:00..2024-02-29T23:59:59'], 58, 62],
    ['month', ['2024-02-01T00:00:00..2024-02-29T23:59:00'], 57, 61],
    // An exclusive end, as many programs write it.
    ['month', ['2024-02-01T00:00:00..2024-03-01T00:00:00'], 58, 62],
    ['month', ['2023-02-28T00:00:00..2023-03-01T00:00:00'], 2, 2],
    ['year', ['2024-02-28T12:00:00..2024-02-29T12:00:00'], 2, 1],
    ['month', ['2024-03-31T12:00:00..2024-03-31T23:59:59'], 1, 1],
    ['day', ['2024-03-01T00:00:00..2024-03-01T12:00:00'], 1, 1],
    ['day', ['2024-03-01T00:00:30', '2024-03-01T12:00:00'], 1, 1],
    ['month', ['2024-03-30T00:00:30', '2024-03-31T00:00:30'], 2, 1],
    ['year', ['2025-12-01T12:00:00..'], 61, 61],
  ])(
    'of times compared with the previous %s, %j counts %i rows and %s earlier ones',
    async (unit, values, value, earlier) => {
      const [shown] = await computeKpis(times, [unit], choose(values, 'At'));
      expect(shown).toMatchObject({ value, comparison: { value: earlier } });
    },
  );

  it.each([
    ['month', 'previous month', '2024-02-01', '2024-01-01', '2024-02-01'],
    ['month', 'last 2 months', '2024-03-01', '2024-02-01', '2024-03-01'],
    ['quarter', 'previous quarter', '2023-10-01', '2023-07-01', '2023-10-01'],
    ['year', 'last 12 months', '2024-01-01', '2023-01-01', '2023-03-31'],
    ['year', 'previous month', '2024-02-01', '2023-02-01', '2023-03-01'],
  ] as const)(
    'on March 30 compared with the previous %s, "%s" begins on %s, and the earlier one is from %s to before %s',
    async (unit, value, begin, from, to) => {
      stage.now = new Date('2024-03-30T12:00:00Z');
      const shown = await computeKpis(days, [unit], choose([value], 'Day'));
      stage.now = new Date('2026-01-01T00:00:00Z');
      expect(shown).toMatchObject([{ period: { from: begin }, comparison: { from, to } }]);
    },
  );
});
