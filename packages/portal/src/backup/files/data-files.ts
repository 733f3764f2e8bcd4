/** A data file in a backup. */
export interface HeldFile {
  /** Such as `ORGANIZATION/.versions/HASH.parquet`, or `ORGANIZATION/sales.csv` for an author's file. */
  name: string;
  bytes: number;
}

/** Data files of one moment. They stay as they are until they are released. */
export interface HeldFiles {
  files: readonly HeldFile[];
  /** Those of them that are in the database. Default: none. */
  stored?: readonly HeldFile[] | undefined;
  /** Versions that datasets name and that do not exist here. */
  missing: readonly string[];
  open: (file: HeldFile) => AsyncIterable<Buffer>;
  release: () => Promise<void>;
}

/** The versions of data files that datasets name, by organization. */
export interface NamedVersions {
  organizationId: string;
  /** Paths below the organization's folder. */
  versions: readonly string[];
}

/** Data files that a restore adds. */
export interface ReceivedFiles {
  /**
   * Checks that a file can be added: it must not exist, or have these contents.
   *
   * @throws `BackupError`
   */
  require: (file: { name: string; bytes: number; sha256: string }) => Promise<void>;
  write: (name: string, content: AsyncIterable<Buffer>) => Promise<void>;
  /** Puts the files where the portal reads them. */
  install: () => Promise<void>;
  /** Removes what was added, also after `install`. */
  discard: () => Promise<void>;
  /** Ends a restore whose files stay. */
  keep: () => Promise<void>;
}

/** Where a portal keeps data files. */
export interface DataFiles {
  /**
   * Holds the named versions and the authors' files of these organizations. No apply may install files
   * meanwhile.
   */
  hold: (named: readonly NamedVersions[]) => Promise<HeldFiles>;
  receive: () => Promise<ReceivedFiles>;
}
