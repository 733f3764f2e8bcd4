import { isDeepStrictEqual } from 'node:util';

import type { ExportRequest } from '#viewer/requests';

import { isConflict } from '../db/query/conflicts.ts';
import { PortalError } from '../errors.ts';
import { UnknownTileError, type ExportedTile } from '../platforms/platform.ts';
import { sessionEnded } from '../viewer-sessions/service.ts';
import { requireReader, type Session } from '../viewer-sessions/session.ts';
import { writeCsv } from './csv.ts';
import { recordExport } from './exports-store.ts';
import { explainFailure, notAccessible, readReport, type ViewScope } from './report.ts';
import { writeXlsx } from './xlsx.ts';

/** Maximum rows of a file, and maximum cells of a workbook, which is built in memory. */
const maxRows = { csv: 500_000, xlsx: 100_000 };
const maxXlsxCells = 2_000_000;

export interface ExportScope extends ViewScope {
  /** Checks that the session has not ended. */
  confirm: () => Promise<unknown>;
}

/** A file: complete, or in pieces that are computed while it is sent. */
export type ExportedFile = Buffer | AsyncIterable<string>;

/**
 * Exports all groups of a tile, with the access and rows of the report, and writes an entry of the
 * access log. Checks the session, access and rows again before it returns and before each piece of a
 * CSV file, because a slow connection can receive it for minutes.
 *
 * @throws as `viewReport`; `export_too_large`; `session_required`
 */
export async function exportTile(
  scope: ExportScope,
  session: Session,
  reportId: string,
  { tile, format, ...request }: ExportRequest,
): Promise<ExportedFile> {
  requireReader(session);
  const read = () => readReport(scope, session, reportId, { ...request, intent: 'refresh' });
  const { report, reportRequest, visible } = await read();
  const file = await writeFile();
  await scope.confirm();
  await recordExported(scope, session, report.id);
  return file;

  async function confirmRows() {
    await scope.confirm();
    const { visible: now } = await read();
    if (!isDeepStrictEqual(now, visible)) throw notAccessible();
  }

  async function writeFile() {
    try {
      const exported = await scope.platform.export({ ...reportRequest, tile });
      requireFit(exported, format);
      return format === 'csv'
        ? writeCsv({ ...exported, rows: confirmEach(exported.rows, confirmRows) })
        : await writeXlsx(session, exported, scope.signal);
    } catch (error) {
      if (error instanceof PortalError) throw error;
      if (error instanceof UnknownTileError)
        throw new PortalError('not_found', 'The report has no such tile to download.', {
          advice: 'Refresh the report, then try again.',
        });
      throw explainFailure(scope, error);
    }
  }
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
  { db }: Pick<ViewScope, 'db'>,
  session: Session,
  reportId: string,
): Promise<void> {
  requireReader(session);
  if (session.reportId !== null && session.reportId !== reportId) throw notAccessible();
  // The write fails if the organization is deleted at the same moment, which ends the session.
  const isRecorded = await recordExport(db, session, reportId).catch((error: unknown) => {
    throw isConflict(error) ? sessionEnded() : error;
  });
  if (!isRecorded) throw notAccessible();
}
