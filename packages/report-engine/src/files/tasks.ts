import type {
  CsvOptions,
  Dataset,
  FieldOptions,
  FieldType,
  FormatOptions,
  Question,
  XlsxOptions,
} from '@portal-embed/report-model';

import type { LookUpKey, ReaderTexts } from '../look-up-keys.ts';

/** Messages between the portal and the process that reads one data file. */

export interface FileColumn {
  name: string;
  type: FieldType;
  /** The format of numbers that a sign shows, such as percent. A field can have another one. */
  format?: FormatOptions;
  /** The conversion that was the first to read these values; before it, the column was text. */
  since?: number;
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
  /** What the dataset declares, by column. Other types are inferred from the values. */
  fields: Readonly<Record<string, FieldOptions>>;
  /** Columns that stay text unless a conversion before `since` reads them. */
  kept: readonly string[];
  /**
   * Types that other files of the same dataset give to columns without a declared type. A column whose
   * values are of another type stays text.
   */
  widened?: Readonly<Record<string, FieldType>> | undefined;
  /** The new file. */
  target: string;
  /** Whether the file is one of several of a pattern, each of which may have its own encoding. */
  isOneOfMany?: boolean | undefined;
  /** Whether the options were found in the file, so that nobody has decided about its last rows. */
  isDraft?: boolean | undefined;
}

/** Converts a sheet of a workbook to Parquet. */
export interface ConvertSheetTask {
  kind: 'convert-sheet';
  source: string;
  xlsx: XlsxOptions;
  /** As in `ConvertTask`. */
  fields: Readonly<Record<string, FieldOptions>>;
  kept: readonly string[];
  widened?: Readonly<Record<string, FieldType>> | undefined;
  /** Whether a dataset is drafted, so that options that are missing are chosen or asked for. */
  isDraft: boolean;
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

/** Counts the rows of stored versions, and adds up their columns of numbers. */
export interface SummarizeTask {
  kind: 'summarize';
  sources: readonly string[];
  columns: readonly FileColumn[];
  /** The column whose first and last value are read. */
  time?: string | undefined;
  /** Columns by which roles look up values. */
  keys: readonly string[];
}

/** How far the process is. */
export interface FileProgress {
  /** The values are read once or several times before the rows are written. */
  phase: 'read' | 'write';
  /** Of this pass, from 0 to 100. */
  percent: number;
}

/** A column in which several rows have the same value. Case and spaces around it do not count. */
export interface RepeatedKey {
  column: string;
  /** Number of values that several rows have. */
  count: number;
  /** Some of them. */
  keys: string[];
}

/** What comparing two versions of data needs. */
export interface DataSummary {
  rows: number;
  /** Sums by the names of the columns of numbers; `null` without a value. */
  totals: Record<string, string | null>;
  /** The first and the last time; `null` without a value. */
  span: { from: string; to: string } | null;
  repeated: RepeatedKey[];
}

export type FileTask =
  | DescribeTask
  | ConvertTask
  | ConvertSheetTask
  | CheckTextsTask
  | FindKeysTask
  | InspectTask
  | SummarizeTask;

/** Finds how a CSV file is to be read, before it is converted. */
export interface InspectTask {
  kind: 'inspect';
  source: string;
  /** What the author has chosen. */
  csv: Partial<CsvOptions>;
}

/** Something that the author should know, such as a text column that is probably read in the wrong type. */
export interface FileHint {
  /** Absent if it is about the whole file. */
  column?: string;
  /** The type of most of the column's values. */
  likely?: FieldType;
  /** Says what to do. */
  message: string;
  /** CSV options that probably read the column correctly. */
  csv: Partial<CsvOptions>;
  /** What to write on the field instead, if the options are for this column only. */
  field?: FieldOptions;
  /** Up to three values that show it. */
  values?: readonly string[];
}

export interface DescribedFile {
  columns: FileColumn[];
  hints: FileHint[];
  /** What the options do not choose. */
  questions: Question[];
  /** Options that were chosen for the draft of a dataset over a workbook. */
  chosen?: Partial<XlsxOptions>;
}

export interface InspectedFile {
  /** What the author has chosen, and what was found. A question's first interpretation is among it. */
  csv: Partial<CsvOptions>;
  /** What was found and why, each as a sentence without the file. */
  notes: string[];
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
  | { inspected: InspectedFile }
  | { findings: string[] }
  | { matched: boolean[] }
  | { summary: DataSummary }
  | FileProblems;
