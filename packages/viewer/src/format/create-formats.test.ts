import german from 'page-kit/messages/de.json';
import english from 'page-kit/messages/en.json';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { formats } from '../test/formats.ts';
import { decimal, dollars, integer } from '../test/samples.ts';
import { createFormats } from './create-formats.ts';
import type { Period } from './periods.ts';

const { formatNumber, formatTicks, formatterOf } = formats;

const timesOf = (...values: string[]) => {
  return values.map(formatterOf({ name: 'When', kind: 'time' }, values));
};

describe('formatted times', () => {
  it('times use the coarsest format that fits all values', () => {
    expect(timesOf('2016-01-01', '2017-01-01')).toEqual(['2016', '2017']);
    expect(timesOf('2017-01-01', '2017-02-01')).toEqual(['Jan 2017', 'Feb 2017']);
    expect(timesOf('2017-01-01', '2017-02-03')).toEqual(['Jan 1, 2017', 'Feb 3, 2017']);
    expect(timesOf('2017-01-01T05:30:00Z')[0]).toMatch(/^Jan 1, 2017, 5:30/);
    expect(timesOf('2017-01-01T05:00:00Z')[0]).toMatch(/^Jan 1, 2017, 5:00/);
    expect(timesOf('2017-01-01T00:00:05Z')[0]).toMatch(/^Jan 1, 2017, 12:00/);
  });

  it('times are in UTC, with or without a time zone', () => {
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
    expect(formatTicks([0, 60_000], dollars)).toEqual(['$0', '$60K']);
    expect(formatTicks([1_500_000], integer)).toEqual(['1.5M']);
    expect(formatTicks([-2.5], decimal)).toEqual(['-2.5']);
  });

  it.each([
    [[0, 2.5, 5, 7.5, 10], integer, ['0', '2.5', '5', '7.5', '10']],
    [[1_000_000, 1_250_000, 1_500_000], dollars, ['$1M', '$1.25M', '$1.5M']],
    [[0, 0.125, 0.25], { ...decimal, style: 'percent' }, ['0%', '12.5%', '25%']],
    [[0.001, 0.002], decimal, ['0.001', '0.002']],
  ] as const)('never repeat, and are exact: %j', (ticks, format, labels) => {
    expect(formatTicks(ticks, format)).toEqual(labels);
  });
});

describe('numbers', () => {
  it('exact numbers keep all of their digits', () => {
    expect(formatNumber('9007199254740993', integer)).toBe('9,007,199,254,740,993');
    expect(formatNumber('-9223372036854775807.25', { ...dollars, maximumFractionDigits: 2 })).toBe(
      '-$9,223,372,036,854,775,807.25',
    );
  });

  it('have their unit', () => {
    const speed = { ...decimal, style: 'unit', unit: 'kilometer-per-hour' } as const;
    expect(formatNumber(12, speed)).toBe('12.0 km/h');
    expect(formatTicks([12], speed)).toEqual(['12 km/h']);
  });

  it('that are rounded to zero have no sign', () => {
    const minutes = { ...integer, style: 'unit', unit: 'minute' } as const;
    expect([-0.4, -0, 0.4, -0.6].map((value) => formatNumber(value, minutes))).toEqual([
      '0 min',
      '0 min',
      '0 min',
      '-1 min',
    ]);
    expect(formatTicks([-0], dollars)).toEqual(['$0']);
  });

  it('a number is shown without a unit that the browser lacks', () => {
    expect(formatNumber(12, { ...decimal, style: 'unit', unit: 'parsec' })).toBe('12');
  });

  it.each([
    [110, 100, dollars, '+10.0%'],
    [90, 100, dollars, '-10.0%'],
    [-90, -100, dollars, '+10.0%'],
    [5, 0, dollars, '+$5'],
    [0.125, 0.1, { ...decimal, style: 'percent' }, '+2.5 points'],
    [0.123_45, 0.1, { ...decimal, style: 'percent' }, '+2.3 points'],
    [100, 100, dollars, '0.0%'],
    [null, 100, dollars, null],
    [100, null, dollars, null],
  ] as const)('the change to %s from %s depends on the unit', (value, earlier, format, text) => {
    expect(formats.formatChange(value, earlier, format)).toBe(text);
  });
});

