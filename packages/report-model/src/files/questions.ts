import type { FieldType } from './dataset.ts';
import type { FormatOptions } from './format.ts';
import type { CsvOptions } from './source.ts';
import type { XlsxOptions } from './xlsx.ts';

/** How a data file is read: a CSV file, or a workbook. */
export type FileOptions = CsvOptions & XlsxOptions;

/** What an author writes on a field to choose how its column is read. */
export interface FieldOptions {
  type?: FieldType | undefined;
  date?: string | undefined;
  /** The first of the hundred years that two-digit years mean. */
  yearsFrom?: number | undefined;
  format?: FormatOptions | undefined;
}

export interface ReadValue {
  text: string;
  read: string;
  /** The line of the file, if it matters. */
  line?: number;
}

/** Values of a column in one interpretation. */
export interface ReadColumn {
  name: string;
  /** Up to three values as the file writes them and as they are read, numbers with a decimal point. */
  values: ReadValue[];
  /** The total of numbers. */
  total?: string;
}

export interface Interpretation {
  /** What an author writes under `csv` or `xlsx` to choose it. */
  options: Partial<FileOptions>;
  /** What an author writes on fields to choose it, by column. */
  fields?: Record<string, FieldOptions>;
  /** Up to 20 columns. */
  columns: ReadColumn[];
}

/** Something in a data file that has more than one interpretation. */
export interface Question {
  about: 'sheet' | 'encoding' | 'footer' | 'numbers' | 'exponents' | 'currency' | 'dates';
  /** Two or more, in a stable order. */
  interpretations: Interpretation[];
}

export interface FileQuestion extends Question {
  /** As the dataset names it. */
  file: string;
}
