import {
  fieldTypes,
  type Encoding,
  type FieldOptions,
  type FieldType,
} from '@portal-embed/report-model';

import type { Answers } from '#report-engine';

import { PortalError } from '../errors.ts';

/** The options of `content init` that answer questions about a data file. */
export interface AnswerOptions {
  decimal?: '.' | ',' | undefined;
  thousands?: '.' | ',' | ' ' | "'" | undefined;
  date?: string[] | undefined;
  yearsFrom?: string[] | undefined;
  nulls?: string[] | undefined;
  currency?: string[] | undefined;
  type?: string[] | undefined;
  sheet?: string | undefined;
  delimiter?: string | undefined;
  encoding?: Encoding | undefined;
  skip?: string | undefined;
  skipFooter?: string | undefined;
}

/**
 * Reads the answers to the questions about a data file. `COLUMN=VALUE` is for one column, `VALUE` for all.
 *
 * @throws `invalid_request`
 */
export function readAnswers({
  decimal,
  thousands,
  nulls,
  sheet,
  encoding,
  ...options
}: AnswerOptions): Answers {
  const fields: Record<string, FieldOptions> = {};
  /** Returns the value for all columns, and adds those for single columns. */
  const read = (given: readonly string[] = [], toField: (value: string) => FieldOptions) => {
    let ofAll: string | undefined;
    for (const each of given) {
      const [, column, value] = /^(.+?)=(.+)$/s.exec(each) ?? [];
      if (column === undefined || value === undefined) ofAll = each;
      else fields[column] = { ...fields[column], ...toField(value) };
    }
    return ofAll;
  };
  const date = read(options.date, (each) => ({ date: readFormat(each) }));
  const yearsFrom = read(options.yearsFrom, (each) => ({ yearsFrom: readYear(each) }));
  const currency = read(options.currency, (each) => ({
    format: { style: 'currency', notation: 'standard', currency: readCurrency(each) },
  }));
  const type = read(options.type, (each) => ({ type: readType(each) }));
  if (type !== undefined)
    throw refuse(`--type "${type}" has no column. Write --type "COLUMN=${type}".`);
  return {
    fields,
    ...(currency !== undefined && { currency: readCurrency(currency) }),
    options: {
      ...(decimal !== undefined && { decimal }),
      ...(thousands !== undefined && { thousands }),
      ...(nulls && { nulls }),
      ...(sheet !== undefined && { sheet }),
      ...(encoding !== undefined && { encoding }),
      ...(options.delimiter !== undefined && { delimiter: readDelimiter(options.delimiter) }),
      ...(options.skip !== undefined && { skip: readCount(options.skip) }),
      ...(options.skipFooter !== undefined && { skipFooter: readCount(options.skipFooter) }),
      ...(date !== undefined && { date: readFormat(date) }),
      ...(yearsFrom !== undefined && { yearsFrom: readYear(yearsFrom) }),
    },
  };
}

const refuse = (message: string) => new PortalError('invalid_request', message);

function readFormat(text: string): string {
  if (text.includes('%')) return text;
  throw refuse(`The date format "${text}" has no placeholders. Write one such as "%d.%m.%Y".`);
}

const maxSkip = 1_000;

function readCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count <= maxSkip) return count;
  throw refuse(`"${text}" is not a whole number from 0 to ${maxSkip}. Write one such as 2.`);
}

/** Few shells let one type a tab. */
function readDelimiter(text: string): string {
  const delimiter = text === '\\t' ? '\t' : text;
  if (delimiter.length === 1) return delimiter;
  throw refuse(`The delimiter "${text}" is not one character. Write one, or "\\t" for a tab.`);
}

function readYear(text: string): number {
  const year = Number(text);
  if (Number.isInteger(year) && year >= 1901 && year <= 2000) return year;
  throw refuse(`"${text}" is not a year from 1901 to 2000. Write one such as 1930.`);
}

function readCurrency(text: string): string {
  if (/^[A-Z]{3}$/.test(text)) return text;
  throw refuse(`"${text}" is not a currency code. Write one such as USD.`);
}

function readType(text: string): FieldType {
  const type = fieldTypes.find((each) => each === text);
  if (type) return type;
  throw refuse(`The type "${text}" does not exist. Write one of ${fieldTypes.join(', ')}.`);
}
