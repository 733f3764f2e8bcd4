import type { CustomFilter } from '@portal-embed/contract';

import type { Tile } from '#wire/viewer.ts';

import type { RowPredicate } from '../rls/predicate.ts';

/** What computes reports. The portal itself decides who may see which report and which rows. */
export interface ReportPlatform {
  /** @throws when the report cannot be computed; never with anything left out of `visibleRows`. */
  compute: (request: ReportRequest) => Promise<ComputedReport>;
  close: () => Promise<void>;
}

export interface ReportRequest {
  /** Whose report it is: where many wait, organizations take turns. */
  organizationId: string;
  dataset: { name: string; file: string };
  /** As it was imported; the platform checks it. */
  definition: unknown;
  /** What row-level security lets this viewer see. */
  visibleRows: RowPredicate;
  viewerEmail: string;
  /**
   * Lists of filters, such as those of the identity URL and those of the reader: each list narrows
   * what the ones before it left.
   */
  filters: readonly (readonly CustomFilter[])[];
  /** Aborts when nobody waits for the report any more. */
  signal: AbortSignal;
}

export interface ComputedReport {
  /** Keys of the filters that no column answers to. */
  unappliedFilters: string[];
  /** Rows that remain. */
  rowCount: number;
  tiles: Tile[];
}
