import { flushSync } from 'react-dom';

import type { Viewer } from '../create-viewer.ts';
import type { ViewerState } from '../viewer-state.ts';
import { describeSheets } from './describe-sheets.ts';

import printStyles from './print.css?inline';

/** Width of the page while it is printed, in CSS pixels: that of the narrower sheet in landscape. */
const sheetWidth = 960;

/**
 * Lays the page out for sheets: in light colors, with all rows of its tables. Synchronous, because a
 * `beforeprint` listener cannot wait.
 *
 * @param otherPages the pages of the report beside the shown one. Default: only this one is printed
 * @returns a function that restores the page
 */
export function preparePage(viewer: Viewer, otherPages?: ViewerState['printedPages']): () => void {
  const { documentElement: root, body } = document;
  const { theme } = root.dataset;
  // Its place over the page has no sheets.
  for (const tile of document.querySelectorAll<HTMLElement>('.tile[popover]')) tile.hidePopover();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(printStyles + describeSheets(viewer, otherPages));
  document.adoptedStyleSheets.push(sheet);
  root.dataset['theme'] = 'light';
  body.style.width = `${sheetWidth}px`;
  flushSync(() => viewer.setPrinting(true, otherPages));
  const shrunk = shrinkTables();
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    if (theme === undefined) delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
    body.style.width = '';
    for (const table of shrunk) table.style.zoom = '';
    viewer.setPrinting(false);
  };
}

/** A sheet does not scroll, so wide tables shrink. */
function shrinkTables(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.table-scroll')].flatMap((scroll) => {
    const table = scroll.querySelector('table')!;
    if (scroll.scrollWidth <= scroll.clientWidth) return [];
    // Rounded letters can make the shrunk table a little wider.
    table.style.zoom = String((0.97 * scroll.clientWidth) / scroll.scrollWidth);
    return [table];
  });
}