it('the grain of a dimension is in the reader’s language, and any other name is as written', () => {
  const { nameDimension } = createFormats('de', german);
  expect(
    [
      { name: 'Datum by month', kind: 'time', grain: 'month' } as const,
      { name: 'Abflug by hour of day', kind: 'number', grain: 'hour of day' } as const,
      { name: 'Review by month', kind: 'category' } as const,
      { name: 'Monat', kind: 'time', grain: 'month' } as const,
    ].map(nameDimension),
  ).toEqual(['Datum nach Monat', 'Abflug nach Tagesstunde', 'Review by month', 'Monat']);
});

describe('the values of a dimension', () => {
  it.each([
    ['time', 'year', '2017-01-01', '2017'],
    ['time', 'quarter', '2017-10-01', 'Q4 2017'],
    ['time', 'month', '2017-01-01', 'Jan 2017'],
    ['time', 'week', '2017-01-02', 'Jan 2, 2017'],
    ['time', 'day', '2017-01-01', 'Jan 1, 2017'],
    ['number', 'month of year', 12, 'Dec'],
    ['number', 'day of week', 1, 'Mon'],
    ['number', 'day of week', 7, 'Sun'],
  ] as const)('a %s by %s, %s, is shown as %s', (kind, grain, key, name) => {
    expect(formatterOf({ name: 'When', kind, grain })(key)).toBe(name);
  });

  it('hours are shown as times of the clock', () => {
    const hour = formatterOf({ name: 'Hour', kind: 'number', grain: 'hour of day' });
    expect(hour(15)).toMatch(/^3\sPM$/);
    const time = formatterOf({ name: 'When', kind: 'time', grain: 'hour' });
    expect(time('2017-01-01T15:00:00')).toMatch(/^Jan 1, 2017, 3:00\sPM$/);
  });

  it('missing, empty and boolean values have names', () => {
    const name = formatterOf({ name: 'Region', kind: 'category' });
    expect([null, '', true, false, 'West'].map(name)).toEqual([
      '(blank)',
      '(empty)',
      'Yes',
      'No',
      'West',
    ]);
  });

  it('numbers of a dimension have the format of their field, or all of their digits', () => {
    expect(formatterOf({ name: 'Price', kind: 'number', format: dollars })(1_200)).toBe('$1,200');
    expect(formatterOf({ name: 'Year', kind: 'number' })(2017)).toBe('2017');
    const invoice = formatterOf({ name: 'Invoice', kind: 'number' });
    expect(invoice('9007199254740993')).toBe('9007199254740993');
    const price = formatterOf({ name: 'Price', kind: 'number', format: dollars });
    expect(price('9007199254740993')).toBe('$9,007,199,254,740,993');
  });
});

describe('periods', () => {
  it.each([
    ['2017-01-01', '2018-01-01', '2017'],
    ['2017-01-01', '2017-04-01', 'Q1 2017'],
    ['2017-04-01', '2017-07-01', 'Q2 2017'],
    ['2017-10-01', '2018-01-01', 'Q4 2017'],
    ['2017-12-01', '2018-01-01', 'Dec 2017'],
    ['2017-02-01', '2017-05-01', 'Feb – Apr 2017'],
    ['2017-02-01', '2018-02-01', 'Feb 2017 – Jan 2018'],
    ['2017-01-05', '2018-01-05', 'Jan 5, 2017 – Jan 4, 2018'],
    ['2017-12-04', '2017-12-11', 'Dec 4 – 10, 2017'],
    ['2017-12-04', '2017-12-05', 'Dec 4, 2017'],
  ])('the period from %s to before %s has the name %s', (from, to, name) => {
    expect(formats.formatPeriod(from, to).replaceAll(/\s/g, ' ')).toBe(name);
  });
});

it('the time of the data has its date, and a time of the day with its zone', () => {
  expect(formats.formatDataTime('2017-12-30', 'UTC')).toBe('Dec 30, 2017');
  expect(formats.formatDataTime('2017-12-30T00:00:00', 'UTC')).toBe('Dec 30, 2017');
  expect(formats.formatDataTime('2017-12-30T23:45:00', 'America/New_York')).toMatch(
    /^Dec 30, 2017, 11:45\sPM \(America\/New York\)$/,
  );
});

