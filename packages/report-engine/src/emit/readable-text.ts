import type { FieldType } from '@portal-embed/report-model';

import { join, keyword, sql, type Sql } from './sql.ts';

/**
 * The texts that are read as values of a type, the same on all engines: regular expressions without
 * look-ahead and backslashes. Their first group is the value. All other texts are null.
 */
export const readableTexts = {
  integer: whole('[-+]?[0-9]{1,100}'),
  number: whole(`${writeNumber()}([eE][-+]?[0-9]{1,3})?`),
  decimal: whole(writeNumber()),
  date: `^ *(${writeDays()})([T ]${writeClock()})? *$`,
  datetime: whole(`(${writeDays()})([T ]${writeClock()})?`),
} satisfies Partial<Record<FieldType, string>>;

export const quoteText = (text: string): Sql => keyword(`'${text.replaceAll("'", "''")}'`);

const list = (...texts: string[]) => join(texts.map(quoteText));

/** Reads a text in any letter case as a boolean. */
export const readBoolean = (text: Sql): Sql =>
  sql`CASE WHEN lower(trim(${text})) IN (${list('true', 't', 'yes', 'y', '1')}) THEN true WHEN lower(trim(${text})) IN (${list('false', 'f', 'no', 'n', '0')}) THEN false END`;

function whole(value: string) {
  return `^ *(${value}) *$`;
}

function writeNumber() {
  return '[-+]?([0-9]{1,100}[.]?[0-9]{0,100}|[.][0-9]{1,100})';
}

/** Days from year 1 to 9999 that exist. */
function writeDays() {
  const year = '([0-9]{3}[1-9]|[0-9]{2}[1-9][0-9]|[0-9][1-9][0-9]{2}|[1-9][0-9]{3})';
  const leap = '(0[48]|[2468][048]|[13579][26])';
  const leapYear = `([0-9]{2}${leap}|${leap}00)`;
  return ['-', '/']
    .flatMap((separator) => [
      [year, '(0?[13578]|1[02])', '(0?[1-9]|[12][0-9]|3[01])'].join(separator),
      [year, '(0?[469]|11)', '(0?[1-9]|[12][0-9]|30)'].join(separator),
      [year, '0?2', '(0?[1-9]|1[0-9]|2[0-8])'].join(separator),
      [leapYear, '0?2', '29'].join(separator),
    ])
    .join('|');
}

function writeClock() {
  return '([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?';
}
