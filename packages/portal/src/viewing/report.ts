import type { ErrorCode } from '@portal-embed/contract';

import type { Frame } from '#platform';
import type {
  FieldValues,
  ReportView,
  ValuesRequest,
  ViewAnswer,
  ViewRequest,
} from '#viewer/requests';

import { listReadableReports } from '../access/readable-reports.ts';
import type { ReportSource } from '../access/report-source-store.ts';
import { presentReportSummary } from '../catalogue/presenter.ts';
import type { ReportRow } from '../catalogue/store.ts';
import type { Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import type { LimitViews } from '../limits/view-limit.ts';
import type { OpenReading, ReadingScope } from '../readings/reading.ts';
import type { Session } from '../viewer-sessions/session.ts';
import { openAs } from './session-reading.ts';

/** Lists the reports that the session may open; at most one for a single-report session. */
export function listSessionReports(
  db: Database,
  { organizationId, userId, reportId }: Pick<Session, 'organizationId' | 'userId' | 'reportId'>,
): Promise<ReportRow[]> {
  return listReadableReports(db, { organizationId, userId, reportId });
}

/**
 * Computes a report for the session's user. Looks up access and row-level security each time, so that
 * revoking takes effect at once.
 *
 * @param scope `confirm` checks that the session has not ended. Default: it has just begun
 * @param opened what the statement that opened the session has read of its report
 * @throws `report_not_accessible`, also for a report that does not exist; `filters_not_applied` if
 *   the organization refuses filters that name no column; `invalid_request` if the reader's view does
 *   not fit the report; `session_required`; `overloaded`; `report_failed`.
 */
export async function viewReport(
  scope: ReadingScope & { confirm?: () => Promise<unknown> },
  session: Session,
  reportId: string,
  { intent, held, ...request }: ViewRequest,
  opened?: { report: ReportRow; source: ReportSource },
): Promise<ViewAnswer> {
  const { report, reading, confirm } = await openAs(scope, session, reportId, intent, opened);
  const shown = await reading.open(held);
  if (shown.kind === 'kept') return { kind: 'kept' };
  // The product may have taken seconds, and its token works for minutes.
  if (shown.kind === 'frame') {
    await scope.confirm?.();
    await confirm();
  }
  const shared = {
    report: presentReportSummary(report),
    filters: session.customFilters,
    ...reading.rows,
  };
  if (shown.kind === 'no-rows') return { ...shown, ...shared, unappliedFilters: [] };
  if (shown.kind === 'frame') return { ...shared, ...presentFrame(shown, reading) };
  return { kind: 'tiles', ...shared, ...(await reading.computePage(shown, request)) };
}

/** Nothing else of what the platform has answered reaches the reader. */
const presentFrame = (
  { kind, url, token, expiresAt, key, settings, unappliedFilters, filtersAreEnforced }: Frame,
  { platform, purpose }: OpenReading,
) => ({
  kind,
  platform: platform.name,
  label: platform.label,
  url,
  token,
  expiresAt: expiresAt.toISOString(),
  secondsLeft: Math.floor((expiresAt.getTime() - Date.now()) / 1_000),
  key,
  settings,
  unappliedFilters: [...unappliedFilters],
  filtersAreEnforced,
  canTakeAway: purpose === 'read',
});

/** Lists the values of a field that the session's user can filter by. Throws like `viewReport`. */
export async function listFieldValues(
  scope: ReadingScope,
  session: Session,
  reportId: string,
  request: ValuesRequest,
): Promise<FieldValues> {
  const { reading } = await openAs(scope, session, reportId, 'refresh');
  return reading.values(request);
}

/** What the first view needs beside its reading. */
export interface FirstViewServices {
  limitViews: LimitViews;
  /** Called with the error code when the page is sent without the report's data. */
  onFirstDataMissing: (cause: ErrorCode) => void;
}

/**
 * Computes the first data of a single-report session; `null` if the page must request it.
 *
 * @param source what the statement that opened the session has read of its report; `null` if the opening
 *   is still to be recorded
 */
export async function viewFirst(
  scope: ReadingScope,
  session: Session,
  { report, source }: { report: ReportRow; source: ReportSource | null },
  { limitViews, onFirstDataMissing }: FirstViewServices,
): Promise<ReportView | null> {
  const opened = source === null ? undefined : { report, source };
  try {
    const view = await limitViews(session, () =>
      viewReport(scope, session, report.id, { intent: 'open' }, opened),
    );
    return view.kind === 'kept' ? null : view;
  } catch (error) {
    if (!(error instanceof PortalError)) scope.onFailure(error);
    const cause = error instanceof PortalError ? error.code : 'internal_error';
    if (!scope.signal.aborted) onFirstDataMissing(cause);
    return null;
  }
}
