import type { Files, OrganizationFiles } from '#report-engine';

import type { Database } from '../db/connection/open.ts';

/** Copies of an author's files that replace those of the organization. */
export interface StagedCopies {
  /** Replaces the organization's files. It is short, since the transaction waits for it. */
  install: (transaction: Database) => Promise<void>;
  /** Removes copies that were not installed. */
  discard: () => Promise<void>;
}

export interface PortalOrganizationFiles extends OrganizationFiles {
  /**
   * Copies the author's files to the organization, for later applies without a content folder.
   *
   * @param files the author's files by their names in the organization's folder
   * @throws `FileTooLargeError`
   */
  stageCopies: (files: ReadonlyMap<string, string>) => Promise<StagedCopies>;
}

/** The data files of all organizations, in a folder or in the database. */
export interface PortalFiles extends Files {
  of: (organizationId: string) => PortalOrganizationFiles;
}
