import type { ViewerSession, ViewerSessionElementId } from '../../wire/viewer.ts';

const elementId: ViewerSessionElementId = 'viewer-session';

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
