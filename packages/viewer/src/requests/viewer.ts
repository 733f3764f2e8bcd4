import type { CustomFilter, DisplayFlags } from '@portal-embed/contract';
import type { ComputedPage, RoleText } from '@portal-embed/report-model';

import type { AppliedFilter, FilterField, ReaderView } from './reader-view.ts';

/**
 * Types of the requests between the viewer page and the service (`packages/portal`), which are always
 * deployed together. They are not part of the portal's API.
 */

/** Id of the JSON block in the viewer page. */
export type ViewerSessionElementId = 'viewer-session';

/** Body of `POST /identity`, whose answer is a `ViewerSession`. */
export interface RedeemRequest {
  token: string;
  /** Origin of the page that embeds the portal; it must be an embed origin of the organization. */
  embedOrigin: string;
}

/** Maximum number of reports that are listed as opened last. */
export const maxRecent = 8;

/** Initial data of the page. The page keeps the bearer in memory only. */
export interface ViewerSession {
  bearer: string;
  /**
   * Path of the page after redeeming: the report of the URL, otherwise the user's landing page,
   * otherwise the overview.
   */
  path: string;
  /**
   * `homeUrl`: address of the application, to which readers without a session can return; `logo`:
   * path of an image. `null` if the organization has not set it.
   */
  organization: { id: string; name: string; homeUrl: string | null; logo: string | null };
  user: { name: string; email: string };
  /** The e-mail of the administrator who views the portal as the user, read only; `null` for the user. */
  viewedBy: string | null;
  display: DisplayFlags;
  /** The one report that this session may open; `null` for the whole portal. */
  reportId: string | null;
  /** Reports of the sidebar. A single-report session has only that report. */
  reports: ReportSummary[];
  /** Ids of the reports that the reader has marked. Empty for a single report. */
  favorites: string[];
  /** Ids of the reports that the reader opened last, the latest first. Empty for a single report. */
  recent: string[];
  /**
   * First data of a single report, computed while the page's scripts load. `null` for the whole
   * portal, or if it failed: then the page requests the data.
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
  /** As in the session. */
  favorites: string[];
  recent: string[];
}

/** Body of `PUT /viewer/reports/{id}/favorite`, with `Authorization: Bearer …`. */
export interface FavoriteRequest {
  isFavorite: boolean;
}

/** Body of `POST /viewer/reports/{id}/view`, with `Authorization: Bearer …`. */
export interface ViewRequest {
  /** `open` if the reader opens the report, `refresh` if an open report is computed again. */
  intent: 'open' | 'refresh';
  /** In addition to the filters of the identity URL. Default: nothing is chosen. */
  view?: ReaderView | undefined;
  /** Index of the page to compute. Default: 0, also if the report has no such page. */
  page?: number | undefined;
  /** The frame that the page shows. Refreshing, confirming and renewing it are one request. Default: none. */
  held?: { key: string; secondsLeft: number } | undefined;
}

/**
 * Body of `POST /viewer/reports/{id}/export`, with `Authorization: Bearer …`. The answer is a file with
 * all groups of a tile.
 */
export interface ExportRequest extends Omit<ViewRequest, 'intent' | 'held'> {
  /** The id of a tile of the page. */
  tile: string;
  format: 'csv' | 'xlsx';
}

/** What the reader sees of a report. */
export type ReportView = TilesView | FrameView | NoRowsView;

/** Answer of `POST /viewer/reports/{id}/view`. `kept` only answers a request that holds a frame. */
export type ViewAnswer = ReportView | { kind: 'kept' };

interface ReadReport {
  report: ReportSummary;
  /** The filters of the identity URL, which the reader cannot change. */
  filters: CustomFilter[];
  /** Keys of filters that match no column of the report. */
  unappliedFilters: string[];
  /** `by-role`: a reader sees the rows of their roles. `everyone`: every reader sees all rows. */
  rowAccess: 'by-role' | 'everyone';
  /** Names of the reader's roles of the dataset. */
  roles: string[];
}

/** A report whose tiles the page draws. */
export interface TilesView extends ReadReport {
  kind: 'tiles';
  /** What each role of `roles` allows. Default: they have names only. */
  roleTexts?: RoleText[] | undefined;
  /** The reader's filters, and the defaults of the report that no other filter replaces. */
  readerFilters: AppliedFilter[];
  /** The fields that the report offers to filter by. */
  filterFields: FilterField[];
  /** Filters that match no row because the value does not have the type of its column. */
  unreadableFilters: CustomFilter[];
  /** Remaining rows for this user; 0 is shown as "No rows". */
  rowCount: number;
  /** Latest value of the dataset's time: ISO 8601, wall clock of `timeZone`. */
  dataAsOf?: string | undefined;
  /** IANA name of the dataset's time zone. */
  timeZone: string;
  /** Names of the report's pages. */
  pages: string[];
  /** The computed page, and its index in `pages`. */
  page: ComputedPage & { index: number };
}

/** A report in a frame of another product, which `/frames/{platform}` shows. */
export interface FrameView extends ReadReport {
  kind: 'frame';
  platform: string;
  /** Name of the product. */
  label: string;
  url: string;
  /** Admits the reader to the product's page. The page keeps it in memory only. */
  token: string;
  /** When the token ends, by the clock of the service: ISO 8601. */
  expiresAt: string;
  /** Time until then, so that a wrong clock of the reader does no harm. */
  secondsLeft: number;
  /** A view with another key replaces the frame; one with the same key only renews it. */
  key: string;
  /** For the page half of the platform. */
  settings: unknown;
  /** Whether the reader could not see other rows by changing the filters inside the frame. */
  filtersAreEnforced: boolean;
  /** Whether the reader may export and print. */
  canTakeAway: boolean;
}

/** A report of which the reader sees no rows, because they have no role that it requires. */
export interface NoRowsView extends ReadReport {
  kind: 'no-rows';
}
