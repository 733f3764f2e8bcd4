import type { CsvOptions, Dataset, FieldType, Question } from '@portal-embed/report-model';

import type { LookUpKey, ReaderTexts } from '../look-up-keys.ts';

/** Messages between the portal and the process that reads one data file. */

export interface FileColumn {
  name: string;
  type: FieldType;
}

/** Reads the columns of a Parquet file. */
export interface DescribeTask {
  kind: 'describe';
  source: string;
}

/** Converts a CSV file to Parquet. */
export interface ConvertTask {
  kind: 'convert';
  source: string;
  csv: CsvOptions;
  /** Types that the dataset declares. Other types are inferred from the values. */
  types: Readonly<Record<string, FieldType>>;
  /** The new file. */
  target: string;
}

/** Finds texts in the Parquet files of a dataset that are not values of the type that their field declares. */
export interface CheckTextsTask {
  kind: 'check-texts';
  sources: readonly string[];
  definition: Dataset;
}

/** Finds out whether the keys of a dataset's Parquet files have a value of a user. */
export interface FindKeysTask {
  kind: 'find-keys';
  sources: readonly string[];
  definition: Dataset;
  keys: readonly LookUpKey[];
  texts: ReaderTexts;
}

export type FileTask = DescribeTask | ConvertTask | CheckTextsTask | FindKeysTask;

/** A text column that is probably read in the wrong type. */
export interface FileHint {
  column: string;
  /** The type of most of its values. */
  likely: FieldType;
  /** Says what to do. */
  message: string;
  /** CSV options that probably read the column correctly. */
  csv: Partial<CsvOptions>;
}

export interface DescribedFile {
  columns: FileColumn[];
  hints: FileHint[];
  /** What the options do not choose. */
  questions: Question[];
}

/** A mistake in the file or its options. */
export interface FileProblem {
  /** For the author. */
  message: string;
  /** The column whose values do not have the type that the dataset declares. */
  column?: string;
}

export interface FileProblems {
  problems: FileProblem[];
  /** The columns, if nothing but values of declared types is wrong. */
  columns?: FileColumn[];
}

/** `findings` are sentences for the author; `matched` says of each key whether a row has it. */
export type FileAnswer =
  | { described: DescribedFile }
  | { findings: string[] }
  | { matched: boolean[] }
  | FileProblems;
