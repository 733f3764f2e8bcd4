import { maxRecent } from './requests/viewer.ts';
import type { PortalApi } from './session/portal-api.ts';
import type { ViewerState } from './viewer-state.ts';

type Marks = Pick<ViewerState, 'favorites' | 'recent'>;

interface MarksParts {
  getMarks: () => Marks;
  change: (marks: Partial<Marks>) => void;
  setFavorite: PortalApi['setFavorite'];
  fail: (error: unknown) => void;
}

/** The favorites of the reader, and the reports opened last. */
export function createMarks({ getMarks, change, setFavorite, fail }: MarksParts) {
  const lifetime = new AbortController();
  const show = (reportId: string, isFavorite: boolean) => {
    const others = getMarks().favorites.filter((id) => id !== reportId);
    change({ favorites: isFavorite ? [...others, reportId] : others });
  };

  return {
    /** Shows the change at once, and undoes it if the service refuses. */
    async toggleFavorite(reportId: string) {
      const isFavorite = !getMarks().favorites.includes(reportId);
      show(reportId, isFavorite);
      try {
        await setFavorite(reportId, { isFavorite }, lifetime.signal);
      } catch (error) {
        if (lifetime.signal.aborted) return;
        show(reportId, !isFavorite);
        fail(error);
      }
    },
    noteOpened(reportId: string) {
      const others = getMarks().recent.filter((id) => id !== reportId);
      change({ recent: [reportId, ...others].slice(0, maxRecent) });
    },
    stop: () => lifetime.abort(),
  };
}
