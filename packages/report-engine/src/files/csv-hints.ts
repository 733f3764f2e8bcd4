import type { CsvOptions, FieldOptions, FieldType } from '@portal-embed/report-model';

import type { Separators } from './csv-numbers.ts';
import type { Form } from './csv-types.ts';

/** What most values of a text column are. */
export interface Guess {
  /** How they are read with the options. */
  form: Form & { type: Exclude<FieldType, 'text'> };
  /** Number of values that are of the type. */
  count: number;
  /** Options that read them. */
  csv: Partial<CsvOptions>;
  field?: FieldOptions;
  /** Such as `numbers with a decimal comma (1,5); write decimal: "," under csv`. */
  advice?: string;
  /** The other values, if all of them stand for a missing value. */
  nulls?: readonly string[];
  /** What separates the digits of numbers. */
  separators?: Separators;
}

/** Whether so few values differ that they are probably mistakes. */
export const isNearly = (count: number, values: number): boolean =>
  count >= 2 && values - count <= Math.max(1, values / 20);

/** Values that are not of the guessed type. */
export interface Misfits {
  count: number;
  /** The place of the first one, such as `line 5`. */
  place: string;
  value: string;
}

const plurals: Record<Guess['form']['type'], string> = {
  boolean: 'true or false',
  integer: 'whole numbers',
  number: 'numbers',
  decimal: 'numbers',
  date: 'dates',
  datetime: 'dates with a time',
};

/** Such as `decimal: "," and thousands: "."`. */
export const writeOptions = (options: object): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}: ${writeValue(value)}`)
    .join(' and ');

const writeValue = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map((each) => JSON.stringify(each)).join(', ')}]`
    : JSON.stringify(value);

/** Says what to do about a column that is probably read in the wrong type. */
export function describeGuess(
  name: string,
  { form: { type }, advice, nulls }: Guess,
  misfits: Misfits | undefined,
): string {
  const column = `column "${name}" is text`;
  if (!misfits) return `${column}, but its values look like ${advice ?? plurals[type]}`;
  const { count, place, value } = misfits;
  const odd =
    count === 1 ? `"${value}" in ${place}` : `${count} values, such as "${value}" in ${place}`;
  const written = nulls && writeOptions({ nulls });
  if (advice !== undefined)
    return `${column}, but most values look like ${advice}, and ${written ? `${written} because of` : 'correct'} ${odd}`;
  const remedy = written ? `write ${written} under csv` : 'correct the file';
  return `${column} because of ${odd}; the other values are ${plurals[type]}; ${remedy}, or give the field type: text`;
}
