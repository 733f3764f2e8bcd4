import { writeParquet } from './convert-csv.ts';
import { readColumns } from './describe-parquet.ts';
import { explainFailure } from './file-problems.ts';
import type { FileAnswer, FileTask } from './tasks.ts';

/** Describes or converts one data file with DuckDB, in this process. */
export const runTask = (task: FileTask): Promise<FileAnswer> =>
  (task.kind === 'convert' ? writeParquet(task) : readColumns(task)).then(
    (described) => ({ described }),
    (error: unknown) => explainFailure(error, task),
  );
