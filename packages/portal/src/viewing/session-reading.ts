import { notAccessible } from '../access/refusals.ts';
import type { ReportSource } from '../access/report-source-store.ts';
import type { ReportRow } from '../catalogue/store.ts';
import { isConflict } from '../db/query/conflicts.ts';
import { openReading, type OpenReading, type ReadingScope } from '../readings/reading.ts';
import { sessionEnded } from '../viewer-sessions/service.ts';
import type { Session } from '../viewer-sessions/session.ts';
import { recordOpening } from './openings-store.ts';

/**
 * Opens a report as the session's user, with an entry in the access log if one is due.
 *
 * @param opened what the statement that opened the session has read of its report
 * @throws `report_not_accessible`; `session_required` if the session ends at the same moment
 */
export function openAs(
  scope: ReadingScope,
  session: Session,
  reportId: string,
  intent: 'open' | 'refresh',
  opened?: { report: ReportRow; source: ReportSource },
): Promise<{ report: ReportRow; reading: OpenReading; confirm: () => Promise<void> }> {
  const { organizationId, userId, customFilters } = session;
  const admit = async (isOpening: boolean): Promise<ReportRow> => {
    if (session.reportId !== null && session.reportId !== reportId) throw notAccessible();
    const report = await recordOpening(scope.db, { ...session, reportId, isOpening }).catch(
      (error: unknown) => {
        throw isConflict(error) ? sessionEnded() : error;
      },
    );
    if (!report) throw notAccessible();
    return report;
  };
  const reader = { organizationId, userId };
  const purpose = session.viewedBy === null ? 'read' : 'view-as';
  return openReading(scope, reader, { filters: customFilters, purpose, opened, admit }, intent);
}
