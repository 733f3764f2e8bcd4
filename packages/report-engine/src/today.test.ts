import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import { ContentStage } from '../test/support/content.ts';
import { Engine } from './engine/engine.ts';

const stage = new ContentStage();

beforeAll(() => stage.write('orders.csv', 'Day\n2026-01-01\n2026-01-02\n2026-01-03\n'));
afterAll(() => stage.close());

const dataset = {
  source: { file: 'orders.csv' },
  fields: [
    { name: 'Age', expression: "date_diff('day', Day, today())" },
    { name: 'Is today', expression: 'Day = today()' },
  ],
  metrics: [
    { name: 'Rows', expression: 'count()' },
    { name: 'Oldest', expression: 'max(Age)' },
    { name: 'Since new year', expression: "date_diff('day', '2026-01-01', today()) + 0 * count()" },
  ],
};

/** The values of a tile at a time. */
async function showAt(now: string, tile: object, { timeZone = 'UTC', ...request } = {}) {
  stage.now = new Date(now);
  const tiles = await stage.tilesOf({ ...dataset, timeZone }, [tile] as never, request);
  return tiles.map((each) =>
    'value' in each ? each.value : 'groups' in each ? each.groups : each,
  );
}

const oldest = { type: 'kpi', metric: 'Oldest' };

it('today() is the date in the time zone of the dataset', async () => {
  const at = '2026-01-03T05:30:00Z';
  expect(await showAt(at, oldest)).toEqual([2]);
  expect(await showAt(at, oldest, { timeZone: 'America/New_York' })).toEqual([2]);
  expect(await showAt(at, oldest, { timeZone: 'America/Los_Angeles' })).toEqual([1]);
  expect(await showAt(at, oldest, { timeZone: 'Pacific/Kiritimati' })).toEqual([2]);
  expect(await showAt('2026-01-03T10:30:00Z', oldest, { timeZone: 'Pacific/Kiritimati' })).toEqual([
    3,
  ]);
});

it('an answer of another day is not used again, and one of the same day is', async () => {
  const query = vi.spyOn(Engine.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  expect(await showAt('2026-01-05T00:00:00Z', oldest)).toEqual([4]);
  const { length } = query.mock.calls;
  expect(length).toBeGreaterThan(0);
  expect(await showAt('2026-01-05T23:59:59.999Z', oldest)).toEqual([4]);
  expect(query).toHaveBeenCalledTimes(length);
  expect(await showAt('2026-01-06T00:00:00Z', oldest)).toEqual([5]);
  expect(await showAt('2026-01-05T12:00:00Z', oldest)).toEqual([4]);
});

it('roles, filters, dimensions and metrics can use today()', async () => {
  const at = '2026-01-02T12:00:00Z';
  const rows = { type: 'kpi', metric: 'Rows' };
  expect(
    await showAt(at, rows, { visibleRows: [{ field: 'Age', between: [0, 5] }] } as never),
  ).toEqual([2]);
  expect(
    await showAt(at, rows, { filters: [[{ key: 'Is today', value: 'true' }]] } as never),
  ).toEqual([1]);
  expect(
    await showAt(at, { type: 'table', dimensions: ['Age'], metrics: ['Rows'], sort: 'Age' }),
  ).toEqual([[-1, 0, 1].map((key) => ({ keys: [key], values: [1] }))]);
  expect(await showAt(at, { type: 'kpi', metric: 'Since new year' })).toEqual([1]);
});
