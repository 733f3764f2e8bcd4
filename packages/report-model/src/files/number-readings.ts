import type { CsvOptions } from './source.ts';

/** One of two ways to read the numbers of a CSV file whose separators allow both. */
export interface NumberReading {
  /** Options that read the numbers in this way. */
  csv: Pick<CsvOptions, 'decimal' | 'thousands'>;
  columns: ReadColumn[];
}

export interface ReadColumn {
  name: string;
  /** Three values as the file writes them, and as numbers with a decimal point. */
  values: { text: string; number: string }[];
  total: string;
}

/** Numbers of a data file that have two readings. */
export interface NumberQuestion {
  file: string;
  readings: readonly NumberReading[];
}
