import type { Question } from '@portal-embed/report-model';

import { isChosen, optionsOf } from './csv-number-hints.ts';
import {
  commaReading,
  hasBothReadings,
  isSeparated,
  normalize,
  pointReading,
  toDouble,
} from './csv-numbers.ts';
import { readAggregates, textOf, type Table } from './csv-table.ts';

/** Number of values that show how a column is read. */
const shownValues = 3;

/** Returns those of the columns that are numbers in two readings, with different values. */
export async function findAmbiguous(
  { connection, table, csv }: Table,
  names: readonly string[],
): Promise<string[]> {
  if (isChosen(csv) || names.length === 0) return [];
  const read = (aggregate: (v: string) => string, of: readonly string[]) =>
    readAggregates(
      connection,
      table,
      of.map((name) => aggregate(textOf(name))),
    );
  const separated = await read((v) => `coalesce(bool_or(${isSeparated(v)}), false)`, names);
  const possible = names.filter((_, index) => separated[index] === true);
  const numbers = await read((v) => `bool_and(${hasBothReadings(v)})`, possible);
  return possible.filter((_, index) => numbers[index] === true);
}

/** Reads some values and the total of each column in both ways. No columns have no question. */
export async function askNumbers(table: Table, names: readonly string[]): Promise<Question[]> {
  if (names.length === 0) return [];
  const found: Awaited<ReturnType<typeof readColumn>>[] = [];
  for (const name of names.slice(0, shownColumns)) found.push(await readColumn(table, name));
  const options = [
    optionsOf(
      pointReading,
      found.some(({ hasComma }) => hasComma),
    ),
    optionsOf(
      commaReading,
      found.some(({ hasPoint }) => hasPoint),
    ),
  ];
  const interpretations = options.map((each, at) => ({
    options: each,
    columns: found.map(({ columns }) => columns[at]!),
  }));
  return [{ about: 'numbers', interpretations }];
}

/** Columns of a question. All columns of a file have the same separators. */
const shownColumns = 20;

async function readColumn({ connection, table }: Table, name: string) {
  const decimals = [pointReading, commaReading].map(
    (reading) => `TRY_CAST(${normalize(reading, 'v')} AS DECIMAL(28, 3))`,
  );
  const doubles = [pointReading, commaReading].map((reading) => toDouble(reading, 'v'));
  const rows = `(SELECT row_number() OVER () AS n, ${textOf(name)} AS v FROM ${table})`;
  const shown = await connection.runAndReadAll(
    `SELECT v, ${decimals.map((value, at) => `coalesce(CAST(${value} AS VARCHAR), CAST(${doubles[at]!} AS VARCHAR))`).join(', ')}
      FROM (SELECT v, min(n) AS n FROM ${rows} WHERE v IS NOT NULL GROUP BY v)
      ORDER BY ${isSeparated('v')} DESC, n LIMIT ${shownValues}`,
  );
  const values = shown.getRowsJson().map((cells) => cells.map(String));
  const [hasPoint, hasComma, ...totals] = await readAggregates(connection, rows, [
    `bool_or(contains(v, '.'))`,
    `bool_or(contains(v, ','))`,
    // A number with an exponent may have more digits than a decimal.
    ...decimals.map(
      (value, at) => `CASE WHEN count(${value}) = count(v) THEN CAST(sum(${value}) AS VARCHAR)
        ELSE CAST(sum(${doubles[at]!}) AS VARCHAR) END`,
    ),
  ]);
  const columns = totals.map((total, at) => ({
    name,
    values: values.map((cells) => ({ text: cells[0]!, read: trimZeros(cells[at + 1]!) })),
    total: trimZeros(String(total)),
  }));
  return { hasPoint: hasPoint === true, hasComma: hasComma === true, columns };
}

const trimZeros = (number: string) => number.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
