import type { CsvOptions } from '@portal-embed/report-model';

import { listCurrencies } from './csv-currencies.ts';
import { listDateFormats, listDateForms, momentForm } from './csv-dates.ts';
import { isChosen } from './csv-number-hints.ts';
import { commaReading, patternOf, pointReading, type Separators } from './csv-numbers.ts';
import {
  findSign,
  noSigns,
  readSigned,
  spellText,
  type SignedNumbers,
  type Signs,
} from './csv-signs.ts';
import type { Form } from './csv-types.ts';

/** A way to read the values of a column, which all of them have to confirm. */
export type Candidate =
  | { kind: 'plain'; form: Form }
  | NumberCandidate
  | { kind: 'date'; form: Form; date: string };

export interface NumberCandidate {
  kind: 'number';
  separators: Separators;
  signs: Signs;
  numbers: SignedNumbers;
}

const pairs: readonly Required<Separators>[] = [
  { decimal: '.', thousands: ',' },
  { decimal: '.', thousands: ' ' },
  { decimal: '.', thousands: "'" },
  { decimal: ',', thousands: '.' },
  { decimal: ',', thousands: ' ' },
  { decimal: ',', thousands: "'" },
] as const;

/** The signs of a column, from some of its values. `mixed`: it has several currencies. */
export function findSigns(texts: readonly string[]): Signs | 'mixed' {
  const found = new Map<string, number>();
  for (const text of texts) {
    const sign = findSign(text);
    if (sign) found.set(sign, (found.get(sign) ?? 0) + 1);
  }
  if (found.size === 0) return noSigns;
  const currencies = new Set([...found.keys()].map((sign) => listCurrencies(sign)?.join() ?? ''));
  if (currencies.size > 1) return 'mixed';
  const [first = ''] = found.keys();
  return { texts: [...found.keys()].toSorted(), currencies: listCurrencies(first) ?? [] };
}

/** Whether at least half of the texts match, so that the others may be mistakes or missing values. */
const fitsMany = (texts: readonly string[], fits: (text: string) => boolean): boolean =>
  texts.filter(fits).length * 2 >= texts.length;

/** Candidates for a column whose values no other form reads, from some of its values. */
export function listCandidates(texts: readonly string[], csv: CsvOptions): Candidate[] {
  return texts.length === 0
    ? []
    : [...listNumbers(texts, csv), ...listMoments(texts), ...listDates(texts)];
}

function listNumbers(texts: readonly string[], csv: CsvOptions): NumberCandidate[] {
  if (!fitsMany(texts, (text) => findSign(text) !== undefined)) return [];
  const signs = findSigns(texts);
  if (signs === 'mixed') return [];
  const effective: Separators = { decimal: csv.decimal ?? '.', thousands: csv.thousands };
  const all = isChosen(csv) ? [effective, ...pairs] : pairs;
  return all.map((separators) => ({
    kind: 'number',
    separators,
    signs,
    numbers: readSigned(separators, signs),
  }));
}

const iso = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?/;

function listMoments(texts: readonly string[]): Candidate[] {
  if (!fitsMany(texts, (text) => iso.test(text))) return [];
  const [, mixed] = listDateForms({ date: '%Y-%m-%d' });
  return [momentForm, mixed!].map((form) => ({ kind: 'plain', form: { ...form, isNew: true } }));
}

/** The most formats of a column that are tried. */
const maxFormats = 12;

function listDates(texts: readonly string[]): Candidate[] {
  const others = texts.filter((text) => !iso.test(text));
  const found = others.flatMap((text) => listDateFormats(spellText(text)));
  const counts = new Map<string, number>();
  for (const each of found) {
    // May is a short and a long name.
    const long = each.replace('%b', '%B');
    const format = found.includes(long) ? long : each;
    counts.set(format, (counts.get(format) ?? 0) + 1);
  }
  const often = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, maxFormats);
  return often.flatMap(([date]) =>
    listDateForms({ date }).map((form): Candidate => ({ kind: 'date', date, form })),
  );
}

/** Whether all texts are digits that can be a day, such as 20240105. */
export const areDays = (texts: readonly string[]): boolean =>
  texts.length > 0 &&
  texts.every((text) => /^(19|20|21)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(text));

/** Whether all texts are numbers in both interpretations of points and commas. */
export function haveBoth(texts: readonly string[]): boolean {
  const patterns = [pointReading, commaReading].map((each) => new RegExp(`^${patternOf(each)}$`));
  const left = texts.map((text) =>
    spellText(text)
      .replace(findSign(text) ?? '', '')
      .replace(/[-+() ]/g, ''),
  );
  return left.every((text) => patterns.every((pattern) => pattern.test(text)));
}
