import { createContext, useContext, useSyncExternalStore } from 'react';

import type { Viewer } from './create-viewer.ts';

export const ViewerContext = createContext<Viewer | null>(null);

/** The viewer and its current state. */
export function useViewer() {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error('useViewer belongs inside <ViewerApp>.');
  const state = useSyncExternalStore(viewer.subscribe, viewer.getState, viewer.getState);
  return { viewer, ...state.session, ...state };
}
