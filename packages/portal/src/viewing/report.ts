import type { ErrorCode } from '@portal-embed/contract';

import type { FieldValues, ValuesRequest, ReportView, ViewRequest } from '#viewer/requests';

import { listReadableReports } from '../access/readable-reports.ts';
import { findVisibleRows } from '../access/visible-rows.ts';
import { presentReportSummary } from '../catalogue/presenter.ts';
import { findReportSource, type ReportRow } from '../catalogue/store.ts';
import type { Database } from '../db/connection/open.ts';
import { isConflict } from '../db/query/conflicts.ts';
import { PortalError } from '../errors.ts';
import {
  ReaderViewError,
  ReportError,
  UnappliedFiltersError,
  type ReportPlatform,
} from '../platforms/platform.ts';
import { createReportRequest } from '../readings/report-request.ts';
import { sessionEnded } from '../viewer-sessions/service.ts';
import type { Session } from '../viewer-sessions/session.ts';
import { recordOpening } from './openings-store.ts';
import type { LimitViews } from './view-limit.ts';

/** Lists the reports that the session may open; at most one for a single-report session. */
export function listSessionReports(
  db: Database,
  { organizationId, userId, reportId }: Pick<Session, 'organizationId' | 'userId' | 'reportId'>,
): Promise<ReportRow[]> {
  return listReadableReports(db, { organizationId, userId, reportId });
}

export interface ViewScope {
  db: Database;
  platform: ReportPlatform;
  /** Called with the error of a report that could not be computed; the reader gets no details. */
  onFailure: (error: unknown) => void;
  /** Aborts when the reader has disconnected. */
  signal: AbortSignal;
}

/**
 * Computes a report for the session's user. Looks up access and row-level security each time, so that
 * revoking takes effect at once.
 *
 * @throws `report_not_accessible`, also for a report that does not exist; `filters_not_applied` if
 *   the organization refuses filters that name no column; `invalid_request` if the reader's view does
 *   not fit the report; `report_failed`.
 */
export async function viewReport(
  scope: ViewScope,
  session: Session,
  reportId: string,
  request: ViewRequest,
): Promise<ReportView> {
  const { report, reportRequest, visible } = await readReport(scope, session, reportId, request);
  try {
    const computed = await scope.platform.compute(reportRequest);
    return {
      report: presentReportSummary(report),
      filters: session.customFilters,
      rowAccess: visible.rowAccess,
      roles: visible.roles,
      ...computed,
    };
  } catch (error) {
    throw explainFailure(scope, error);
  }
}

/** Lists the values of a field that the session's user can filter by. Throws like `viewReport`. */
export async function listFieldValues(
  scope: ViewScope,
  session: Session,
  reportId: string,
  { field, search, ...request }: ValuesRequest,
): Promise<FieldValues> {
  const refresh = { ...request, intent: 'refresh' } as const;
  const { reportRequest } = await readReport(scope, session, reportId, refresh);
  try {
    return await scope.platform.listValues({ ...reportRequest, field, search });
  } catch (error) {
    throw explainFailure(scope, error);
  }
}

/**
 * Opens the report, and reads its content and the rows that the session's user may see.
 *
 * @throws `report_not_accessible`
 */
export async function readReport(
  scope: ViewScope,
  session: Session,
  reportId: string,
  request: ViewRequest,
) {
  const { db } = scope;
  const report = await requireReport(db, session, reportId, request.intent);
  const reader = { organizationId: session.organizationId, userId: session.userId };
  const { source, visible } = await readSource(db, reader, report.id);
  const reportRequest = createReportRequest(scope, session, visible, {
    dataset: {
      name: source.dataset_name,
      files: source.dataset_files,
      definition: source.dataset_definition,
    },
    platform: source.platform,
    definition: source.definition,
    page: request.page ?? 0,
    filters: [session.customFilters],
    view: request.view,
    unappliedFilters: source.unapplied_filters,
  });
  return { report, reportRequest, visible };
}

/** Whom readers and authors ask about a problem that stays. */
const contacts = {
  reader: 'contact your administrator',
  author: 'ask the operator of the portal, whose log names the cause',
};

