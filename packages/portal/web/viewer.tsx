import { createRoot } from 'react-dom/client';

import './styles/viewer.css';
import { openFrameChannel } from './frame/frame-channel.ts';
import { reportHeight } from './frame/report-height.ts';
import { createPortalApi } from './session/portal-api.ts';
import { takeSession } from './session/take-session.ts';
import { createViewer } from './viewer/create-viewer.ts';
import { ViewerApp } from './viewer/ViewerApp.tsx';

/** How long the first request waits for a host's wishes, in milliseconds, before going without. */
const connectPatience = 250;

const session = takeSession();
const page = document.getElementById('viewer');
if (session && page) {
  const charts = import('./charts/draw-series.ts').then(
    (module) => module.drawSeries,
    () => null,
  );
  const channel = openFrameChannel(window.portalFrame?.connected);
  const viewer = createViewer({
    session,
    api: createPortalApi(session.bearer),
    post: channel.post,
    loadCharts: () => charts,
  });
  channel.listen(viewer.receive);
  createRoot(page).render(<ViewerApp viewer={viewer} />);

  void channel.connected.then(({ autoHeight }) => {
    if (!autoHeight) return;
    document.documentElement.dataset['autoHeight'] = '';
    reportHeight(page, channel.post);
  });

  // A place to restore must be known before the first request, or that one is for nothing.
  const patience = window.portalFrame ? connectPatience : 0;
  const connect = await Promise.race([
    channel.connected,
    new Promise<undefined>((resolve) => setTimeout(resolve, patience)),
  ]);
  viewer.start(connect?.state);
  if (!connect) void channel.connected.then(({ state }) => state && viewer.start(state));
}
