import {
  formatSchema,
  type CsvOptions,
  type FieldOptions,
  type FormatOptions,
} from '@portal-embed/report-model';

import type { CountedColumn, CountedForms } from './csv-columns.ts';
import { hasOwnSign } from './csv-currencies.ts';
import { isNearly, writeOptions, type Guess } from './csv-hints.ts';
import { guessMonths } from './csv-months.ts';
import {
  adviseNumbers,
  decideNumbers,
  findExample,
  type CountedNumbers,
} from './csv-number-hints.ts';
import type { Separators } from './csv-numbers.ts';
import {
  findSign,
  isPercent,
  listSignedForms,
  readSigned,
  spellText,
  type Signs,
} from './csv-signs.ts';
import type { Form } from './csv-types.ts';

/** What becomes of a text column. */
export type Decision =
  | { kind: 'read'; form: Form; format?: FormatOptions | undefined }
  /** Text, with a hint. */
  | { kind: 'guess'; guess: Guess }
  /** Points and commas have two interpretations. */
  | { kind: 'both'; signs: Signs }
  /** The sign can be that of several currencies. */
  | { kind: 'currency'; form: Form; signs: Signs }
  /** The sign is not that of the currency that the field has. */
  | { kind: 'other-currency'; signs: Signs }
  /** The dates have these formats. */
  | { kind: 'dates'; forms: { date: string; form: Form }[] }
  | { kind: 'text' };

export const percentFormat: FormatOptions = formatSchema.parse('percent');

export const currencyFormat = (currency: string): FormatOptions =>
  formatSchema.parse({ style: 'currency', currency });

/**
 * The format that the signs of numbers show; `undefined` for none, or if the field has another one. A
 * percent that the field has, too, is one, since 12% in one file is not 12 in another.
 */
export function formatOf(signs: Signs, field: FieldOptions): FormatOptions | undefined {
  const isOwn = field.format === undefined || field.format.style === 'percent';
  if (isPercent(signs)) return isOwn ? percentFormat : undefined;
  if (field.format) return undefined;
  const [currency] = signs.currencies;
  return currency !== undefined && signs.currencies.length === 1
    ? currencyFormat(currency)
    : undefined;
}

/** Whether amounts have the sign of another currency than the one in the format of their field. */
export function isOtherCurrency({ currencies }: Signs, { format }: FieldOptions): boolean {
  const own = format?.currency;
  if (own === undefined || currencies.length === 0 || currencies.includes(own)) return false;
  return currencies.length === 1 || hasOwnSign(own);
}

/** Decides how a column is read that has no plain form. */
export function decide(column: CountedColumn, csv: CsvOptions, field: FieldOptions): Decision {
  const complete = { ...column.others, ...keepFull(column.others, column.values) };
  const plain = complete.plain.find(({ form }) => form.isNew);
  if (plain) return { kind: 'read', form: plain.form };
  const decision = decideSigned(column, complete, csv, field) ?? decideDates(column, complete, csv);
  if (decision) return decision;
  const guess = guessMost(column, csv) ?? guessOther(column);
  return guess ? { kind: 'guess', guess } : { kind: 'text' };
}

const keepFull = ({ plain, numbers, dates }: CountedForms, values: number) => ({
  plain: plain.filter(({ count }) => count === values),
  numbers: numbers.filter(({ count }) => count === values),
  dates: dates.filter(({ count }) => count === values),
});

function decideSigned(
  { texts }: CountedColumn,
  { numbers, used }: CountedForms,
  csv: CsvOptions,
  field: FieldOptions,
): Decision | undefined {
  const decision = decideNumbers(numbers, used, csv);
  if (decision === undefined) return undefined;
  if (decision === 'both') return { kind: 'both', signs: numbers[0]!.candidate.signs };
  const { candidate, isKnown } = decision;
  if (!isKnown) return { kind: 'guess', guess: guessOf(decision, texts, csv) };
  const { signs } = candidate;
  if (isOtherCurrency(signs, field)) return { kind: 'other-currency', signs };
  const form = formOf(decision, csv);
  if (signs.currencies.length > 1 && !field.format) return { kind: 'currency', form, signs };
  return { kind: 'read', form, format: formatOf(signs, field) };
}

