import type { DuckDBConnection } from '@duckdb/node-api';
import type { CsvOptions } from '@portal-embed/report-model';

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

/** The time to plan a statement grows with the square of the number of its aggregates. */
const maxAggregates = 100;

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** SQL: the text of a column's value; NULL if it is empty. */
export const textOf = (name: string) => `nullif(trim(${quoteName(name)}), '')`;

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
