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

/** Finds texts in the Parquet files of a dataset that are not values of the type that their field declares. */
export interface CheckTextsTask {
  kind: 'check-texts';
  sources: readonly string[];
  definition: Dataset;
}

/** Finds how a CSV file is to be read, before it is converted. */
export interface InspectTask {
  kind: 'inspect';
  source: string;
  /** What the author has chosen. */
  csv: Partial<CsvOptions>;
}

export type FileTask = DescribeTask | ConvertTask | InspectTask | CheckTextsTask;

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
  values: readonly string[];
}

export interface DescribedFile {
  columns: FileColumn[];
  hints: FileHint[];
  /** What the options do not choose. */
  questions: Question[];
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

/** `findings` are sentences for the author. */
export type FileAnswer =
  | { described: DescribedFile }
  | { inspected: InspectedFile }
  | { findings: string[] }
  | FileProblems;