/** The form of numbers with the separators of the options. */
function formOf({ candidate: { signs }, count, whole }: CountedNumbers, csv: CsvOptions): Form {
  const [integer, number] = listSignedForms(csv, signs) as [Form, Form];
  return { ...(count === whole ? integer : number), isNew: true };
}

function guessOf(
  decision: Exclude<ReturnType<typeof decideNumbers>, 'both' | undefined>,
  texts: readonly string[],
  csv: CsvOptions,
): Guess {
  const { candidate, count, separators } = decision;
  const { matches, toDouble } = readSigned(separators, candidate.signs);
  const { csv: options, advice } = adviseNumbers(decision, texts, csv);
  return {
    form: { type: 'number', matches, value: toDouble },
    count,
    csv: isDoubtful(texts, separators) ? {} : options,
    advice,
    separators,
  };
}

/** Whether only the author can say if spaces separate thousands: beside commas that may, and in phone numbers. */
function isDoubtful(texts: readonly string[], { decimal, thousands }: Separators): boolean {
  if (thousands !== ' ' && thousands !== "'") return false;
  const numbers = texts.map(spellText);
  const fractions = numbers.filter((text) => text.includes(decimal ?? '.'));
  if (fractions.length > 0)
    return fractions.every((text) => /^\D*[1-9]\d{0,2}([.,]\d{3})+\D*$/.test(text));
  const lengths = new Set(numbers.map((text) => text.replace(/\D/g, '').length));
  const [length = 0] = lengths;
  return numbers.length > 1 && lengths.size === 1 && length >= 7;
}

function decideDates(
  { texts }: CountedColumn,
  { dates }: CountedForms,
  csv: CsvOptions,
): Decision | undefined {
  const given = dates.find(({ date }) => date === csv.date);
  if (given) return { kind: 'read', form: { ...given.form, isNew: true } };
  const formats = new Map<string, Form>();
  // The first form of a format has the narrower type.
  for (const { date, form } of dates) if (!formats.has(date)) formats.set(date, form);
  const usual = [...formats].filter(([date]) => !isUnusual(date));
  const forms = (usual.length > 0 ? usual : [...formats]).map(([date, form]) => ({ date, form }));
  return forms.length > 0 && texts.length > 0 ? { kind: 'dates', forms } : undefined;
}

/** Two-digit years stand first only between hyphens, unless no other format reads the dates. */
const isUnusual = (format: string) => /^%y[^-]/.test(format);

/** Says how dates in a format are read. */
export function guessDates(
  { date, form }: { date: string; form: Form },
  { texts, values }: Pick<CountedColumn, 'texts' | 'values'>,
  csv: CsvOptions,
): Guess {
  const instead = csv.date === undefined ? 'under csv' : 'on the field';
  return {
    form: form as Guess['form'],
    count: values,
    csv: {},
    field: { date },
    advice: `dates (${findExample(texts, ' ')}); write ${writeOptions({ date })} ${instead}`,
  };
}

/** Guesses what a column is but for some texts for missing values, or some values that are mistakes. */
function guessMost(column: CountedColumn, csv: CsvOptions): Guess | undefined {
  const { values, others } = column;
  const [largest] = listGuesses(column, csv).toSorted((one, other) => other.count - one.count);
  if (!largest) return undefined;
  if (others.nullish > 0 && largest.count + others.nullish === values)
    return { ...largest, nulls: [] };
  return isNearly(largest.count, values) ? largest : undefined;
}

const listGuesses = (column: CountedColumn, csv: CsvOptions): Guess[] => [
  ...guessSeparators(column, csv),
  ...guessPlain(column),
  ...guessKnown(column, csv),
  ...guessDays(column, csv),
];

const guessPlain = ({ others, long }: CountedColumn): Guess[] =>
  others.plain.flatMap(({ form, count }) =>
    form.type === 'text'
      ? []
      : [
          {
            form: form as Guess['form'],
            count,
            csv: {},
            ...(form.type === 'decimal' && long !== null && { advice: adviseLong(long) }),
          },
        ],
  );

