import type { ExportedTile } from '#platform';
import type { ExportRequest } from '#viewer/requests';

import { notAccessible } from '../access/refusals.ts';
import { isConflict } from '../db/query/conflicts.ts';
import { PortalError } from '../errors.ts';
import type { ReadingScope } from '../readings/reading.ts';
import { sessionEnded } from '../viewer-sessions/service.ts';
import { requireOwnView, type Session } from '../viewer-sessions/session.ts';
import { recordExport } from './exports-store.ts';
import { openAs } from './session-reading.ts';
import { writeCsv } from './tile-csv.ts';
import { writeXlsx } from './xlsx.ts';

/** Maximum rows of a file, and maximum cells of a workbook, which is built in memory. */
const maxRows = { csv: 500_000, xlsx: 100_000 };
const maxXlsxCells = 2_000_000;

/** A file: complete, or in pieces that are computed while it is sent. */
export type ExportedFile = Buffer | AsyncIterable<string>;

/**
 * Exports all groups of a tile, with the access and rows of the report, and writes an entry of the
 * access log. Checks the session, access and rows again before it returns and before each piece of a
 * CSV file, because a slow connection can receive it for minutes.
 *
 * @param scope `confirm` checks that the session has not ended
 * @throws as `viewReport`; `export_too_large`; `session_required`
 */
export async function exportFile(
  scope: ReadingScope & { confirm: () => Promise<unknown> },
  session: Session,
  reportId: string,
  { format, ...request }: ExportRequest,
): Promise<ExportedFile> {
  requireOwnView(session);
  const { report, reading, confirm } = await openAs(scope, session, reportId, 'refresh');
  const exported = await reading.exportRows(request);
  requireFit(exported, format);
  const confirmAll = async () => {
    await scope.confirm();
    await confirm();
  };
  const file =
    format === 'csv'
      ? writeCsv({ ...exported, rows: confirmEach(exported.rows, confirmAll) })
      : await reading.explain(writeXlsx(session, exported, scope.signal));
  await confirmAll();
  await recordExported(scope, session, report.id);
  return file;
}

async function* confirmEach<Batch>(
  batches: AsyncIterable<Batch>,
  confirm: () => Promise<void>,
): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    await confirm();
    yield batch;
  }
}

function requireFit({ columns, rowCount }: ExportedTile, format: ExportRequest['format']): void {
  const limit =
    format === 'csv'
      ? maxRows.csv
      : Math.min(maxRows.xlsx, Math.floor(maxXlsxCells / columns.length));
  if (rowCount <= limit) return;
  throw new PortalError(
    'export_too_large',
    `The file would have ${rowCount} rows, and at most ${limit} fit.`,
    { advice: format === 'csv' ? 'Filter the report.' : 'Download CSV, or filter the report.' },
  );
}

/** Writes the access log entry of a report that its reader exports or prints. */
export async function recordExported(
  { db }: Pick<ReadingScope, 'db'>,
  session: Session,
  reportId: string,
): Promise<void> {
  requireOwnView(session);
  if (session.reportId !== null && session.reportId !== reportId) throw notAccessible();
  // The write fails if the organization is deleted at the same moment, which ends the session.
  const isRecorded = await recordExport(db, session, reportId).catch((error: unknown) => {
    throw isConflict(error) ? sessionEnded() : error;
  });
  if (!isRecorded) throw notAccessible();
}
