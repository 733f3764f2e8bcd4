import { describe, expect, it } from 'vitest';

import { findLateData } from './late-data.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.parse('2026-03-02T06:00:00Z');

/** Updates at these days after the start, and what is late `now` days after it. */
const lateAfter = (now: number, days: readonly number[], datasetId = 'd1') =>
  findLateData(
    days.map((each) => ({ datasetId, at: new Date(start + each * day) })),
    new Date(start + now * day),
  );

describe('late data', () => {
  it('is overdue after one and a half of its longest pause', () => {
    const daily = [0, 1, 2, 3];
    expect(lateAfter(4.5, daily)).toEqual([]);
    expect(lateAfter(4.51, daily)).toEqual([
      { datasetId: 'd1', updatedAt: new Date(start + 3 * day), usualMs: day },
    ]);
  });

  it('is not overdue on Monday, if it comes on working days', () => {
    const working = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11];
    expect(lateAfter(14.5, working)).toEqual([]);
    expect(lateAfter(15.6, working)).toMatchObject([{ usualMs: day }]);
  });

  it('needs three pauses, and files that arrive together are one update', () => {
    expect(lateAfter(90, [0, 1, 2])).toEqual([]);
    expect(lateAfter(90, [0, 0.01, 0.02, 1, 1.01, 2, 2.01])).toEqual([]);
  });

  it('forgets pauses of long ago', () => {
    const once = [0, 30];
    const daily = Array.from({ length: 10 }, (_, index) => 31 + index);
    expect(lateAfter(43, [...once, ...daily])).toHaveLength(1);
    expect(lateAfter(43, [...once, ...daily.slice(0, 9)])).toEqual([]);
  });

  it('of each dataset follows its own habit, the latest first', () => {
    const updates = [
      ...[0, 1, 2, 3].map((each) => ({ datasetId: 'daily', at: new Date(start + each * day) })),
      ...[0, 0.5, 1, 1.5].map((each) => ({ datasetId: 'often', at: new Date(start + each * day) })),
      ...[0, 7, 14, 21].map((each) => ({ datasetId: 'weekly', at: new Date(start + each * day) })),
    ];
    const late = findLateData(updates, new Date(start + 25 * day));
    expect(late.map(({ datasetId }) => datasetId)).toEqual(['daily', 'often']);
  });
});