/** Decides how those of the values are read that are numbers. */
function decideMost({ others, texts }: CountedColumn, csv: CsvOptions) {
  const most = Math.max(0, ...others.numbers.map(({ count }) => count));
  const numbers = texts.filter((text) => findSign(text) !== undefined).map(spellText);
  const has = (pattern: RegExp) => numbers.some((text) => pattern.test(text));
  const used = { '.': has(/\./), ',': has(/,/), ' ': has(/\d \d/), "'": has(/\d'\d/) };
  const largest = others.numbers.filter(({ count }) => count === most && count > 0);
  return { most, numbers, decision: decideNumbers(largest, used, csv) };
}

/** Numbers that need an option. */
function guessSeparators(column: CountedColumn, csv: CsvOptions): Guess[] {
  const { most, numbers, decision } = decideMost(column, csv);
  if (decision === 'both') return [guessBoth(column.others.numbers, most, numbers)];
  return decision && !decision.isKnown ? [guessOf(decision, numbers, csv)] : [];
}

/** Numbers with signs that need no option. */
function guessKnown(column: CountedColumn, csv: CsvOptions): Guess[] {
  const { decision } = decideMost(column, csv);
  if (decision === undefined || decision === 'both' || !decision.isKnown) return [];
  return [{ form: formOf(decision, csv) as Guess['form'], count: decision.count, csv: {} }];
}

function guessDays({ others, texts }: CountedColumn, csv: CsvOptions): Guess[] {
  const dates = others.dates.toSorted((one, other) => other.count - one.count);
  const [best] = dates;
  if (!best) return [];
  const { count } = best;
  const formats = new Set(dates.filter((each) => each.count === count).map(({ date }) => date));
  const guess = guessDates(best, { texts, values: count }, csv);
  if (formats.size === 1) return [guess];
  const options = [...formats].map((date) => writeOptions({ date })).join(' or ');
  const advice = `dates, and day and month are ambiguous (${findExample(texts, ' ')}); write ${options} on the field`;
  return [{ ...guess, field: {}, advice }];
}

const adviseLong = (long: string) =>
  `numbers with too many digits for an integer or a double (${long}); give the field type: decimal to calculate with them, or type: text`;

function guessBoth(
  numbers: readonly CountedNumbers[],
  count: number,
  texts: readonly string[],
): Guess {
  const point = numbers.find(({ candidate }) => candidate.separators.decimal === '.')!;
  const example = findExample(texts, '.');
  const { matches, toDouble } = readSigned(point.candidate.separators, point.candidate.signs);
  const hasComma = texts.some((text) => text.includes(','));
  const hasPoint = texts.some((text) => text.includes('.'));
  const one = hasComma ? { thousands: ',' } : { decimal: '.' };
  const other = { decimal: ',', ...(hasPoint && { thousands: '.' }) };
  return {
    form: { type: 'number', matches, value: toDouble },
    count,
    csv: {},
    advice: `numbers with two interpretations (${example}); write ${writeOptions(one)}, or ${writeOptions(other)}, under csv`,
  };
}

/** Columns that no option reads. */
function guessOther({ signs, texts, values }: CountedColumn): Guess | undefined {
  if (signs === 'mixed') return guessMixed(texts, values);
  return guessMonths(texts, values) ?? guessUnit(texts, values);
}

/** Numbers with the same unit behind them. */
function guessUnit(texts: readonly string[], values: number): Guess | undefined {
  const units = new Set(
    texts.map(
      (text) =>
        /^[-+(]?\d[\d.,' ]* ?(\p{L}{1,4}|[\p{L}°‰µ]{1,3}\p{L}?)$/u.exec(spellText(text))?.[1],
    ),
  );
  const [unit] = units;
  if (texts.length < 2 || units.size !== 1 || unit === undefined) return undefined;
  return {
    form: unread,
    count: values,
    csv: {},
    advice: `numbers with the unit ${unit} (${texts.slice(0, 3).join(', ')}); no option can read them; write the unit in the name of the column`,
  };
}

const unread: Guess['form'] = { type: 'number', matches: () => 'true', value: (v) => v };

const guessMixed = (texts: readonly string[], values: number): Guess => ({
  form: unread,
  count: values,
  csv: {},
  advice: `numbers with different units or currencies (${texts.slice(0, 3).join(', ')}); no option can read them; use one column for each unit`,
});
