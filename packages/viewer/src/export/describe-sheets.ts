import type { Viewer } from '../create-viewer.ts';
import { listFilters } from '../format/list-filters.ts';
import type { ViewerState } from '../viewer-state.ts';

/** The head and foot of each sheet. A sheet of several pages is headed by the report alone. */
export function describeSheets(
  viewer: Viewer,
  otherPages: ViewerState['printedPages'] = [],
): string {
  const { session, view, formats } = viewer.getState();
  if (view?.kind !== 'tiles') return '';
  const { name } = view.report;
  const moment = new Intl.DateTimeFormat(formats.locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const title =
    view.page.name === '' || otherPages.length > 0 ? name : `${name} – ${view.page.name}`;
  const facts = formats.formatMessage('print.facts', {
    reader: session.user.name,
    time: moment.format(new Date()),
  });
  const filters = listFilters(view, formats).map(
    ({ column, values }) => `${column} ${formats.formatEither(values)}`,
  );
  const [start, end] = formats.isRightToLeft ? ['right', 'left'] : ['left', 'right'];
  const boxes = {
    [`top-${start}`]: `content:${quote(title)};font-weight:600`,
    [`top-${end}`]: fitFilters(filters.join(' · ')),
    [`bottom-${start}`]: `content:${quote(facts)}`,
    [`bottom-${end}`]: "content:counter(page) ' / ' counter(pages)",
  };
  const rules = Object.entries(boxes).map(([box, style]) => `@${box}{${style}}`);
  return `@page{${rules.join('')}}`;
}

/** The margin has room for a thousand small characters. */
const most = 1_000;

function fitFilters(text: string): string {
  const size = text.length < 150 ? 9 : text.length < 400 ? 7 : 5;
  return `content:${quote(text.length > most ? `${text.slice(0, most)}…` : text)};font-size:${size}pt`;
}

/** A string of CSS. */
const quote = (text: string) =>
  `"${text.replace(/["\\<\p{Cc}]/gu, (character) => `\\${character.codePointAt(0)!.toString(16)} `)}"`;
