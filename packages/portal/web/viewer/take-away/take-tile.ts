import type { Tile } from '@portal-embed/report-model';

import type { ExportRequest } from '../../../wire/viewer.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { Viewer } from '../create-viewer.ts';
import { paintTile } from './paint-tile.ts';

export type TileFormat = ExportRequest['format'] | 'png';

/** Refusals that end what is shown. */
const ending: ReadonlySet<string> = new Set(['session_required', 'report_not_accessible']);

/** Saves a tile as a file of the reader's browser. `element` is the tile's box. */
export async function takeTile(
  viewer: Viewer,
  tile: Pick<Tile, 'id' | 'title'>,
  format: TileFormat,
  element: HTMLElement,
): Promise<void> {
  const { view, pageIndex: page, readerView } = viewer.getState();
  const file =
    format === 'png'
      ? await paintTile(element)
      : await download(viewer, { tile: tile.id, format, page, view: readerView });
  saveFile(file, nameFile(view?.report.name ?? '', tile.title, format));
  viewer.noteExported(format);
}

async function download(viewer: Viewer, request: ExportRequest): Promise<Blob> {
  try {
    const response = await viewer.takeAway('export', request);
    return await response.blob();
  } catch (error) {
    // The portal breaks off a file that it cannot finish.
    const problem = error instanceof ServiceError ? error : new ServiceError('unreachable');
    if (ending.has(problem.code)) viewer.fail(problem);
    throw problem;
  }
}

/** Names a file after its report and tile, without characters that a file system refuses. */
export function nameFile(report: string, title: string, format: string): string {
  const name = [report, title].filter((part) => part !== '').join(' - ');
  // oxlint-disable-next-line no-control-regex -- control characters are what it removes
  const safe = name.replace(/[\u0000-\u001f\u007f\\/:*?"<>|]+/g, '-').slice(0, 120);
  return `${safe}.${format}`;
}

function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has begun to read the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