/**
 * Logs the error of a report that could not be computed. Returns the error for its reader, or for an
 * author in the administration.
 */
export function explainFailure(
  { signal, onFailure }: Pick<ViewScope, 'signal' | 'onFailure'>,
  error: unknown,
  audience: keyof typeof contacts = 'reader',
): PortalError {
  if (error instanceof UnappliedFiltersError) return filtersNotApplied(error.keys);
  if (error instanceof ReaderViewError) return viewNotValid(error);
  if (!signal.aborted) onFailure(error);
  if (error instanceof ReportError && error.reason === 'overloaded')
    return new PortalError('overloaded', 'Too many reports are being computed.', {
      advice: 'Try again in a few seconds.',
      retryAfter: 5,
    });
  const contact = `if the problem persists, ${contacts[audience]}.`;
  if (error instanceof ReportError && error.reason === 'unavailable')
    return new PortalError('report_failed', 'The data source is unavailable.', {
      advice: `Try again in a few minutes; ${contact}`,
      reason: 'unavailable',
    });
  return new PortalError('report_failed', 'The report could not be computed.', {
    advice: `Try again; ${contact}`,
  });
}

export interface FirstViewScope extends ViewScope {
  limitViews: LimitViews;
  /** Called with the error code when the page is sent without the report's data. */
  onFirstDataMissing: (cause: ErrorCode) => void;
}

/** Computes the first data of a single-report session; `null` if the page must request it. */
export async function viewFirst(
  scope: FirstViewScope,
  session: Session,
  reportId: string,
): Promise<ReportView | null> {
  try {
    return await scope.limitViews(session, () =>
      viewReport(scope, session, reportId, { intent: 'open' }),
    );
  } catch (error) {
    if (!(error instanceof PortalError)) scope.onFailure(error);
    const cause = error instanceof PortalError ? error.code : 'internal_error';
    if (!scope.signal.aborted) scope.onFirstDataMissing(cause);
    return null;
  }
}

/** Opens the report, with an entry in the access log if one is due. */
async function requireReport(
  db: Database,
  session: Session,
  reportId: string,
  intent: ViewRequest['intent'],
): Promise<ReportRow> {
  if (session.reportId !== null && session.reportId !== reportId) throw notAccessible();
  // The write fails if the session ends at the same moment.
  const report = await recordOpening(db, {
    ...session,
    reportId,
    isOpening: intent === 'open',
  }).catch((error: unknown) => {
    throw isConflict(error) ? sessionEnded() : error;
  });
  if (!report) throw notAccessible();
  return report;
}

const maxReads = 10;

/**
 * Reads the content of a report and the rows that the user may see. Reads again if content is applied
 * in between, so that rows of one version are never filtered by roles of another.
 */
async function readSource(
  db: Database,
  reader: { organizationId: string; userId: string },
  reportId: string,
) {
  for (let read = 1; read <= maxReads; read += 1) {
    const source = await findReportSource(db, reader.organizationId, reportId);
    if (!source) throw notAccessible();
    const visible = await findVisibleRows(db, { ...reader, datasetId: source.dataset_id });
    if (!visible) throw notAccessible();
    if (visible.version === source.dataset_version) return { source, visible };
  }
  throw new PortalError('overloaded', 'The data of the report is changing.', {
    advice: 'Try again in a few seconds.',
    retryAfter: 1,
  });
}

export const notAccessible = () =>
  new PortalError('report_not_accessible', 'You may not open this report.', {
    advice: 'Ask your administrator for access.',
  });

const viewNotValid = ({ message }: ReaderViewError) =>
  new PortalError('invalid_request', message, {
    advice: 'Filter, sort and drill only by what the report shows.',
    errors: [{ path: 'view', message }],
  });

function filtersNotApplied(keys: readonly string[]): PortalError {
  const names = keys.map((key) => `"${key}"`).join(', ');
  return new PortalError('filters_not_applied', 'This report is not shown.', {
    advice: `It has no column for the filter ${names}. Contact your administrator.`,
    errors: keys.map((path) => ({ path, message: 'names no column of the report' })),
  });
}
