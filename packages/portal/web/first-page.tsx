import { renderToString } from 'react-dom/server';

import type { ViewerSession } from '../wire/viewer.ts';
import type { Catalogue } from './shared/messages/catalogue.ts';
import type { Viewer } from './viewer/create-viewer.ts';
import { createFormats } from './viewer/format/create-formats.ts';
import { createState } from './viewer/viewer-state.ts';
import { ViewerApp } from './viewer/ViewerApp.tsx';

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
    pageIndex: view?.page.index ?? 0,
    loading: false,
  };
  // Rendering to HTML calls no other method.
  const viewer = { getState: () => state, subscribe: () => () => {} };
  return renderToString(<ViewerApp viewer={viewer as unknown as Viewer} />);
}
