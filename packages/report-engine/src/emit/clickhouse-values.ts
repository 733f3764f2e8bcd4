import type { FieldType } from '@portal-embed/report-model';

import { chooseFold } from './fold-sigma.ts';
import { bind, join, keyword, sql, type Sql } from './sql.ts';

/** Milliseconds since 1970 of a date or wall clock. */
const parseTime = (text: string): number =>
  Date.parse(text.length === 10 ? text : `${text.slice(0, 19)}Z`);

/** Days since 1970 of a date. As text, ClickHouse would move it into the years 1900 to 2299. */
const countDays = (date: string): string => String(parseTime(date) / 86_400_000);

/** Microseconds since 1970 of a wall clock. */
export function countMicroseconds(text: string): string {
  const fraction = text.split('.')[1] ?? '';
  return String(BigInt(parseTime(text)) * 1_000n + BigInt(fraction.padEnd(6, '0')));
}

/** Writes a value as the text that is bound. */
function writeText(text: string, type: FieldType): string {
  if (type === 'date') return countDays(text);
  return type === 'datetime' ? countMicroseconds(text) : text;
}

/** Converts a bound text. `scale` is the number of decimal places of a decimal. */
function readText(text: Sql, type: FieldType, scale: number): Sql {
  switch (type) {
    case 'text':
      return text;
    case 'number':
      return sql`toFloat64(${text})`;
    case 'integer':
      return sql`toInt64(${text})`;
    case 'decimal':
      return sql`toDecimal256(${text}, ${keyword(String(scale))})`;
    case 'date':
      return sql`addDays(toDate32('1970-01-01'), toInt32(${text}))`;
    case 'datetime':
      return sql`fromUnixTimestamp64Micro(toInt64(${text}), 'UTC')`;
    case 'boolean':
    default:
      return sql`(${text} = 'true')`;
  }
}

/** Maximum decimal places of a bound value. */
const maxScale = 38;

export const literal = (text: string, type: FieldType): Sql =>
  readText(bind(writeText(text, type)), type, text.split('.')[1]?.length ?? 0);

/** Maximum bytes of one list. ClickHouse refuses a value of more than 128 KiB. */
const maxListBytes = 50_000;

function* splitTexts(texts: readonly string[]): Generator<readonly string[]> {
  let [start, bytes] = [0, 0];
  for (const [index, text] of texts.entries()) {
    const length = Buffer.byteLength(JSON.stringify(text)) + 1;
    if (bytes > 0 && bytes + length > maxListBytes) {
      yield texts.slice(start, index);
      [start, bytes] = [index, 0];
    }
    bytes += length;
  }
  yield texts.slice(start);
}

export const isAny = (conditions: readonly Sql[]): Sql => sql`(${join(conditions, ' OR ')})`;

/** Whether the value is in a list of converted elements. ClickHouse turns a SELECT into a set. */
export const isInEach = (value: Sql, texts: readonly string[], convert: (text: Sql) => Sql): Sql =>
  isAny(
    [...splitTexts(texts)].map(
      (part) => sql`${value} IN (SELECT ${convert(sql`arrayJoin(${bind(part)})`)})`,
    ),
  );

export function isIn(
  value: Sql,
  texts: readonly string[],
  type: FieldType,
  ignoreCase = false,
): Sql {
  if (type === 'text' && !ignoreCase)
    return isAny([...splitTexts(texts)].map((part) => sql`${value} IN ${bind(part)}`));
  const foldSigma = chooseFold(texts);
  const fold = (text: Sql) => (ignoreCase ? foldSigma(sql`lowerUTF8(${text})`) : text);
  const written = texts.map((text) => writeText(text, type));
  // A look-up in a set ignores decimal places that the elements of the set lack.
  return isInEach(fold(toKey(value, type)), written, (text) =>
    fold(readText(text, type, maxScale)),
  );
}

/** Splits rows so that the lists of each part are short enough. */
function* splitRows(
  columns: readonly (readonly string[])[],
): Generator<readonly (readonly string[])[]> {
  const rows = columns[0]?.length ?? 0;
  const bytes = columns.map(() => 0);
  let start = 0;
  for (let row = 0; row < rows; row += 1) {
    const lengths = columns.map((texts) => Buffer.byteLength(JSON.stringify(texts[row])) + 1);
    if (row > start && lengths.some((length, index) => bytes[index]! + length > maxListBytes)) {
      yield columns.map((texts) => texts.slice(start, row));
      start = row;
      bytes.fill(0);
    }
    for (const [index, length] of lengths.entries()) bytes[index]! += length;
  }
  yield columns.map((texts) => texts.slice(start));
}

export function isRowIn(
  values: readonly Sql[],
  columns: readonly (readonly string[])[],
  fieldTypes: readonly FieldType[],
): Sql {
  const written = columns.map((texts, index) =>
    texts.map((text) => writeText(text, fieldTypes[index] ?? 'text')),
  );
  const parts = [...splitRows(written)];
  const lists = columns.map(
    (_, index) => sql`arrayConcat(${join(parts.map((part) => bind(part[index] ?? [])))})`,
  );
  const elements = fieldTypes.map((type, index) =>
    readText(sql`tupleElement(t, ${keyword(String(index + 1))})`, type, maxScale),
  );
  return sql`(${join(values)}) IN (SELECT ${join(elements)} FROM (SELECT arrayJoin(arrayZip(${join(lists)})) AS t))`;
}

/** ClickHouse groups numbers by their bits, in which -0 is not 0. */
export const toKey = (value: Sql, type: FieldType): Sql =>
  type === 'number' ? sql`(${value} + 0)` : value;
