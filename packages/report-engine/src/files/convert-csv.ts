import fs from 'node:fs/promises';

import type { DuckDBConnection } from '@duckdb/node-api';

import { readLastRows, requireTable } from './csv-footer.ts';
import { readNames, type ColumnNames } from './csv-names.ts';
import { readTable } from './csv-read.ts';
import { describeShape } from './csv-shape-hints.ts';
import { quoteText } from './csv-sql.ts';
import { findRow, quoteName, readAggregates, type Table } from './csv-table.ts';
import { addTotals } from './csv-totals.ts';
import { describeOtherKind } from './file-kind.ts';
import { moveLine, WrongTypes } from './file-problems.ts';
import { cutRows, withPreparedCsv, type PreparedCsv } from './prepare-csv.ts';
import { Problem } from './problem.ts';
import { openRestricted } from './restricted-duckdb.ts';
import type { ConvertTask, DescribedFile } from './tasks.ts';

/** Converts a CSV file to a new Parquet file. */
export async function writeParquet(task: ConvertTask): Promise<DescribedFile> {
  const other = await describeOtherKind(task.source, 'csv', task.csv.encoding);
  if (other !== undefined) throw new Problem(other);
  return withPreparedCsv(task.source, task, (prepared) =>
    convertPrepared(prepared, { ...task, csv: prepared.csv }),
  );
}

async function convertPrepared(prepared: PreparedCsv, task: ConvertTask): Promise<DescribedFile> {
  const { skipped } = prepared;
  const { csv, target } = task;
  const columns = await readNames(prepared.file, csv, skipped);
  const tail = await readLastRows(prepared.file, csv.delimiter, columns.names.length);
  requireTable(tail, csv);
  const source = await cutRows(prepared, tail, csv);
  const file = await fs.open(source, 'r');
  try {
    // In a file name, DuckDB would read characters such as `*` as a pattern.
    const name = quoteText(`/dev/fd/${file.fd}`);
    const connection = await openRestricted([name, quoteText(target)]);
    const types = columns.names.map((each) => `${quoteText(each)}: 'VARCHAR'`).join(', ');
    const read = `read_csv(${name}, auto_detect = false, columns = {${types}},
      delim = ${quoteText(csv.delimiter)}, quote = '"', escape = '"', header = ${csv.header},
      compression = 'none', hive_partitioning = false)`;
    const names = await dropEmpty(connection, read, columns);
    const kept = names.map(quoteName).join(', ');
    const table = names.length < columns.names.length ? `(SELECT ${kept} FROM ${read})` : read;
    const locate = async (row: number) =>
      `line ${await findRow({ source, csv, names, skipped }, row)}`;
    const described = await convertTable({ connection, table, names, csv, locate }, task);
    const found = {
      ...described,
      hints: [
        ...describeShape(prepared, columns, {
          kept: names,
          hasBlank: tail.hasBlank,
          columns: described.columns,
        }),
        ...described.hints,
      ],
    };
    return await addTotals(
      found,
      { connection, file: target, columns: described.columns },
      { locate, tail, csv, isDraft: task.isDraft },
    );
  } catch (error) {
    throw moveLine(error, skipped);
  } finally {
    await file.close();
  }
}

/** Returns the names without those of empty columns after the last delimiter. */
async function dropEmpty(
  connection: DuckDBConnection,
  table: string,
  { names, trailing }: ColumnNames,
): Promise<string[]> {
  if (trailing.length === 0) return names;
  const counts = await readAggregates(
    connection,
    table,
    trailing.map((name) => `count(nullif(trim(${quoteName(name)}), ''))`),
  );
  const filled = trailing.findLastIndex((_, index) => Number(counts[index]) > 0);
  return names.slice(0, names.length - trailing.length + filled + 1);
}

async function convertTable(
  table: Table,
  { fields, kept, widened, target }: ConvertTask,
): Promise<DescribedFile> {
  const { columns, hints, questions, problems, values } = await readTable(table, fields, {
    kept: new Set(kept),
    widened,
  });
  if (problems.length > 0) throw new WrongTypes({ problems, columns });
  await writeTable(table, values, target);
  return { columns, hints, questions };
}

/** Writes the values of a table to a new Parquet file. */
export async function writeTable(
  { connection, table, names }: Pick<Table, 'connection' | 'table' | 'names'>,
  values: readonly string[],
  target: string,
): Promise<void> {
  const selected = names.map((name, index) => `${values[index]!} AS ${quoteName(name)}`);
  await connection.run(
    `COPY (SELECT ${selected.join(', ')} FROM ${table}) TO ${quoteText(target)}
      (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`,
  );
}
