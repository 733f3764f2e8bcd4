import type { CustomFilter, DisplayFlags } from '@portal-embed/contract';
import type { Tile } from '@portal-embed/report-model';

/**
 * What crosses between the viewer page (`web/`) and the service (`src/`): types alone. Not
 * part of the portal's API, since the two are always deployed together.
 */

/** Id of the JSON block that the redeeming answer carries. */
export type ViewerSessionElementId = 'viewer-session';

/** What the page starts with. The bearer stays in the page's memory, nowhere else. */
export interface ViewerSession {
  bearer: string;
  /** Where the page is after redeeming: the organization's overview or one report. */
  path: string;
  organization: { id: string; name: string };
  user: { name: string; email: string };
  display: DisplayFlags;
  /** The one report that this session may open; `null` for the whole portal. */
  reportId: string | null;
  /** The reports this user may open: the sidebar. For one report, that report alone. */
  reports: ReportSummary[];
  /**
   * The one report's first data, computed while the page's scripts were loading; `null` for the
   * whole portal, and where it failed: the page then asks by itself.
   */
  view: ReportView | null;
}

export interface ReportSummary {
  id: string;
  name: string;
  description: string | null;
  workspaceName: string;
}

/** `GET /viewer/reports`, with `Authorization: Bearer …`. */
export interface ReportList {
  reports: ReportSummary[];
}

/** Body of `POST /viewer/reports/{id}/view`, with `Authorization: Bearer …`. */
export interface ViewRequest {
  /** `open` when the reader goes to a report, `refresh` when an open one is computed again. */
  intent: 'open' | 'refresh';
  /** On top of the filters that the identity URL was minted with. */
  filters: CustomFilter[];
}

export interface ReportView {
  report: ReportSummary;
  /** The filters in force: those of the identity URL and those of the request. */
  filters: CustomFilter[];
  /** Keys among them that no column of the report answers to. */
  unappliedFilters: string[];
  /** Rows that remain for this user; 0 is shown as "No rows". */
  rowCount: number;
  tiles: Tile[];
}
