import type { Question } from '@portal-embed/report-model';

import type { DescribedFile } from '../files/tasks.ts';

/** What is known of a stored version, as the release that stored it has written it. */
export interface Description extends Omit<DescribedFile, 'questions'> {
  questions?: Question[];
  /** Questions about numbers, as earlier releases wrote them. The first ones wrote none. */
  readings?: StoredReading[];
}

interface StoredReading {
  csv: Question['interpretations'][number]['options'];
  columns: { name: string; values: { text: string; number: string }[]; total: string }[];
}

/** The questions of a stored version; `undefined` if the release that stored it asked none. */
export function questionsOf({ questions, readings }: Description): Question[] | undefined {
  if (questions || !readings) return questions;
  if (readings.length === 0) return [];
  const interpretations = readings.map(({ csv, columns }) => ({
    options: csv,
    columns: columns.map(({ values, ...column }) => ({
      ...column,
      values: values.map(({ text, number }) => ({ text, read: number })),
    })),
  }));
  return [{ about: 'numbers', interpretations }];
}

/** A file on the disk of this instance. It stays at least until `release` is called. */
export interface LocalFile {
  path: string;
  /** Changes with the bytes, but not with their location or time if the name stands for the bytes. */
  version: string;
  release: () => void;
}

/** Data files by the names that authors gave them. Here, the bytes of a name can change. */
export interface Originals {
  /**
   * Finds a file by its literal name.
   *
   * @throws `DataFileError` if it cannot be read
   */
  find: (name: string) => Promise<LocalFile | undefined>;
  /** Lists the names that match a pattern, in which `*` and `?` do not match `/`. */
  list: (pattern: string) => Promise<string[]>;
}

/**
 * The files of one organization. Apart from the originals, the bytes of a name never change:
 * `.versions/HASH.parquet` is a data file in the form that queries read.
 */
export interface OrganizationFiles {
  originals: Originals;
  /** Returns the path of a new file for `put`. A crash may leave it behind; it is removed later. */
  createTemporary: () => Promise<string>;
  /** Describes a version and counts as a use of it; `undefined` if it is not stored. */
  find: (name: string) => Promise<Description | undefined>;
  /**
   * Stores a temporary file as a version, and takes it away. If another instance has stored the same
   * name in the meantime, returns the description of that version.
   *
   * @throws `FileTooLargeError`
   */
  put: (name: string, temporary: string, described: Description) => Promise<Description>;
  /**
   * Makes a file available on the disk of this instance.
   *
   * @throws `ReportError`: `not_fetched` if it cannot be fetched now, `failed` if it does not exist or
   *   may not be read
   */
  ensure: (name: string) => Promise<LocalFile>;
  /** Notes that versions are used now. */
  use: (names: Iterable<string>) => Promise<void>;
  /** Removes versions that were not used for an hour, except the named ones. */
  prune: (named: ReadonlySet<string>) => Promise<void>;
}

/** Where the data files of all organizations are. */
export interface Files {
  of: (organizationId: string) => OrganizationFiles;
}

/** The folder of versions in an organization's names. */
export const versions = '.versions';

/** How long an unused version is kept. A running query may still open it. */
export const keepMs = 3_600_000;

/** A file is larger than the storage accepts. The message is for the author. */
export class FileTooLargeError extends Error {
  override name = 'FileTooLargeError';
}
