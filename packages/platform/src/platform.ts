import type { Frame, Frames, Held, Kept } from './frame.ts';
import type { Reading } from './reading.ts';
import type { RemoteSource } from './remote.ts';
import type { Tiles } from './tiles.ts';

/** What the catalogue and the pages know of a platform without running it. */
export interface PlatformDescription {
  /** As the catalogue stores it. It is part of addresses: letters, digits and hyphens. */
  readonly name: string;
  /** The name that pages show. */
  readonly label: string;
  /** `reportType` of the API. */
  readonly reportType: number;
  /** Whether authors write its reports in the portal: pages then offer definition, preview and upload. */
  readonly authored: boolean;
  /** Each returns the problems of an item, as sentences; none if the platform can open it. */
  readonly catalogue: {
    checkReport: (source: unknown) => readonly string[];
    checkDataset: (source: unknown) => readonly string[];
    checkRole: (name: string, definition: unknown) => readonly string[];
  };
  /** Default: the platform shows tiles only. */
  readonly frames?: Frames | undefined;
  /** Address of a report in the product, for its authors. Default: it has none. */
  readonly addressOf?: (report: { id: string; source: unknown }) => string;
}

/** Draws reports. The portal decides who may see which report and which rows. */
export interface ReportPlatform extends PlatformDescription {
  /**
   * Opens a report for one reader, within 20 seconds. Tiles that it returns may take longer.
   *
   * @throws `ReportError` if the report cannot be opened. Errors of `Tiles` can also be thrown here
   */
  open: (reading: Reading, options: OpenOptions) => Promise<Opened>;
  /** Those of `frames.origins` that the reports of an organization need. Default: all of them. */
  frameOrigins?: (organizationId: string) => Promise<readonly string[]>;
  /** Default: the portal's own catalogue has all of its reports. */
  remote?: RemoteSource;
  /** Current number of queries. Default: queries are not counted. */
  usage?: () => QueryUsage;
  close: () => Promise<void>;
}

/** A platform whose reports are made elsewhere. */
export type RemotePlatform = ReportPlatform & { remote: RemoteSource };

export interface OpenOptions {
  /** The frame that the reader's page shows already. Default: none. */
  held?: Held | undefined;
  /** Called with the error of a part that could not be computed; the reader gets a short text. */
  onTileFailure: (error: unknown) => void;
  /** Aborts, which ends the opened report, when the reader has disconnected or opening takes too long. */
  signal: AbortSignal;
}

/** `Kept` is a valid result only if `OpenOptions.held` was set. */
export type Opened = Tiles | Frame | Kept | Refused;

/** The report is not shown to this reader. It is a decision, not a failure. */
export interface Refused {
  kind: 'refused';
  /**
   * `no-role`: the reader has no role of a dataset that requires one, and so sees no rows. `not-set-up`:
   * an administrator has to complete or repair something. `filters`: the filters in `keys` cannot be applied.
   */
  reason: 'no-role' | 'not-set-up' | 'filters';
  /** For the log and the administration. */
  detail: string;
  keys?: readonly string[];
}

export interface QueryUsage {
  running: number;
  waiting: number;
}
