import { readSheet } from 'read-excel-file/node';
import { send, type Answer } from 'test-support';

import type { ExportRequest } from '#viewer/requests';

interface Exporting {
  bearer: string;
  reportId: string;
  json: ExportRequest;
}

/** Requests a file as the viewer page does. */
export const exportTile = (
  address: string,
  { bearer, reportId, json }: Exporting,
): Promise<Answer> =>
  send(`${address}/viewer/reports/${reportId}/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    json,
  });

/** The cells of an exported file as text, with days in ISO 8601. Its texts must not need quotes. */
export async function readExported(
  format: ExportRequest['format'],
  { body, bytes }: Answer,
): Promise<string[][]> {
  if (format === 'csv')
    return body
      .replace('\uFEFF', '')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
  const rows = await readSheet(bytes);
  return rows.map((row) =>
    row.map((cell) => {
      if (cell instanceof Date) return cell.toISOString().slice(0, 10);
      return cell === null ? '' : String(cell);
    }),
  );
}
