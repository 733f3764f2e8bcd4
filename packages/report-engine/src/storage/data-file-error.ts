import type { FileProblems } from '../files/tasks.ts';

/** A data file is missing, has a wrong name, or cannot be read. The messages are for the author. */
export class DataFileError extends Error {
  override name = 'DataFileError';
  readonly found: FileProblems;

  constructor(found: FileProblems | string) {
    super('A data file has mistakes.');
    this.found = typeof found === 'string' ? { problems: [{ message: found }] } : found;
  }
}
