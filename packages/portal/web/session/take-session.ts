import type { ViewerSession, ViewerSessionElementId } from '../../wire/viewer.ts';

const elementId: ViewerSessionElementId = 'viewer-session';

/**
 * Resolves when the document is whole and in its style. The script begins before: the data that
 * ends the document is computed while the script is fetched and run.
 */
export const documentIsThere = () =>
  new Promise<void>((resolve) => {
    const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
    const look = () => {
      const isStyled = styles.every(({ sheet }) => sheet);
      // A style sheet that failed is waited for no longer than the page's other parts.
      const { readyState } = document;
      if (readyState === 'complete' || (isStyled && readyState === 'interactive')) resolve();
    };
    document.addEventListener('readystatechange', look);
    for (const style of styles) style.addEventListener('load', look);
    look();
  });

/**
 * Takes the session out of the document, so that the bearer is in memory alone, and strips the
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
