import {
  isNumeric,
  type FieldOptions,
  type FieldType,
  type FormatOptions,
  type Question,
} from '@portal-embed/report-model';

import { listCurrencies } from './csv-currencies.ts';
import { currencyFormat, percentFormat } from './csv-decide.ts';
import { askColumn } from './csv-questions.ts';
import type { CellFormat } from './xlsx-formats.ts';
import type { NamedColumn, SheetTable } from './xlsx-table.ts';

/** Currencies of locales whose sign other currencies have, too. */
const ofLocales: Readonly<Record<number, string>> = {
  0x0409: 'USD',
  0x1009: 'CAD',
  0x0c0c: 'CAD',
  0x0c09: 'AUD',
  0x1409: 'NZD',
  0x4809: 'SGD',
  0x0c04: 'HKD',
  0x080a: 'MXN',
  0x0411: 'JPY',
  0x0804: 'CNY',
  0x041d: 'SEK',
  0x0414: 'NOK',
  0x0406: 'DKK',
  0x040f: 'ISK',
};

/** The currencies that a number format can stand for. */
export function findCurrencies(format: CellFormat): readonly string[] {
  if (format.kind !== 'currency') return [];
  const found = listCurrencies(format.sign) ?? [];
  const ofLocale = ofLocales[format.locale ?? 0];
  return ofLocale !== undefined && found.includes(ofLocale) ? [ofLocale] : found;
}

/**
 * The format of a column of numbers, if all of its cells have one. Asks for the currency if the sign has
 * several.
 */
export async function readFormat(
  sheet: SheetTable,
  { name, column }: NamedColumn,
  { type, field }: { type: FieldType; field: FieldOptions },
): Promise<{ format?: FormatOptions; question?: Question }> {
  const [first, ...others] = column.formats;
  if (!first || !isNumeric(type) || field.format) return {};
  if (first.kind === 'percent') return others.length === 0 ? { format: percentFormat } : {};
  const currencies = findCurrencies(first);
  const isSame = (format: CellFormat) =>
    JSON.stringify(findCurrencies(format)) === JSON.stringify(currencies);
  const [only, ...more] = currencies;
  if (only === undefined || !others.every(isSame)) return {};
  if (more.length === 0) return { format: currencyFormat(only) };
  const readings = currencies.map((currency) => ({
    field: { format: currencyFormat(currency) },
    read: (v: string) => v,
    toText: (v: string) => v,
  }));
  return { question: await askColumn(sheet.others(), name, 'currency', readings) };
}
