/** Draws one first page after another, until the portal disconnects. */
import { pathToFileURL } from 'node:url';

import type { ViewerSession } from '#viewer/requests';

import type { DrawTask } from './first-page.ts';
import type { Language } from './languages.ts';

/** What `packages/viewer/src/first-page.tsx` exports. */
interface FirstPageModule {
  renderFirstPage: (
    session: ViewerSession,
    catalogue: Language,
    languages: readonly string[],
  ) => string;
}

process.on('message', ({ module, session, language, languages }: DrawTask) => {
  const draw = async () => {
    const { renderFirstPage } = (await import(pathToFileURL(module).href)) as FirstPageModule;
    return renderFirstPage(JSON.parse(session) as ViewerSession, language, languages);
  };
  draw().then(
    (html) => process.send?.({ html }),
    (error: unknown) =>
      process.send?.({ failed: error instanceof Error ? error.stack : String(error) }),
  );
});

// Terminals and supervisors also signal this process, but the portal needs it to finish requests.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
