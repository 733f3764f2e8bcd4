import type { Tile } from '@portal-embed/report-model';
import { ServiceError } from 'page-kit/service-error';

import type { Viewer } from '../create-viewer.ts';
import type { ExportRequest } from '../requests/viewer.ts';
import { paintTile } from './paint-tile.ts';

export type TileFormat = ExportRequest['format'] | 'png';

/** Errors after which the report may no longer be shown. */
const ending: ReadonlySet<string> = new Set(['session_required', 'report_not_accessible']);

/** Saves a tile as a file of the reader's browser. `element` is the tile's box. */
export async function downloadTile(
  viewer: Viewer,
  tile: Pick<Tile, 'id' | 'title'>,
  format: TileFormat,
  element: HTMLElement,
): Promise<void> {
  const { view, pageIndex: page, readerView } = viewer.getState();
  const file =
    format === 'png'
      ? await paint(element)
      : await download(viewer, { tile: tile.id, format, page, view: readerView });
  saveFile(file, nameFile(view?.report.name ?? '', tile.title, format));
  viewer.noteExported(format);
}

async function paint(element: HTMLElement): Promise<Blob> {
  try {
    return await paintTile(element);
  } catch {
    throw new ServiceError('internal_error');
  }
}

async function download(viewer: Viewer, request: ExportRequest): Promise<Blob> {
  try {
    const response = await viewer.requestCopy('export', request);
    return await response.blob();
  } catch (error) {
    // The portal closes the connection if it cannot finish a file.
    const problem = error instanceof ServiceError ? error : new ServiceError('unreachable');
    if (ending.has(problem.code)) viewer.fail(problem);
    throw problem;
  }
}

/** Letters, digits, and signs that every file system allows. */
const unsafe = /[^\p{L}\p{M}\p{N} _.,;()[\]{}+=&%$#@!~'’–€£-]+/gu;

/** Names a file after its report and tile. */
export function nameFile(report: string, title: string, format: string): string {
  const name = [report, title].filter((part) => part !== '').join(' - ');
  return `${name.replace(unsafe, '-').slice(0, 120)}.${format}`;
}

function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has begun to read the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
