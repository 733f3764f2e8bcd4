import fs from 'node:fs/promises';

import { fieldTypeOf } from '../emit/duckdb.ts';
import { requireFewColumns } from './csv-names.ts';
import { quoteText } from './csv-sql.ts';
import { describeOtherKind } from './file-kind.ts';
import { Problem } from './problem.ts';
import { openRestricted } from './restricted-duckdb.ts';
import type { DescribedFile, DescribeTask } from './tasks.ts';

/** Reads the columns of a Parquet file. */
export async function readColumns({ source }: DescribeTask): Promise<DescribedFile> {
  const other = await describeOtherKind(source, 'parquet');
  if (other !== undefined) throw new Problem(other);
  const file = await fs.open(source, 'r');
  try {
    const path = quoteText(`/dev/fd/${file.fd}`);
    const connection = await openRestricted([path]);
    const result = await connection.run(`SELECT * FROM read_parquet(${path}) LIMIT 0`);
    const names = result.columnNames();
    requireFewColumns(names);
    const types = result.columnTypes().map((type) => fieldTypeOf(type.toString()));
    return {
      columns: names.map((name, index) => ({ name, type: types[index]! })),
      hints: [],
      questions: [],
    };
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('the file is not valid Parquet; export it again');
  } finally {
    await file.close();
  }
}
