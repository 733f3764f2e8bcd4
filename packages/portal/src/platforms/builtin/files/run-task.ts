import { convertCsv } from './convert-csv.ts';
import { describeParquet } from './describe-parquet.ts';
import { explainFailure } from './file-problems.ts';
import type { FileAnswer, FileTask } from './tasks.ts';

/** Describes or converts one data file with DuckDB. */
export const runTask = (task: FileTask): Promise<FileAnswer> =>
  (task.kind === 'convert' ? convertCsv(task) : describeParquet(task)).then(
    (described) => ({ described }),
    (error: unknown) => explainFailure(error, task),
  );
