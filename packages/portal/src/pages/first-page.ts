import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Request } from 'express';

import { QueryTurns, type Owner } from '#report-engine';
import { HelperProcesses } from '#server-kit';

import type { Assets } from './assets.ts';
import type { Language } from './languages.ts';

/**
 * Whether the service draws the page of a report. A page in a frame is not drawn, because the theme and
 * language of its host are not known yet.
 */
export const isFirstPageDrawn = (req: Request, { firstPage }: Assets): boolean =>
  firstPage !== undefined && req.get('Sec-Fetch-Dest') === 'document';

/** A message to the process that draws. */
export interface DrawTask {
  /** Path of the module that draws. */
  module: string;
  /** The session as JSON. */
  session: string;
  language: Language;
  languages: readonly string[];
}

/** The program next to this file: TypeScript from sources, JavaScript when built. */
const program = fileURLToPath(
  new URL(`first-page-process${path.extname(import.meta.url)}`, import.meta.url),
);

/** Drawing parses the Markdown of authors, which can take seconds. */
const processes = new HelperProcesses<DrawTask, { html: string } | { failed: string }>({
  program,
  maxIdle: 1,
  idleMs: 600_000,
  execArgv: ['--max-old-space-size=256'],
});

/** Each organization draws one page at a time. */
const turns = new QueryTurns({ concurrency: 2, perOrganization: 1, perUser: 1 });

/** The scripts draw a page that takes longer, and are ready by then. */
const maxMs = 2_000;

/** Characters of a session. The scripts draw a larger one sooner. */
const maxCharacters = 1_000_000;

/**
 * Draws a report as HTML, so that the numbers are visible before a script has loaded. Returns an empty
 * text if there is nothing to draw.
 *
 * @param session as JSON
 */
export async function drawFirstPage(
  req: Request,
  { firstPage: module }: Assets,
  language: Language,
  owner: Owner,
  session: string,
): Promise<string> {
  if (module === undefined || session.length > maxCharacters) return '';
  const signal = AbortSignal.timeout(maxMs);
  try {
    const languages = req.acceptsLanguages();
    const task = { module, session, language, languages };
    const answer = await turns.run(owner, signal, () => processes.run(task, signal));
    if ('html' in answer) return answer.html;
    throw new Error(answer.failed);
  } catch (error) {
    // The scripts of the page draw it anyway.
    req.logFailure(error, 'the first page could not be drawn');
    return '';
  }
}
