import type { HostMessage } from '@portal-embed/contract/frame';

import type { Viewer } from '../create-viewer.ts';
import { downloadTile } from './download-tile.ts';
import { printReport } from './print-report.ts';
import { takeFrame } from './take-frame.ts';

type ExportMessage = Extract<HostMessage, { type: 'export' | 'print' }>;

/** Exports a tile of the shown page or another product's report, or prints it, as the host requests. */
export async function answerHost(viewer: Viewer, message: ExportMessage): Promise<void> {
  if (message.type === 'print') {
    if (viewer.getState().view) await printReport(viewer);
    return;
  }
  const { view } = viewer.getState();
  if (view?.kind === 'frame') {
    await takeFrame(viewer, message.format);
    return;
  }
  const tiles = view?.kind === 'tiles' ? view.page.rows.flat() : [];
  const tile = tiles.find(
    (each) =>
      each.type !== 'text' &&
      !('failure' in each) &&
      (message.tile === undefined || each.title === message.tile),
  );
  const element =
    tile && document.querySelector<HTMLElement>(`[data-tile="${CSS.escape(tile.id)}"]`);
  if (!element) return;
  await downloadTile(viewer, tile, message.format, element).catch(viewer.fail);
}
