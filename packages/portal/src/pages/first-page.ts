import { pathToFileURL } from 'node:url';

import type { Request } from 'express';

import type { ViewerSession } from '#wire/viewer.ts';

import type { Assets } from './assets.ts';
import type { Language } from './languages.ts';

/** What `web/first-page.tsx` exports. */
interface FirstPageModule {
  renderFirstPage: (
    session: ViewerSession,
    catalogue: Language,
    languages: readonly string[],
  ) => string;
}

/**
 * Whether the service draws the page of a report. A page in a frame is not drawn, because the theme and
 * language of its host are not known yet.
 */
export const isFirstPageDrawn = (req: Request, { firstPage }: Assets): boolean =>
  firstPage !== undefined && req.get('Sec-Fetch-Dest') === 'document';

/**
 * Draws a report as HTML, so that the numbers are visible before a script has loaded. Returns an empty
 * text if there is nothing to draw.
 */
export async function drawFirstPage(
  req: Request,
  { firstPage }: Assets,
  language: Language,
  session: ViewerSession,
): Promise<string> {
  if (firstPage === undefined || !session.view) return '';
  try {
    const module = (await import(pathToFileURL(firstPage).href)) as FirstPageModule;
    return module.renderFirstPage(session, language, req.acceptsLanguages());
  } catch (error) {
    // The scripts of the page draw it anyway.
    req.logFailure(error, 'the first page could not be drawn');
    return '';
  }
}
