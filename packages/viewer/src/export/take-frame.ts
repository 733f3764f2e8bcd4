import type { FileFormat } from '@portal-embed/contract/frame';

import type { Viewer } from '../create-viewer.ts';

/**
 * Has the product of the shown frame save a file or print, after an entry of the access log. Does
 * nothing if the product cannot, or the reader may not.
 */
export async function takeFrame(viewer: Viewer, format: FileFormat | 'print'): Promise<void> {
  const { view, frame } = viewer.getState();
  if (view?.kind !== 'frame' || !view.canTakeAway) return;
  if (!frame || !(format === 'print' ? frame.canPrint : frame.canExport)) return;
  try {
    await viewer.requestCopy('print', {});
  } catch (error) {
    viewer.fail(error);
    return;
  }
  frame.exportAs(format);
  viewer.noteExported(format);
}
