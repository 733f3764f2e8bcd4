import type { Catalogue } from 'page-kit/messages/catalogue';
import { renderToString } from 'react-dom/server';

import type { Viewer } from './create-viewer.ts';
import { createFormats } from './format/create-formats.ts';
import { pageIndexOf } from './page-index.ts';
import type { ViewerSession } from './requests/viewer.ts';
import { createState } from './viewer-state.ts';
import { ViewerApp } from './ViewerApp.tsx';

/**
 * Draws the page of a session for one report as HTML, for the service: readers see the first numbers
 * before a script has loaded.
 *
 * @param languages BCP 47 tags of the reader's languages, the preferred first
 */
export function renderFirstPage(
  session: ViewerSession,
  catalogue: Catalogue,
  languages: readonly string[],
): string {
  const { view } = session;
  const state = {
    ...createState(session, createFormats(undefined, catalogue, languages)),
    view,
    pageIndex: pageIndexOf(view) ?? 0,
    loading: false,
  };
  // Rendering to HTML calls no other method.
  const viewer = { getState: () => state, subscribe: () => () => {} };
  return renderToString(<ViewerApp viewer={viewer as unknown as Viewer} />);
}
