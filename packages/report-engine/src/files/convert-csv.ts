import fs from 'node:fs/promises';

import { Problem, readNames } from './csv-names.ts';
import { readTable } from './csv-read.ts';
import { quoteText } from './csv-sql.ts';
import { quoteName, type Table } from './csv-table.ts';
import { writeUtf8 } from './csv-text.ts';
import { describeOtherKind } from './file-kind.ts';
import { WrongTypes } from './file-problems.ts';
import { findLine, hasMixedLineEnds, writeLineEnds } from './line-ends.ts';
import { openRestricted } from './restricted-duckdb.ts';
import type { ConvertTask, DescribedFile } from './tasks.ts';

/** Converts a CSV file to a new Parquet file. */
export async function writeParquet(task: ConvertTask): Promise<DescribedFile> {
  const { csv, target } = task;
  const other = await describeOtherKind(task.source, 'csv', csv.encoding);
  if (other !== undefined) throw new Problem(other);
  const decoded = `${target}.utf8`;
  const joined = `${target}.lines`;
  try {
    let { source } = task;
    if (csv.encoding !== 'utf-8') {
      await writeUtf8(source, csv.encoding, decoded);
      source = decoded;
    }
    // DuckDB reads only files in which all rows end alike.
    if (await hasMixedLineEnds(source)) {
      await writeLineEnds(source, csv.delimiter, joined);
      source = joined;
    }
    const names = await readNames(source, csv);
    const file = await fs.open(source, 'r');
    try {
      // In a file name, DuckDB would read characters such as `*` as a pattern.
      const name = quoteText(`/dev/fd/${file.fd}`);
      const connection = await openRestricted([name, quoteText(target)]);
      const columns = names.map((each) => `${quoteText(each)}: 'VARCHAR'`).join(', ');
      const table = `read_csv(${name}, auto_detect = false, columns = {${columns}},
        delim = ${quoteText(csv.delimiter)}, quote = '"', escape = '"', header = ${csv.header},
        compression = 'none', hive_partitioning = false)`;
      const locate = async (row: number) => {
        const inFile = row + Number(csv.header);
        return `line ${await findLine(source, csv.delimiter, inFile, names.length > 1)}`;
      };
      return await convertTable({ connection, table, names, csv, locate }, task);
    } finally {
      await file.close();
    }
  } finally {
    await fs.rm(decoded, { force: true });
    await fs.rm(joined, { force: true });
  }
}

async function convertTable(
  table: Table,
  { fields, kept, target }: ConvertTask,
): Promise<DescribedFile> {
  const { values, problems, ...described } = await readTable(table, fields, new Set(kept));
  if (problems.length > 0) throw new WrongTypes({ problems, columns: described.columns });
  await writeTable(table, values, target);
  return described;
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
