import type {
  CsvOptions,
  Dataset,
  FieldOptions,
  FieldType,
  FormatOptions,
  Question,
} from '@portal-embed/report-model';

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
  /** The new file. */
  target: string;
}

/** Finds texts in the Parquet files of a dataset that are not values of the type that their field declares. */
export interface CheckTextsTask {
  kind: 'check-texts';
  sources: readonly string[];
  definition: Dataset;
}

export type FileTask = DescribeTask | ConvertTask | CheckTextsTask;

/** A text column that is probably read in the wrong type. */
export interface FileHint {
  column: string;
  /** The type of most of its values. */
  likely: FieldType;
  /** Says what to do. */
  message: string;
  /** CSV options that probably read the column correctly. */
  csv: Partial<CsvOptions>;
  /** What to write on the field instead, if the options are for this column only. */
  field?: FieldOptions;
  /** Up to three values that show it. */
  values: readonly string[];
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

/** `findings` are sentences for the author. */
export type FileAnswer = { described: DescribedFile } | { findings: string[] } | FileProblems;
