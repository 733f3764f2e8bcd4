import { createRoot } from 'react-dom/client';

import type { ViewerSession } from '../wire/viewer.ts';

import './styles/viewer.css';
import { openFrameChannel } from './frame/frame-channel.ts';
import { reportHeight } from './frame/report-height.ts';
import { createPortalApi } from './session/portal-api.ts';
import { documentIsThere, takeSession } from './session/take-session.ts';
import { createViewer } from './viewer/create-viewer.ts';
import { ViewerApp } from './viewer/ViewerApp.tsx';

/** How long the first request waits for the host's wishes, in milliseconds, before it goes. */
const connectPatience = 250;

// The session comes last in the document, so all that needs none is done ahead of it.
const charts = import('./charts/draw-series.ts').then(
  (module) => module.drawSeries,
  () => null,
);

async function showViewer(session: ViewerSession, page: Element) {
  const channel = openFrameChannel(window.portalFrame?.connected);
  const viewer = createViewer({
    session,
    api: createPortalApi(session.bearer),
    post: channel.post,
    loadCharts: () => charts,
  });
  channel.listen(viewer.receive);
  addEventListener('scroll', viewer.noteScrolled);
  createRoot(page).render(<ViewerApp viewer={viewer} />);
  void viewer.preview();

  // A place to restore must be known before the first request, or that one is for nothing.
  const impatience = setTimeout(viewer.start, window.portalFrame ? connectPatience : 0);
  const { autoHeight, state } = await channel.connected;
  clearTimeout(impatience);
  if (autoHeight) {
    document.documentElement.dataset['autoHeight'] = '';
    reportHeight(page, channel.post);
  }
  viewer.start(state);
}

async function begin() {
  await documentIsThere();
  const session = takeSession();
  const page = document.getElementById('viewer');
  if (session && page) await showViewer(session, page);
}

// No top-level `await`: the charts' code imports from this module and would wait for it.
void begin();
