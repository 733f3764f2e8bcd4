import { isNotPermitted } from '#server-kit';

import { Problem } from './problem.ts';
import type { FileProblems, FileTask } from './tasks.ts';

/** Values that do not have the types that the dataset declares. */
export class WrongTypes extends Error {
  readonly found: FileProblems;

  constructor(found: FileProblems) {
    super();
    this.found = found;
  }
}

/** What the author has to correct. */
export function explainFailure(error: unknown, task: FileTask): FileProblems {
  return error instanceof WrongTypes
    ? error.found
    : { problems: [{ message: describeFailure(error, task) }] };
}

/** Translates an error of DuckDB's CSV reader for the author. */
function describeFailure(error: unknown, task: FileTask): string {
  if (error instanceof Problem) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  const delimiter = task.kind === 'convert' ? task.csv.delimiter : '';
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  const subject = line ? `line ${line} of the file` : 'the file';
  if (/Invalid unicode|not utf-8/i.test(message))
    return `${subject} is not UTF-8; write its encoding under csv, such as encoding: windows-1252, or save it as UTF-8`;
  const counts = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message);
  if (line && counts)
    return `line ${line} of the file has ${counts[2]} columns instead of ${counts[1]}, separated by ${JSON.stringify(delimiter)}; correct the line, or choose another delimiter`;
  if (line && /^Maximum line size/m.test(message))
    return `line ${line} of the file has more than 2 MB; shorten it, or close its quote`;
  if (line && /quote/i.test(message))
    return `line ${line} of the file has a quote that is not closed; correct the line`;
  if (message.startsWith('Out of Memory'))
    return 'the conversion ran out of memory; convert the file to Parquet yourself, and use that file';
  if (/ENOSPC|EDQUOT|No space left/.test(message))
    return 'the disk of the portal is full; tell its operator, who must free space';
  // Paths of the server are for its operator.
  if (error instanceof Error && 'code' in error)
    return `the file cannot be read (${String(error.code)}); ${isNotPermitted(error) ? 'check its permissions' : 'try again'}`;
  if (message.startsWith('IO Error')) return 'the file cannot be read or converted; try again';
  return `${subject} cannot be read as CSV (${message.split('\n')[0]}); check the options under csv`;
}

/** An error of DuckDB's CSV reader with the line of the author's file. */
export function moveLine(error: unknown, skipped: number): unknown {
  if (skipped === 0 || !(error instanceof Error) || error instanceof Problem) return error;
  error.message = error.message.replace(
    /(CSV Error on Line: )(\d+)/,
    (_, text: string, line: string) => `${text}${Number(line) + skipped}`,
  );
  return error;
}
