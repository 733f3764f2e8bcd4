import type { NumberFormat, SeriesTile } from '@portal-embed/report-model';

const locale = 'en-US';
const dollars = { style: 'currency', currency: 'USD' } as const;

const full: Record<NumberFormat, Intl.NumberFormat> = {
  integer: new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }),
  decimal: new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  dollars: new Intl.NumberFormat(locale, { ...dollars, maximumFractionDigits: 0 }),
};

const compact = {
  notation: 'compact',
  minimumFractionDigits: 0,
  maximumFractionDigits: 1,
} as const;
const short: Record<NumberFormat, Intl.NumberFormat> = {
  integer: new Intl.NumberFormat(locale, compact),
  decimal: new Intl.NumberFormat(locale, compact),
  dollars: new Intl.NumberFormat(locale, { ...dollars, ...compact }),
};

export const noValue = '–';
const blank = '(blank)';

/** `$725,458`, `3,203`, `12.3`; a dash where there is no value. */
export const formatNumber = (value: number | null, format: NumberFormat) =>
  value === null ? noValue : full[format].format(value);

/** `$60K`: for the ticks of an axis. */
export const formatTick = (value: number, format: NumberFormat) => short[format].format(value);

type X = SeriesTile['points'][number]['x'];

// The portal's times have no zone and are UTC; browsers would read them as local.
export const toDate = (x: X) =>
  new Date(typeof x === 'string' && /T[^Z+]*$/.test(x) && !/-\d\d:?\d\d$/.test(x) ? `${x}Z` : x!);

/** Formats the values of a dimension, as coarsely as they all allow. */
export function formatterOf({ dimension, points }: Pick<SeriesTile, 'dimension' | 'points'>) {
  const time = dimension.kind === 'time' && timeFormat(points.map(({ x }) => x));
  return (x: X): string => {
    if (x === null) return blank;
    return time ? time.format(toDate(x)) : String(x);
  };
}

function timeFormat(values: X[]): Intl.DateTimeFormat {
  const dates = values.filter((x) => x !== null).map((x) => toDate(x).toISOString());
  const all = (end: RegExp) => dates.every((date) => end.test(date));
  const year = 'numeric';
  const timeZone = 'UTC';
  if (all(/-01-01T00:00:00.000Z$/)) return new Intl.DateTimeFormat(locale, { year, timeZone });
  if (all(/-01T00:00:00.000Z$/))
    return new Intl.DateTimeFormat(locale, { year, month: 'short', timeZone });
  if (all(/T00:00:00.000Z$/))
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
}
