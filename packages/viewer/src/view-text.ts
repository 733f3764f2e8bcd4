import { maxViewLength } from '@portal-embed/contract/frame';

import { maxFrameViewLength } from './frames/held.ts';
import { emptyView, isEmptyView } from './report/filters/empty-view.ts';
import type {
  ReaderFilter,
  ReaderView,
  TileDrill,
  TileSearch,
  TileSort,
} from './requests/reader-view.ts';
import type { ViewerSession } from './requests/viewer.ts';

/** As in the service, which shows the first page instead of one that the report lacks. */
const maxPageIndex = 1_000;

/** What the reader sees: a report or the overview (`null`), its page, and the reader's choices. */
export interface ShownView {
  reportId: string | null;
  pageIndex: number;
  readerView: ReaderView;
  /** The choices in a frame of another product. */
  frameView: string;
}

/** Writes a view as text for the host. If that is too long, it leaves out the choices. */
export function writeView(
  session: ViewerSession,
  { reportId, pageIndex, readerView, frameView }: ShownView,
): string {
  const isEmpty = isEmptyView(readerView) && frameView === '';
  if (isEmpty && pageIndex === 0 && reportId === session.reportId) return '';
  const { filters, sorts, drills, searches = [] } = readerView;
  // A view without the last parts is shorter.
  const rest = searches.length > 0 ? [frameView, searches] : frameView === '' ? [] : [frameView];
  const bytes = new TextEncoder().encode(
    JSON.stringify([reportId, pageIndex, filters, sorts, drills, ...rest]),
  );
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  if (text.length <= maxViewLength) return text;
  return writeView(session, { reportId, pageIndex, readerView: emptyView, frameView: '' });
}

/**
 * Reads a view from a link, which anybody can write. Returns `undefined` if this session cannot show
 * it. The service checks whether the choices fit the report.
 */
export function readView(session: ViewerSession, text: string): ShownView | undefined {
  if (text === '')
    return { reportId: session.reportId, pageIndex: 0, readerView: emptyView, frameView: '' };
  if (text.length > maxViewLength) return undefined;
  try {
    const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const [reportId, pageIndex, filters, sorts, drills, frameView = '', searches = []] = JSON.parse(
      new TextDecoder().decode(bytes),
    ) as [string | null, number, ReaderFilter[], TileSort[], TileDrill[], string?, TileSearch[]?];
    const isPlace =
      isOpenable(session, reportId) &&
      Number.isSafeInteger(pageIndex) &&
      pageIndex >= 0 &&
      pageIndex <= maxPageIndex &&
      filters.every(({ field, values }) => isText(field) && values.every(isKey)) &&
      sorts.every(({ tile, keys = [] }) => isText(tile) && keys.every(isKey)) &&
      searches.every(({ tile, text: sought }) => isText(tile) && isText(sought)) &&
      drills.every(({ path }) => path.every(isKey)) &&
      isText(frameView) &&
      frameView.length <= maxFrameViewLength;
    const readerView = {
      filters,
      sorts,
      drills,
      ...(searches.length > 0 && { searches }),
    };
    return isPlace ? { reportId, pageIndex, readerView, frameView } : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown) => typeof value === 'string';

const isKey = (value: unknown) => value === null || typeof value !== 'object';

const isOpenable = ({ reportId, reports }: ViewerSession, id: string | null) =>
  id === null ? reportId === null : reports.some((report) => report.id === id);