it.each([
  ['West', 'West'],
  ['2017-01-01..2017-12-31', 'Jan 1, 2017 – Dec 31, 2017'],
  ['2017-01-01..2017-01-01', 'Jan 1, 2017'],
  ['2017-01-01..', 'from Jan 1, 2017'],
  ['2017-13-01..', 'from 2017-13-01'],
  ['..9.5', 'up to 9.5'],
  ['1..2..3', '1..2..3'],
  ['..', '..'],
])('the filter %s is shown as %s', (value, text) => {
  expect(formats.formatFilterValue(value)).toBe(text);
});

it('the end of a range has its time of day if it has one', () => {
  expect(formats.formatFilterValue('2017-01-01..2017-01-02T05:30:00')).toMatch(
    /^Jan 1, 2017 – Jan 2, 2017, 5:30\sAM$/,
  );
});

describe('the formats of a locale', () => {
  const formatAll = (locale?: string) => {
    const localized = createFormats(locale, english);
    const dates = ['2017-10-01', '2017-11-01'].map((day) => new Date(day));
    return [
      localized.formatNumber(1_234_567.8, dollars),
      localized.formatNumber(1_234.5, decimal),
      localized.formatPosition(0.25),
      localized.formatTimeTicks({ times: dates, grain: 'month' })[0]!,
    ].map((text) => text.replaceAll(/\s/g, ' '));
  };

  it('formats are those of the language of the locale', () => {
    expect(formatAll('de-DE')).toEqual(['1.234.568 $', '1.234,5', '0,25', 'Okt 2017']);
    expect(formatAll('en-US')).toEqual(['$1,234,568', '1,234.5', '0.25', 'Oct 2017']);
  });

  it.each([undefined, '', 'not a tag', 'de_DE', 'x'])(
    'without a valid tag (%s), formats are those of the first language of the browser',
    (tag) => {
      vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['C', 'fr-FR', 'en']);
      expect(formatAll(tag)).toEqual(formatAll('fr-FR'));
      expect(formatAll(tag)).not.toEqual(formatAll('en-US'));
    },
  );

  it('if the browser lacks a language, formats are those of the browser’s language', () => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['de-DE']);
    expect(formatAll('tlh')).toEqual(formatAll('de-DE'));
  });
});

it('the time of a refresh is written as in the reader’s language', () => {
  const time = new Date(2017, 0, 1, 15, 5);
  expect(createFormats('de', german).formatClock(time)).toBe('15:05');
  expect(formats.formatClock(time)).toMatch(/^3:05\sPM$/);
});

describe('the labels of a time axis', () => {
  const labelsOf = (grain: Period, ...days: string[]) =>
    formats.formatTimeTicks({ times: days.map((day) => new Date(day)), grain });

  it('labels of a time axis name the larger unit where it changes', () => {
    expect(labelsOf('year', '2016-01-01', '2017-01-01')).toEqual(['2016', '2017']);
    expect(labelsOf('month', '2016-11-01', '2016-12-01', '2017-01-01')).toEqual([
      'Nov\n2016',
      'Dec',
      'Jan\n2017',
    ]);
    expect(labelsOf('day', '2017-01-30', '2017-01-31', '2017-02-02')).toEqual([
      '30\nJan',
      '31',
      '2\nFeb',
    ]);
    expect(labelsOf('hour', '2017-01-30T22:30Z', '2017-01-30T23:00Z', '2017-01-31T00:00Z')).toEqual(
      [
        expect.stringMatching(/^10:30\sPM\nJan 30$/),
        expect.stringMatching(/^11:00\sPM$/),
        expect.stringMatching(/^12:00\sAM\nJan 31$/),
      ],
    );
  });

  it('labels of weeks that begin a month have the month and the year', () => {
    expect(labelsOf('month', '2016-12-05', '2017-01-02')).toEqual(['Dec\n2016', 'Jan\n2017']);
  });
});
