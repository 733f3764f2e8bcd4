import type { CsvOptions, FieldType } from '@portal-embed/report-model';

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
  /** Types that the dataset declares. Others follow from the values. */
  types: Readonly<Record<string, FieldType>>;
  /** The new file. */
  target: string;
}

export type FileTask = DescribeTask | ConvertTask;

/** A column that is probably meant otherwise than it is read. */
export interface FileHint {
  /** Says what to do. */
  message: string;
  /** Options with which the column is probably read as it is meant. */
  csv: Partial<CsvOptions>;
}

export interface DescribedFile {
  columns: FileColumn[];
  hints: FileHint[];
}

/** The result, or a mistake in the file or in its options, as a message for the author. */
export type FileAnswer = { described: DescribedFile } | { problem: string };
