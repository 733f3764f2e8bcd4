import type { FieldOptions, Question } from '@portal-embed/report-model';

import { listDateForms } from './csv-dates.ts';
import { currencyFormat } from './csv-decide.ts';
import type { Separators } from './csv-numbers.ts';
import { showNumber, type FieldReading } from './csv-questions.ts';
import { readSigned, type Signs } from './csv-signs.ts';
import type { Form } from './csv-types.ts';

/** What is asked about one column. */
export interface Asked {
  about: Question['about'];
  readings: FieldReading[];
}

const asText: FieldReading = { field: { type: 'text' }, read: (v) => v };

const show = (form: Form) => (v: string) => `CAST(${form.value(v)} AS VARCHAR)`;

/** As a column of numbers or dates, if it was text before. */
export function textOr(form: Form): Asked {
  const isDate = form.type === 'date' || form.type === 'datetime';
  const toText = isDate ? {} : { toText: show(form) };
  return {
    about: isDate ? 'dates' : 'numbers',
    readings: [asText, { field: { type: form.type }, read: show(form), ...toText }],
  };
}

/** Currencies of a sign. */
export const currencies = (separators: Separators, signs: Signs): Asked => {
  const { toText } = readSigned(separators, signs);
  return {
    about: 'currency',
    readings: signs.currencies.map((currency) => ({
      field: { format: currencyFormat(currency) },
      read: (v) => showNumber(toText(v)),
      toText,
    })),
  };
};

/** Numbers such as 20240105, which can be days. */
export const days = (form: Form): Asked => ({
  about: 'dates',
  readings: [readDates('%Y%m%d', undefined), { field: { type: form.type }, read: show(form) }],
});

/** Texts such as 1E10, which can be codes. */
export const codes = (): Asked => ({
  about: 'exponents',
  readings: [asText, { field: { type: 'number' }, read: showNumber, toText: (v) => v }],
});

/** Dates in each format, with each first year of two-digit years. */
export const dates = (
  formats: readonly string[],
  years: readonly (number | undefined)[],
): Asked => ({
  about: 'dates',
  readings: formats.flatMap((date) => years.map((yearsFrom) => readDates(date, yearsFrom))),
});

function readDates(date: string, yearsFrom: number | undefined): FieldReading {
  const form = listDateForms({ date, yearsFrom }).at(-1)!;
  const field: FieldOptions = { date, ...(yearsFrom !== undefined && { yearsFrom }) };
  return { field, read: (v) => `regexp_replace(${show(form)(v)}, ' 00:00:00$', '')` };
}
