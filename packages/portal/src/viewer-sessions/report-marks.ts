import { notAccessible } from '../access/refusals.ts';
import type { Database } from '../db/connection/open.ts';
import { retryConflicts } from '../db/query/conflicts.ts';
import * as store from './report-marks-store.ts';
import { requireOwnView, type Session } from './session.ts';

/** Finds the marks of the session's user. A single-report session shows no list of them. */
export const findMarks = async (
  db: Database,
  session: Pick<Session, 'organizationId' | 'userId' | 'reportId'>,
): Promise<store.ReportMarks> =>
  session.reportId === null ? store.findMarks(db, session) : store.noMarks;

/**
 * Marks a report as a favorite of the session's user, or removes the mark.
 *
 * @throws `report_not_accessible`, also for a report that does not exist
 */
export async function setFavorite(
  db: Database,
  session: Session,
  favorite: { reportId: string; isFavorite: boolean },
): Promise<void> {
  requireOwnView(session);
  if (session.reportId !== null) throw notAccessible();
  const { organizationId, userId } = session;
  const isSet = await retryConflicts(() =>
    store.setFavorite(db, { organizationId, userId, ...favorite }),
  );
  if (!isSet) throw notAccessible();
}
