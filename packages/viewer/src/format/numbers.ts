import type { FormatOptions, Value } from '@portal-embed/report-model';
import type { MessageFormats } from 'page-kit/messages/create-message-formats';

import { noValue } from './texts.ts';

/** Format of the values of a dimension without a format in the content. */
const plain: Intl.NumberFormatOptions = { useGrouping: false, maximumFractionDigits: 20 };

/** Formats of numbers in one language. */
export function createNumberFormats(
  locales: readonly string[],
  { formatMessage }: Pick<MessageFormats, 'formatMessage'>,
) {
  const known = new Map<string, Intl.NumberFormat>();
  const find = (options: Intl.NumberFormatOptions) => {
    const key = JSON.stringify(options);
    const format = known.get(key) ?? createFormat(locales, options);
    known.set(key, format);
    return format;
  };
  // Intl formats the text of an exact number without rounding it to a double.
  const formatExact = (value: string | number, options: Intl.NumberFormatOptions) =>
    find(options).format(value as number);
  /**
   * The format with as many decimals as one of the values needs, so that they stand in line. One decimal
   * becomes two if the format has room for them, so that a number alone looks as in a column of amounts.
   */
  const fixFormat = (values: readonly Value[], format: FormatOptions): FormatOptions => {
    if (format.notation === 'compact') return format;
    const { minimumFractionDigits: least = 0, maximumFractionDigits: most = 0 } =
      find(format).resolvedOptions();
    const shift = format.style === 'percent' ? 100 : 1;
    let count = least;
    while (
      count < most &&
      values.some((value) => value !== null && !hasAtMost(value, shift, count, most))
    )
      count += 1;
    if (count === 1 && most > 1 && format.minimumFractionDigits === undefined) count = 2;
    return { ...format, minimumFractionDigits: count };
  };
  const formatNumber = (value: Value, format: FormatOptions) =>
    value === null ? noValue : formatExact(value, fixFormat([value], format));
  const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const percent = { style: 'percent', ...oneDigit } as const;
  const isSigned = { signDisplay: 'exceptZero' } as const;

  return {
    /** `$725,458`, `3,203`, `12.3`; a dash where there is no value. */
    formatNumber,
    fixFormat,
    /** Formats the ticks of an axis: short, and with as many digits as all of them need. */
    formatTicks: (values: readonly number[], format: FormatOptions): string[] => {
      const { minimumFractionDigits: _, maximumFractionDigits: __, ...options } = format;
      const maximumSignificantDigits = Math.max(1, ...values.map(significantDigits));
      const short = find({ ...options, notation: 'compact', maximumSignificantDigits });
      return values.map((value) => short.format(value));
    },
    /** `2017`, `0.5`: values of a dimension, with its format if it has one. */
    formatPosition: (value: string | number, format: Intl.NumberFormatOptions = plain) =>
      formatExact(value, format),
    /** `5,000`. */
    formatCount: (count: number) => find({ maximumFractionDigits: 0 }).format(count),
    /** `12.5%`. */
    formatShare: (share: number) => find(percent).format(share),
    /**
     * Formats the change from an earlier value: `+12.3%`, or `+1.2 points` between percentages. `null`
     * if a value is missing.
     */
    formatChange: (value: Value, earlier: Value, format: FormatOptions): string | null => {
      if (value === null || earlier === null) return null;
      const difference = Number(value) - Number(earlier);
      if (format.style === 'percent')
        return formatMessage('value.points', {
          difference: find({ ...oneDigit, ...isSigned }).format(difference * 100),
        });
      if (Number(earlier) === 0) return find({ ...format, ...isSigned }).format(difference);
      return find({ ...percent, ...isSigned }).format(difference / Math.abs(Number(earlier)));
    },
  };
}

/** Whether a number that is rounded to `most` decimals has at most `count` of them. */
function hasAtMost(value: number | string, shift: number, count: number, most: number): boolean {
  // A double would lose the decimals of an exact number.
  if (typeof value === 'string')
    return Math.min(decimalsOf(value) - Math.log10(shift), most) <= count;
  const rounded = Number((value * shift).toFixed(most));
  return Number(rounded.toFixed(count)) === rounded;
}

/** Number of decimals of an exact number, without zeros at its end. */
const decimalsOf = (text: string) => (text.split('.')[1] ?? '').replace(/0+$/, '').length;

/** A browser may lack a unit that the portal knows. */
function createFormat(
  locales: readonly string[],
  { signDisplay = 'auto', ...options }: Intl.NumberFormatOptions,
) {
  // With `auto`, -0.4 without decimals is "-0".
  const sign = signDisplay === 'auto' ? 'negative' : signDisplay;
  try {
    return new Intl.NumberFormat([...locales], { ...options, signDisplay: sign });
  } catch {
    return new Intl.NumberFormat([...locales]);
  }
}

/** Number of significant digits: 2 for 2.5 and for 250,000. */
const significantDigits = (value: number) =>
  Number(value.toPrecision(12)).toExponential().replace(/e.*/, '').replace(/\D/g, '').length;
