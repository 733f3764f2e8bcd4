import type { Viewer } from '../create-viewer.ts';
import { listFilters } from '../report/filter-names.ts';

import printStyles from './print.css?inline';

/** Width of the page while it is printed, in CSS pixels: that of a sheet in landscape. */
const sheetWidth = 980;

/**
 * Prints the shown page of the report, after an entry of the access log. The drawings are drawn again
 * for the sheet, in light colors.
 */
export async function printReport(viewer: Viewer): Promise<void> {
  try {
    await viewer.takeAway('print', {});
  } catch (error) {
    viewer.fail(error);
    return;
  }
  const { documentElement: root, body } = document;
  const { theme } = root.dataset;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(printStyles + describeSheets(viewer));
  document.adoptedStyleSheets.push(sheet);
  root.dataset['theme'] = 'light';
  body.style.width = `${sheetWidth}px`;
  const restore = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    if (theme === undefined) delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
    body.style.width = '';
  };
  addEventListener('afterprint', restore, { once: true });
  // The drawings follow the new width in the first frame.
  await nextFrame();
  await nextFrame();
  print();
  viewer.noteExported('print');
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** The head and foot of each sheet. */
function describeSheets(viewer: Viewer): string {
  const { session, view, formats } = viewer.getState();
  if (!view) return '';
  const { name } = view.report;
  const { lang } = document.documentElement;
  const moment = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });
  const title = view.page.name === '' ? name : `${name} – ${view.page.name}`;
  const facts = formats.formatMessage('print.facts', {
    reader: session.user.name,
    time: moment.format(new Date()),
  });
  const filters = listFilters(view, formats).map(
    ({ column, values }) => `${column} ${formats.formatEither(values)}`,
  );
  return `@page{@top-left{content:${quote(title)};font-weight:600}@top-right{content:${quote(filters.join(' · '))}}@bottom-left{content:${quote(facts)}}}`;
}

/** A string of CSS. */
const quote = (text: string) =>
  `"${text.replace(/["\\<\p{Cc}]/gu, (character) => `\\${character.codePointAt(0)!.toString(16)} `)}"`;
