import type { ReportSummary, ReportView, ViewerSession } from '../../wire/viewer.ts';
import type { ServiceError } from '../shared/service-error.ts';
import type { DrawSeries } from './charts/draw-series.ts';
import type { Formats } from './charts/format.ts';

export interface ViewerState {
  session: ViewerSession;
  /** What this user may open. */
  reports: ReportSummary[];
  /** The open report, or `null` for the overview. */
  reportId: string | null;
  /** The open report's data, once there. */
  view: ReportView | null;
  /** When `view` was computed, by this browser's clock. */
  viewedAt: Date | null;
  loading: boolean;
  problem: ServiceError | null;
  /** The session is over: nothing more can be shown. */
  ended: boolean;
  /** Draws charts; `null` until its code has arrived, or when it cannot be had. */
  drawSeries: DrawSeries | null;
  formats: Formats;
}
