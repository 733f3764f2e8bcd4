import type { Table } from './tables.ts';

/** One session of a database. */
export interface Session {
  /** Runs one statement with values, or several without. */
  query: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;
}

/** The rows of a database at one moment. */
export interface SnapshotSession extends Session {
  /** The rows of a table as COPY text, in chunks of any size. */
  copyOut: (table: Table) => AsyncIterable<Uint8Array>;
  close: () => Promise<void>;
}

/** A transaction in an empty database. */
export interface RestoreSession extends Session {
  /** Adds rows, given as COPY text of whole rows. Returns how many the database has added. */
  copyIn: (table: Table, text: readonly Uint8Array[]) => Promise<number>;
  /** Makes everything permanent and closes the database. */
  commit: () => Promise<void>;
  /** Undoes everything and closes the database. Has no effect after `commit`. */
  rollback: () => Promise<void>;
}

/**
 * Settings on which the text of values depends, so that both databases write the same bytes, and no time
 * limits.
 */
export const copySettings = `
  SET statement_timeout = 0;
  SET lock_timeout = 0;
  SET idle_in_transaction_session_timeout = 0;
  SET client_encoding = 'UTF8';
  SET datestyle = 'ISO, MDY';
  SET intervalstyle = 'postgres';
  SET timezone = 'UTC';
  SET bytea_output = 'hex';
  SET extra_float_digits = 1;
  SET synchronize_seqscans = off`;
