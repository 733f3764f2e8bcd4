import type { Viewer } from '../create-viewer.ts';
import type { ViewerState } from '../viewer-state.ts';
import { preparePage } from './prepare-page.ts';
import { readOtherPages } from './read-other-pages.ts';
import { takeFrame } from './take-frame.ts';

/** Undoes `preparePage`. Set from the preparation until the print dialog is closed. */
let restore: (() => void) | undefined;

function prepare(viewer: Viewer, otherPages?: ViewerState['printedPages']): void {
  restore ??= preparePage(viewer, otherPages);
  addEventListener(
    'afterprint',
    () => {
      restore?.();
      restore = undefined;
    },
    { once: true },
  );
}

/** Whether the page itself cannot be printed as designed: it shows another product's report. */
const isFramed = (viewer: Viewer) => viewer.getState().view?.kind === 'frame';

/**
 * Prints all pages of the report, after an entry of the access log. The drawings are drawn again for
 * the sheet. Another product prints its report itself.
 */
export async function printReport(viewer: Viewer): Promise<void> {
  if (isFramed(viewer)) {
    await takeFrame(viewer, 'print');
    return;
  }
  let otherPages;
  try {
    await viewer.requestCopy('print', {});
    otherPages = await readOtherPages(viewer);
  } catch (error) {
    viewer.fail(error);
    return;
  }
  if (!otherPages) return;
  prepare(viewer, otherPages);
  // The drawings follow the new width in the first frame.
  await nextFrame();
  await nextFrame();
  for (let frame = 0; frame < maxFrames && hasAwaited(); frame += 1) await nextFrame();
  print();
  viewer.noteExported('print');
}

/** Code of tiles that only other pages have, such as pivots, has this many frames to load: about a minute. */
const maxFrames = 3_600;

const hasAwaited = () => document.querySelector('.report-content .drawing-awaited') !== null;

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Prints the report as designed if the reader uses the browser's keys or menu instead of the button. */
export function watchPrinting(viewer: Viewer, signal: AbortSignal): void {
  const isShown = () => viewer.getState().view !== null;
  addEventListener(
    'keydown',
    (event) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'p' || ctrlKey === metaKey || altKey || shiftKey || !isShown())
        return;
      event.preventDefault();
      void printReport(viewer);
    },
    { signal },
  );
  // The browser's menu prints at once: only the shown page, and the log entry is written meanwhile.
  addEventListener(
    'beforeprint',
    () => {
      if (restore || !isShown()) return;
      if (!isFramed(viewer)) prepare(viewer);
      void viewer.requestCopy('print', {}).then(() => viewer.noteExported('print'), viewer.fail);
    },
    { signal },
  );
}
