/** Messages between the portal and an engine process, which runs one query at a time. */

/** A JSON value; dates and 64-bit integers are text. */
export type Cell = string | number | boolean | null;
export type Row = Record<string, Cell>;

/** A dataset's Parquet files, which have the same columns. */
export interface DatasetFiles {
  paths: string[];
  /** Changes with the files, so that a process reopens changed files. */
  version: string;
}

/** One SELECT over the table `dataset`; a list of values is one parameter. */
export interface Query {
  dataset: DatasetFiles;
  text: string;
  values: (string | readonly string[])[];
}

export interface QueryResult {
  columns: { name: string; type: string }[];
  rows: Row[];
}

export type Command = Query | 'interrupt';

export type Answer =
  | { result: QueryResult }
  | { failed: 'failed' | 'out_of_memory'; message: string };

/** Limits of one engine process, and so of one query. */
export interface ProcessLimits {
  /** Threads of one query. `PORTAL_ENGINE_THREADS`, default the number of cores, at most 4. */
  threads: number;
  /** Megabytes (MiB) of memory for one query. `PORTAL_ENGINE_QUERY_MEMORY`. */
  memoryMb: number;
}
