import type { Viewer } from '../create-viewer.ts';
import type { ViewerState } from '../viewer-state.ts';

type Pages = ViewerState['printedPages'];

/**
 * Computes the pages of the report beside the shown one, with the reader's choices, one after the other.
 * Returns `undefined` if the reader has gone on in the meantime.
 *
 * @throws `ServiceError` if one of them cannot be computed
 */
export async function readOtherPages(viewer: Viewer): Promise<Pages | undefined> {
  const { view, reportId, readerView } = viewer.getState();
  if (view?.kind !== 'tiles' || view.pages.length < 2) return [];
  const { beginRequest, change, viewReport } = viewer.frameParts;
  const signal = beginRequest();
  change({ loading: true });
  const pages: Pages[number][] = [];
  try {
    for (const page of view.pages.keys()) {
      if (page === view.page.index) continue;
      const request = { intent: 'refresh', page, view: readerView } as const;
      const answer = await viewReport(reportId!, request, signal);
      if (answer.kind === 'tiles' && answer.page.index === page) pages.push(answer.page);
      if (signal.aborted) return undefined;
    }
    return pages;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    if (!signal.aborted) change({ loading: false });
  }
}
