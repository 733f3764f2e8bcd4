import type { ViewerAttribute } from '@portal-embed/report-model';

/** A report as one reader reads it: what the portal has decided, as plain data. */
export interface Reading {
  organizationId: string;
  /** Id of the user whose turns the work takes: the reader, or the author of a draft. */
  queue: string;
  reader: Viewer;
  report: StoredReport;
  dataset: StoredDataset;
  /** Never ignore a part of it. */
  rows: Rows;
  /** Lists of filters that the reader cannot change. All lists must hold. */
  filters: readonly (readonly CustomFilter[])[];
  /** Whether filters that match no column are listed in the result or refuse the report. */
  unappliedFilters: 'note' | 'refuse';
  /** `view-as`: somebody else looks at the report as the reader, and may take nothing away. */
  purpose: 'read' | 'view-as' | 'draft';
}

/** The attributes of the reader, with which roles compare. `email` is the stored address. */
export type Viewer = Readonly<Record<ViewerAttribute, readonly string[]>> & {
  /**
   * Another user's address differs only in its sigmas. Then the address is compared exactly, so that
   * neither sees the rows of the other. Default: no.
   */
  readonly hasEmailTwin?: boolean;
};

/** The rows that row-level security allows: all, or those of any of the roles. */
export type Rows =
  | { access: 'everyone' }
  | { access: 'by-role'; roles: readonly { name: string; definition: unknown }[] };

/** A report as the catalogue stores it. */
export interface StoredReport {
  /** `undefined` for a draft. */
  id?: string | undefined;
  /** In the platform's own shape. */
  source: unknown;
}

/** A dataset as the catalogue stores it. */
export interface StoredDataset {
  name: string;
  /** In the platform's own shape. */
  source: unknown;
  /** That of the organization, for a source that names none. IANA name. */
  timeZone: string;
}

/** A filter with which a report is opened. `key` is `Table/Column` or `Column`. */
export interface CustomFilter {
  key: string;
  value: string;
}
