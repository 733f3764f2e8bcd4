import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { formatterOf, formatTick } from './format.ts';

const timesOf = (...values: string[]) => {
  const formatX = formatterOf({
    dimension: { label: 'When', kind: 'time' },
    points: values.map((x) => ({ x, y: 1 })),
  });
  return values.map(formatX);
};

describe('formatted times', () => {
  it('use the coarsest format that fits all values', () => {
    expect(timesOf('2016-01-01', '2017-01-01')).toEqual(['2016', '2017']);
    expect(timesOf('2017-01-01', '2017-02-01')).toEqual(['Jan 2017', 'Feb 2017']);
    expect(timesOf('2017-01-01', '2017-02-03')).toEqual(['Jan 1, 2017', 'Feb 3, 2017']);
    expect(timesOf('2017-01-01T05:30:00Z')[0]).toMatch(/^Jan 1, 2017, 5:30/);
    expect(timesOf('2017-01-01T05:00:00Z')[0]).toMatch(/^Jan 1, 2017, 5:00/);
    expect(timesOf('2017-01-01T00:00:05Z')[0]).toMatch(/^Jan 1, 2017, 12:00/);
  });

  it('are in UTC, with or without a time zone', () => {
    expect(timesOf('2017-01-01T00:00:00', '2018-01-01T00:00:00.000Z')).toEqual(['2017', '2018']);
    expect(timesOf('2017-01-01T02:00:00+02:00')).toEqual(['2017']);
    expect(timesOf('2016-12-31T22:00:00-02:00')).toEqual(['2017']);
  });
});

it.each(['America/New_York', 'Asia/Tokyo'])(
  'times are UTC in a browser in the time zone %s',
  (timeZone) => {
    vi.stubEnv('TZ', timeZone);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    expect(new Date('2017-01-01T00:00:00Z').getHours()).not.toBe(0);
    expect(timesOf('2017-01-01T00:00:00', '2018-01-01')).toEqual(['2017', '2018']);
    expect(timesOf('2017-02-01', '2017-03-01')).toEqual(['Feb 2017', 'Mar 2017']);
    expect(timesOf('2017-02-02T00:00:00')).toEqual(['Feb 2, 2017']);
    expect(timesOf('2017-02-02T05:30')[0]).toMatch(/^Feb 2, 2017, 5:30/);
  },
);

describe('axis ticks', () => {
  it('are abbreviated', () => {
    expect(formatTick(60_000, 'dollars')).toBe('$60K');
    expect(formatTick(1_500_000, 'integer')).toBe('1.5M');
    expect(formatTick(1_234_567, 'integer')).toBe('1.2M');
    expect(formatTick(-2.5, 'decimal')).toBe('-2.5');
  });
});
