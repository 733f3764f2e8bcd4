import type { NumberFormat, SeriesTile } from '@portal-embed/report-model';

const noValue = '–';
const blank = '(blank)';

type X = SeriesTile['points'][number]['x'];

/** Formats of numbers, currencies and times in one language. */
export type Formats = ReturnType<typeof createFormats>;

/** @param locale BCP 47 tag. Without one, or with an invalid one, the browser's languages decide. */
export function createFormats(locale?: string) {
  const locales = [locale, ...navigator.languages].filter(isLocale);
  const createNumberFormat = (options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locales, options);
  const createTimeFormat = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locales, { ...options, timeZone: 'UTC' });

  const dollars = { style: 'currency', currency: 'USD' } as const;
  const full: Record<NumberFormat, Intl.NumberFormat> = {
    integer: createNumberFormat({ maximumFractionDigits: 0 }),
    decimal: createNumberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    dollars: createNumberFormat({ ...dollars, maximumFractionDigits: 0 }),
  };
  const compact = {
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  } as const;
  const short: Record<NumberFormat, Intl.NumberFormat> = {
    integer: createNumberFormat(compact),
    decimal: createNumberFormat(compact),
    dollars: createNumberFormat({ ...dollars, ...compact }),
  };
  // Without grouping, because a dimension may be a year.
  const position = createNumberFormat({ useGrouping: false, maximumFractionDigits: 20 });
  const clock = new Intl.DateTimeFormat(locales, { hour: 'numeric', minute: '2-digit' });
  const times = timeUnits.map(({ end, name, tick, context }) => ({
    end,
    name: createTimeFormat(name),
    tick: createTimeFormat(tick),
    context: context && createTimeFormat(context),
  }));
  /** The coarsest formats that all dates allow. */
  const chooseTimeFormats = (dates: readonly Date[]) =>
    times.find(({ end }) => dates.every((date) => date.toISOString().endsWith(end)))!;

  return {
    /** `$725,458`, `3,203`, `12.3`; a dash where there is no value. */
    formatNumber: (value: number | null, format: NumberFormat) =>
      value === null ? noValue : full[format].format(value),
    /** `$60K`: for the ticks of an axis. */
    formatTick: (value: number, format: NumberFormat) => short[format].format(value),
    /** `2017`, `0.5`: for the values of a dimension. */
    formatPosition: (value: number) => position.format(value),
    /** Labels a time axis in two lines. The second is shown where it changes. */
    formatTimeTick: (date: Date, index: number, dates: readonly Date[] = [date]) => {
      const { tick, context } = chooseTimeFormats(dates);
      const [label, line] = [tick.format(date), context?.format(date)];
      const previous = dates[index - 1];
      const isRepeated = previous && line === context?.format(previous);
      return line === undefined || isRepeated ? label : `${label}\n${line}`;
    },
    /** Formats the time of day, in the reader's time zone. */
    formatClock: (date: Date) => clock.format(date),
    /** Formats the values of a dimension, as coarsely as they all allow. */
    formatterOf: ({ dimension, points }: Pick<SeriesTile, 'dimension' | 'points'>) => {
      const known = points.flatMap(({ x }) => (x === null ? [] : [toDate(x)]));
      const time = dimension.kind === 'time' ? chooseTimeFormats(known).name : undefined;
      return (x: X): string => {
        if (x === null) return blank;
        if (time) return time.format(toDate(x));
        return typeof x === 'number' ? position.format(x) : x;
      };
    },
  };
}

/** Formats of times, from coarse to fine. `end` is the end of the ISO format of a time of this unit. */
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

function isLocale(tag: string | undefined): tag is string {
  try {
    return tag !== undefined && new Intl.Locale(tag).baseName !== '';
  } catch {
    return false;
  }
}

// The portal's times have no zone and are UTC; browsers would read them as local.
export const toDate = (x: NonNullable<X>) =>
  new Date(typeof x === 'string' && /T[^Z+]*$/.test(x) && !/-\d\d:?\d\d$/.test(x) ? `${x}Z` : x);
