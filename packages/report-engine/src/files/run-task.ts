import { checkTexts, findKeys } from './check-texts.ts';
import { writeParquet } from './convert-csv.ts';
import { writeSheet } from './convert-xlsx.ts';
import { readColumns } from './describe-parquet.ts';
import { explainFailure } from './file-problems.ts';
import { inspectCsv } from './inspect-csv.ts';
import { summarize } from './summarize.ts';
import type { FileAnswer, FileTask } from './tasks.ts';

/** Works on data files with DuckDB, in this process. */
export const runTask = (task: FileTask): Promise<FileAnswer> =>
  run(task).catch((error: unknown) => explainFailure(error, task));

async function run(task: FileTask): Promise<FileAnswer> {
  if (task.kind === 'check-texts') return { findings: await checkTexts(task) };
  if (task.kind === 'find-keys') return { matched: await findKeys(task) };
  if (task.kind === 'convert-sheet') return { described: await writeSheet(task) };
  if (task.kind === 'summarize') return { summary: await summarize(task) };
  if (task.kind === 'inspect') return { inspected: await inspectCsv(task) };
  return { described: await (task.kind === 'convert' ? writeParquet(task) : readColumns(task)) };
}
