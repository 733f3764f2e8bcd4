import type { FieldOptions, Interpretation, Question } from '@portal-embed/report-model';

import { optionsOf } from './csv-number-hints.ts';
import { commaReading, isSeparated, pointReading } from './csv-numbers.ts';
import { readSigned, type Signs } from './csv-signs.ts';
import { readAggregates, textOf, type Table } from './csv-table.ts';

/** Number of values that show how a column is read. */
const shownValues = 3;

/** Columns of a question. All columns of a file have the same separators. */
const shownColumns = 20;

/** A column of numbers in two interpretations. */
export interface OpenNumbers {
  name: string;
  signs: Signs;
}

/** Asks how numbers are written. No columns are no question. */
export async function askNumbers(table: Table, open: readonly OpenNumbers[]): Promise<Question[]> {
  if (open.length === 0) return [];
  const found: Awaited<ReturnType<typeof readBoth>>[] = [];
  for (const each of open.slice(0, shownColumns)) found.push(await readBoth(table, each));
  const hasComma = found.some((each) => each.hasComma);
  const hasPoint = found.some((each) => each.hasPoint);
  const options = [
    optionsOf({ decimal: '.', thousands: hasComma ? ',' : undefined }),
    optionsOf({ decimal: ',', thousands: hasPoint ? '.' : undefined }),
  ];
  const interpretations = options.map((each, at) => ({
    options: each,
    columns: found.map(({ columns }) => columns[at]!),
  }));
  return [{ about: 'numbers', interpretations }];
}

async function readBoth(table: Table, { name, signs }: OpenNumbers) {
  const texts = [pointReading, commaReading].map((each) => readSigned(each, signs).toText);
  const v = textOf(table, name);
  const columns = await readColumn(
    table,
    name,
    texts.map((toText) => ({ read: (text) => showNumber(toText(text)), toText })),
    isSeparated('v'),
  );
  const [hasPoint, hasComma] = await readAggregates(table.connection, table.table, [
    `bool_or(contains(${v}, '.'))`,
    `bool_or(contains(${v}, ','))`,
  ]);
  return { hasPoint: hasPoint === true, hasComma: hasComma === true, columns };
}

/** SQL: a number as a text. One with an exponent may have more digits than a decimal. */
export const showNumber = (text: string): string =>
  `coalesce(CAST(TRY_CAST(${text} AS DECIMAL(38, 10)) AS VARCHAR), CAST(TRY_CAST(${text} AS DOUBLE) AS VARCHAR))`;

interface ShownReading {
  /** SQL: the value as it is shown. */
  read: (v: string) => string;
  /** SQL: the number of a value, as a text. Absent for other values. */
  toText?: (v: string) => string;
}

/** Reads some values of a column in each way, and the totals of numbers. `order` puts some values first. */
async function readColumn(
  { connection, csv, table }: Table,
  name: string,
  readings: readonly ShownReading[],
  order: string,
): Promise<Interpretation['columns'][number][]> {
  const rows = `(SELECT row_number() OVER () AS n, ${textOf({ csv }, name)} AS v FROM ${table})`;
  const shown = await connection.runAndReadAll(
    `SELECT v, ${readings.map(({ read }) => read('v')).join(', ')}
      FROM (SELECT v, min(n) AS n FROM ${rows} WHERE v IS NOT NULL GROUP BY v)
      ORDER BY ${order} DESC, n LIMIT ${shownValues}`,
  );
  const values = shown.getRowsJson().map((cells) => cells.map(String));
  const totals = await readAggregates(
    connection,
    rows,
    readings.map(({ toText }) => (toText ? sumOf(toText('v')) : 'NULL')),
  );
  return readings.map(({ toText }, at) => ({
    name,
    values: values.map((cells) => ({
      text: cells[0]!,
      read: toText ? trimZeros(cells[at + 1]!) : cells[at + 1]!,
    })),
    ...(toText && { total: trimZeros(String(totals[at])) }),
  }));
}

function sumOf(text: string): string {
  const decimal = `TRY_CAST(${text} AS DECIMAL(38, 10))`;
  return `CASE WHEN count(${decimal}) = count(v) THEN CAST(sum(${decimal}) AS VARCHAR)
    ELSE CAST(sum(TRY_CAST(${text} AS DOUBLE)) AS VARCHAR) END`;
}

const trimZeros = (number: string) => number.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');

/** A way to read one column, chosen by what its field says. */
export interface FieldReading extends ShownReading {
  field: FieldOptions;
}

/** Asks about one column. Values that differ come first. */
export async function askColumn(
  table: Table,
  name: string,
  about: Question['about'],
  readings: readonly FieldReading[],
): Promise<Question> {
  const [one, ...others] = readings.map(({ read }) => read('v'));
  const differs = others.map((other) => `${other} IS DISTINCT FROM ${one}`).join(' OR ');
  const columns = await readColumn(table, name, readings, `(${differs || 'true'})`);
  return {
    about,
    interpretations: readings.map(({ field }, at) => ({
      options: {},
      fields: { [name]: field },
      columns: [columns[at]!],
    })),
  };
}
