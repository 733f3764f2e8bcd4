import type { ReportSummary, ReportView, ViewerSession } from '../../wire/viewer.ts';
import type { ServiceError } from '../shared/service-error.ts';
import type { ChartCode } from './charts/chart-code.ts';
import type { Formats } from './format/create-formats.ts';

export interface ViewerState {
  session: ViewerSession;
  /** What this user may open. */
  reports: ReportSummary[];
  /** Ids of the reports that the reader has marked. */
  favorites: readonly string[];
  /** Ids of the reports that the reader opened last, the latest first. */
  recent: readonly string[];
  /** The open report, or `null` for the overview. */
  reportId: string | null;
  /** The page of the report that the reader has selected. */
  pageIndex: number;
  /** The open report's data, once there. It may still be that of the page before. */
  view: ReportView | null;
  /** When `view` was computed, by this browser's clock. */
  viewedAt: Date | null;
  loading: boolean;
  problem: ServiceError | null;
  /** The session is over: nothing more can be shown. */
  ended: boolean;
  /** What charts need: `undefined` until its code has loaded, `null` if that failed. */
  chartCode: ChartCode | null | undefined;
  formats: Formats;
}
