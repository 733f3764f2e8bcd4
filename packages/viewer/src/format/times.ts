import type { Dimension, Grain, Key } from '@portal-embed/report-model';
import type { MessageFormats } from 'page-kit/messages/create-message-formats';
import { once } from 'page-kit/once';

import { toDate, type Period, type TimeTicks } from './periods.ts';

type TimeFormat = Pick<Intl.DateTimeFormat, 'format' | 'formatRange'>;

/** Formats of times and of the values of dimensions in one language. */
export function createTimeFormats(
  locales: readonly string[],
  { formatMessage }: Pick<MessageFormats, 'formatMessage'>,
  formatNumber: (value: string | number, dimension: Dimension) => string,
) {
  const createFormat = (options: Intl.DateTimeFormatOptions): TimeFormat => {
    const find = once(() => new Intl.DateTimeFormat([...locales], { ...options, timeZone: 'UTC' }));
    return {
      format: (date) => find().format(date),
      formatRange: (from, to) => find().formatRange(from, to),
    };
  };
  const times = timeUnits.map(({ end, name, tick, context }) => ({
    end,
    name: createFormat(name),
    tick: createFormat(tick),
    context: context && createFormat(context),
  }));
  const [year, month, day, moment] = times.map(({ name }) => name) as [
    TimeFormat,
    TimeFormat,
    TimeFormat,
    TimeFormat,
  ];
  /** The coarsest format that shows all dates exactly. */
  const chooseTimeFormats = (dates: readonly Date[]) =>
    times.find(({ end }) => dates.every((date) => date.toISOString().endsWith(end)))!;

  const monthName = createFormat({ month: 'short' });
  const dayName = createFormat({ weekday: 'short' });
  const hourName = createFormat({ hour: 'numeric' });
  const quarter = (date: Date) =>
    formatMessage('time.quarter', {
      quarter: Math.floor(date.getUTCMonth() / 3) + 1,
      year: year.format(date),
    });

  const grains: Record<Grain, (key: string | number) => string> = {
    year: (key) => year.format(toDate(key)),
    quarter: (key) => quarter(toDate(key)),
    month: (key) => month.format(toDate(key)),
    week: (key) => day.format(toDate(key)),
    day: (key) => day.format(toDate(key)),
    hour: (key) => moment.format(toDate(key)),
    'month of year': (key) => monthName.format(Date.UTC(2001, Number(key) - 1)),
    // 2001 began on a Monday.
    'day of week': (key) => dayName.format(Date.UTC(2001, 0, Number(key))),
    'hour of day': (key) => hourName.format(Date.UTC(2001, 0, 1, Number(key))),
  };

  function formatPeriod(from: string, to: string): string {
    const [start, end] = [toDate(from), toDate(to)];
    const months =
      (end.getUTCFullYear() - start.getUTCFullYear()) * 12 +
      end.getUTCMonth() -
      start.getUTCMonth();
    const isWhole = [start, end].every((date) => date.toISOString().endsWith(timeUnits[1]!.end));
    if (isWhole && months === 12 && start.getUTCMonth() === 0) return year.format(start);
    if (isWhole && months === 3 && start.getUTCMonth() % 3 === 0) return quarter(start);
    const last = new Date(end.getTime() - 1);
    return isWhole ? month.formatRange(start, last) : day.formatRange(start, last);
  }

  const formatEnd = (end: string): string => {
    const isTime = /^\d{4}-\d\d-\d\d/.test(end) && !Number.isNaN(toDate(end).getTime());
    return isTime ? (end.length > 10 ? moment : day).format(toDate(end)) : end;
  };

  return {
    /** Labels a time axis in two lines. The second line is shown only where it changes. */
    formatTimeTicks: ({ times: dates, grain }: TimeTicks): string[] => {
      const { tick, context } = times[tickUnits[grain]]!;
      return dates.map((date, index) => {
        const [label, line] = [tick.format(date), context?.format(date)];
        const previous = dates[index - 1];
        const isRepeated = previous && line === context?.format(previous);
        return line === undefined || isRepeated ? label : `${label}\n${line}`;
      });
    },
    /** Formats the time of day, in the reader's time zone. */
    formatClock: (date: Date) =>
      date.toLocaleTimeString([...locales], { hour: 'numeric', minute: '2-digit' }),
    /** `Dec 30, 2017`, or with a time of day `Dec 30, 2017, 11:45 PM (Europe/Berlin)`. */
    formatDataTime: (time: string, timeZone: string) =>
      time.includes('T') && !/T00:00(:00(\.0+)?)?Z?$/.test(time)
        ? formatMessage('time.zoned', {
            time: moment.format(toDate(time)),
            zone: timeZone.replaceAll('_', ' '),
          })
        : day.format(toDate(time)),
    /** The name of a period, whose end is exclusive: `2017`, `Q4 2017`, `Dec 1 – 5, 2017`. */
    formatPeriod,
    /** Formats a filter's value: a single value, or both ends of a range `from..to`. */
    formatFilterValue: (value: string) => {
      const [from, to, ...others] = value.split('..');
      if (from === undefined || to === undefined || others.length > 0 || from + to === '')
        return value;
      if (from === to) return formatEnd(from);
      if (from === '') return formatMessage('filters.until', { until: formatEnd(to) });
      if (to === '') return formatMessage('filters.from', { from: formatEnd(from) });
      return formatMessage('filters.range', { from: formatEnd(from), until: formatEnd(to) });
    },
    /** The name of a dimension. A report's author writes its grain in English: `Datum by month`. */
    nameDimension: ({ name, grain }: Dimension): string => {
      const ending = ` by ${grain}`;
      if (!grain || !name.endsWith(ending)) return name;
      return formatMessage(`grain.${grain}`, { field: name.slice(0, -ending.length) });
    },
    /** Formats the values of a dimension. Times without a grain get the coarsest exact format. */
    formatterOf: (dimension: Dimension, keys: readonly Key[] = []) => {
      const { kind, grain } = dimension;
      const known = kind === 'time' ? keys.filter((key) => key !== null) : [];
      const time = chooseTimeFormats(known.map((key) => toDate(key as string))).name;
      return (key: Key): string => {
        if (key === null) return formatMessage('value.blank');
        if (key === '') return formatMessage('value.empty');
        if (typeof key === 'boolean') return formatMessage(key ? 'value.yes' : 'value.no');
        if (grain && kind !== 'category') return grains[grain](key);
        if (kind === 'time') return time.format(toDate(key));
        return kind === 'number' ? formatNumber(key, dimension) : String(key);
      };
    },
  };
}

/** Indexes in the list of units. */
const tickUnits: Record<Period, number> = {
  year: 0,
  quarter: 1,
  month: 1,
  week: 2,
  day: 2,
  hour: 3,
};

/** Formats of times, from coarse to fine. The ISO format of a whole unit ends with `end`. */
const timeUnits: readonly {
  end: string;
  name: Intl.DateTimeFormatOptions;
  /** The lines of an axis label. */
  tick: Intl.DateTimeFormatOptions;
  context?: Intl.DateTimeFormatOptions;
}[] = [
  { end: '-01-01T00:00:00.000Z', name: { year: 'numeric' }, tick: { year: 'numeric' } },
  {
    end: '-01T00:00:00.000Z',
    name: { year: 'numeric', month: 'short' },
    tick: { month: 'short' },
    context: { year: 'numeric' },
  },
  {
    end: 'T00:00:00.000Z',
    name: { dateStyle: 'medium' },
    tick: { day: 'numeric' },
    context: { month: 'short' },
  },
  {
    end: '',
    name: { dateStyle: 'medium', timeStyle: 'short' },
    tick: { hour: 'numeric', minute: '2-digit' },
    context: { month: 'short', day: 'numeric' },
  },
];
