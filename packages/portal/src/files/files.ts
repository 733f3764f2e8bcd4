import type { Files, OrganizationFiles } from '#report-engine';

import type { Database } from '../db/connection/open.ts';

/** Copies of an author's files that replace those of the organization. */
export interface StagedCopies {
  /** Replaces the organization's files. It is short, since the transaction waits for it. */
  install: (transaction: Database) => Promise<void>;
  /** Removes copies that were not installed. */
  discard: () => Promise<void>;
}

/** A file that this instance cannot read. */
export interface FileProblem {
  file: string;
  /** `not_fetched`: it exists in the database, but its last fetch failed. */
  state: 'missing' | 'not_permitted' | 'not_fetched';
  /** The system's code, if there is one. */
  code?: string | undefined;
}

/** Uploads and names of author files that instances share. */
export interface SharedUploads {
  /**
   * Keeps an uploaded file for an hour, for the instance that makes a dataset of it.
   *
   * @throws `body_too_large`
   */
  keep: (id: string, name: string, source: string) => Promise<void>;
  /** Copies an uploaded file to a folder that may have it already; returns its name. */
  find: (id: string, folder: string) => Promise<string | undefined>;
  remove: (id: string) => Promise<void>;
  /** Lists the ids of uploads of the last hour, and removes older ones. */
  list: () => Promise<string[]>;
  /** Lists the names of authors' files. */
  listOriginals: () => Promise<string[]>;
}

export interface FileNames {
  versions: readonly string[];
  originals: readonly string[];
}

export interface PortalOrganizationFiles extends OrganizationFiles {
  /**
   * Copies the author's files to the organization, for later applies without a content folder.
   *
   * @param files the author's files by their names in the organization's folder
   * @throws `invalid_request` for a file that is too large
   */
  stageCopies: (files: ReadonlyMap<string, string>) => Promise<StagedCopies>;
  /** Default: uploads are in the folder alone. */
  uploads?: SharedUploads;
  /** Returns the bytes of stored versions and of authors' files together. */
  sizeOf: (names: FileNames) => Promise<number>;
  /** Returns those of the authors' files that have the same bytes. */
  findSame: (
    names: readonly string[],
    file: { sha256: string; size: number },
  ) => Promise<Set<string>>;
  /** Removes authors' files. Comes last in the transaction, since a folder cannot roll back. */
  removeOriginals: (transaction: Database, names: readonly string[]) => Promise<void>;
  /** Returns those of the files that this instance cannot read. Fetches again what failed before. */
  findProblems: (names: readonly string[]) => Promise<FileProblem[]>;
}

/** The data files of all organizations, in a folder or in the database. */
export interface PortalFiles extends Files {
  of: (organizationId: string) => PortalOrganizationFiles;
  /** The number of files that exist in the database, and whose last fetch failed. */
  countFailed: () => number;
  /** Removes from this instance what the database does not name any more. */
  tidy: () => Promise<void>;
}
