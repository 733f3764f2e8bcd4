import type { VisibleRows } from '../access/visible-rows.ts';
import { findDataset } from '../catalogue/store.ts';
import { listGranted } from '../connections/store.ts';
import type { ReportRequest } from '../platforms/platform.ts';
import type { ViewScope } from '../viewing/report.ts';

/** The user whose rows are computed. */
interface Reader {
  organizationId: string;
  userId: string;
}

type ReportContent = Pick<
  ReportRequest,
  'dataset' | 'platform' | 'definition' | 'page' | 'filters' | 'view' | 'unappliedFilters'
>;

/** Limits the computation of a report to the rows that its reader may see. */
export const createReportRequest = (
  { db, onFailure, signal }: Pick<ViewScope, 'db' | 'onFailure' | 'signal'>,
  { organizationId, userId }: Reader,
  visible: VisibleRows,
  content: ReportContent,
): ReportRequest => ({
  organizationId,
  userId,
  visibleRows: visible.rows,
  viewer: {
    email: [visible.email],
    hasEmailTwin: visible.hasEmailTwin,
    department: [visible.department],
    groups: visible.groups,
    companies: visible.companies,
  },
  isGranted: async (name) => (await listGranted(db, organizationId)).has(name),
  findDataset: (slug) => findDataset(db, organizationId, slug),
  onTileFailure: onFailure,
  signal,
  ...content,
});
