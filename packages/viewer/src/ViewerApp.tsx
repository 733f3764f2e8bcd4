import type { Viewer } from './create-viewer.ts';
import { ViewerContext } from './viewer-context.ts';
import { ViewerPage } from './ViewerPage.tsx';

export const ViewerApp = ({ viewer }: { viewer: Viewer }) => (
  <ViewerContext value={viewer}>
    <ViewerPage />
  </ViewerContext>
);
