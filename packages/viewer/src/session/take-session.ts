import type { ViewerSession, ViewerSessionElementId } from '../requests/viewer.ts';

const elementId: ViewerSessionElementId = 'viewer-session';

/**
 * Resolves when the document is parsed and its style sheets have loaded or failed. The script starts
 * earlier, because the service computes the last part of the document while the script loads.
 */
export const waitForDocument = () =>
  new Promise<void>((resolve) => {
    const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
    const check = () => {
      const isStyled = styles.every(({ sheet }) => sheet);
      // A style sheet that fails to load never has a `sheet`; `complete` ends the wait for it.
      const { readyState } = document;
      if (readyState === 'complete' || (isStyled && readyState === 'interactive')) resolve();
    };
    document.addEventListener('readystatechange', check);
    for (const style of styles) style.addEventListener('load', check);
    check();
  });

/**
 * Removes the session from the document, so that the bearer exists only in memory, and removes the
 * token from the address bar.
 */
export function takeSession(): ViewerSession | null {
  const block = document.getElementById(elementId);
  if (!block) return null;
  block.remove();
  const session = JSON.parse(block.textContent) as ViewerSession;
  history.replaceState(null, '', session.path);
  return session;
}
