import { notAccessible } from '../access/refusals.ts';
import { findVisibleRows, type VisibleRows } from '../access/visible-rows.ts';
import { findReportSource, type ReportSource } from '../catalogue/store.ts';
import type { Database } from '../db/connection/open.ts';
import { changing } from './failures.ts';

const maxReads = 10;

/**
 * Reads the content of a report and the rows that the user may see. Reads again if content is applied
 * in between, so that rows of one version are never filtered by roles of another.
 *
 * @throws `report_not_accessible`; `overloaded`
 */
export async function readSourceAndRows(
  db: Database,
  reader: { organizationId: string; userId: string },
  reportId: string,
): Promise<{ source: ReportSource; visible: VisibleRows }> {
  for (let read = 1; read <= maxReads; read += 1) {
    const source = await findReportSource(db, reader.organizationId, reportId);
    if (!source) throw notAccessible();
    const visible = await findVisibleRows(db, { ...reader, datasetId: source.dataset_id });
    if (!visible) throw notAccessible();
    if (visible.version === source.dataset_version) return { source, visible };
  }
  throw changing();
}
