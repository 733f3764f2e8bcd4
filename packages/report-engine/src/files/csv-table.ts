import type { DuckDBConnection } from '@duckdb/node-api';
import type { CsvOptions } from '@portal-embed/report-model';

import { quoteText } from './csv-sql.ts';
import { findLine } from './line-ends.ts';

/** A CSV file or a sheet as DuckDB reads it. */
export interface Table {
  connection: DuckDBConnection;
  /** SQL that reads the file; each column is text. */
  table: string;
  names: readonly string[];
  csv: CsvOptions;
  /** Names the place of a value, such as `line 5`, or `Orders!C5`. Rows count from 1. */
  locate: (row: number, name: string) => Promise<string>;
}

/** A CSV file in UTF-8. */
interface TextTable extends Pick<Table, 'csv' | 'names'> {
  source: string;
  /** Lines of the author's file above the first line of `source`. */
  skipped: number;
}

/** The line of the author's file in which a row of data begins. Rows count from 1. */
export async function findRow(
  { source, csv, names, skipped }: TextTable,
  row: number,
): Promise<number> {
  const inFile = row + Number(csv.header);
  return skipped + (await findLine(source, csv.delimiter, inFile, names.length > 1));
}

/** The time to plan a statement grows with the square of the number of its aggregates. */
const maxAggregates = 100;

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** SQL: the text of a column's value; NULL if it is empty or one of the texts that mean nothing. */
export function textOf({ csv }: Pick<Table, 'csv'>, name: string): string {
  const text = `nullif(trim(${quoteName(name)}), '')`;
  return csv.nulls ? `CASE WHEN NOT ${isNull({ csv }, name)} THEN ${text} END` : text;
}

/** SQL: whether a column's value is one of the texts that mean nothing. */
export const isNull = ({ csv: { nulls = [] } }: Pick<Table, 'csv'>, name: string): string =>
  `coalesce(trim(${quoteName(name)}) IN (${nulls.map((each) => quoteText(each.trim())).join(', ')}), false)`;

export async function readAggregates(
  connection: DuckDBConnection,
  table: string,
  aggregates: readonly string[],
  condition = 'true',
): Promise<unknown[]> {
  const cells: unknown[] = [];
  for (let at = 0; at < aggregates.length; at += maxAggregates) {
    const some = aggregates.slice(at, at + maxAggregates).join(', ');
    const result = await connection.runAndReadAll(
      `SELECT ${some} FROM ${table} WHERE ${condition}`,
    );
    cells.push(...result.getRowsJson()[0]!);
  }
  return cells;
}

/** Aggregates over all rows of a table, which are read together. */
export class Aggregates {
  readonly #sql: string[] = [];
  #cells: unknown[] = [];

  /** Adds one. Returns its value once `read` has finished. */
  add(sql: string): () => unknown {
    const index = this.#sql.push(sql) - 1;
    return () => this.#cells[index];
  }

  count(condition: string): () => number {
    const value = this.add(`count(*) FILTER (${condition})`);
    return () => Number(value());
  }

  async read({ connection, table }: Pick<Table, 'connection' | 'table'>): Promise<void> {
    this.#cells = await readAggregates(connection, table, this.#sql);
  }
}
