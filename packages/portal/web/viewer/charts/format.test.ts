import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createFormats } from './format.ts';

const { formatTick, formatterOf } = createFormats('en-US');

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

describe('the formats of a locale', () => {
  const formatAll = (locale?: string) => {
    const formats = createFormats(locale);
    const dates = ['2017-10-01', '2017-11-01'].map((day) => new Date(day));
    return [
      formats.formatNumber(1_234_567.8, 'dollars'),
      formats.formatNumber(1_234.5, 'decimal'),
      formats.formatPosition(0.25),
      formats.formatTimeTick(dates[0]!, 0, dates),
    ].map((text) => text.replaceAll(/\s/g, ' '));
  };

  it('are those of its language', () => {
    expect(formatAll('de-DE')).toEqual(['1.234.568 $', '1.234,5', '0,25', 'Okt 2017']);
    expect(formatAll('en-US')).toEqual(['$1,234,568', '1,234.5', '0.25', 'Oct 2017']);
  });

  it.each([undefined, '', 'not a tag', 'de_DE', 'x'])(
    'without a valid tag (%s), they are those of the first language of the browser',
    (tag) => {
      vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['C', 'fr-FR', 'en']);
      expect(formatAll(tag)).toEqual(formatAll('fr-FR'));
      expect(formatAll(tag)).not.toEqual(formatAll('en-US'));
    },
  );

  it('of a language that the browser lacks are those of the browser’s language', () => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['de-DE']);
    expect(formatAll('tlh')).toEqual(formatAll('de-DE'));
  });
});

describe('the labels of a time axis', () => {
  const labelsOf = (...days: string[]) => {
    const dates = days.map((day) => new Date(day));
    const { formatTimeTick } = createFormats('en-US');
    return dates.map((date, index) => formatTimeTick(date, index, dates));
  };

  it('name the larger unit where it changes', () => {
    expect(labelsOf('2016-01-01', '2017-01-01')).toEqual(['2016', '2017']);
    expect(labelsOf('2016-11-01', '2016-12-01', '2017-01-01')).toEqual([
      'Nov\n2016',
      'Dec',
      'Jan\n2017',
    ]);
    expect(labelsOf('2017-01-30', '2017-01-31', '2017-02-02')).toEqual(['30\nJan', '31', '2\nFeb']);
    expect(labelsOf('2017-01-30T22:30Z', '2017-01-30T23:00Z', '2017-01-31T00:00Z')).toEqual([
      expect.stringMatching(/^10:30\sPM\nJan 30$/),
      expect.stringMatching(/^11:00\sPM$/),
      expect.stringMatching(/^12:00\sAM\nJan 31$/),
    ]);
  });
});
