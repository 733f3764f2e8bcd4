import { createRoot } from 'react-dom/client';

import type { ViewerSession } from '../wire/viewer.ts';

import './viewer/styles/viewer.css';
import { createViewer } from './viewer/create-viewer.ts';
import { openFrameChannel } from './viewer/frame/frame-channel.ts';
import { reportHeight } from './viewer/frame/report-height.ts';
import { createPortalApi } from './viewer/session/portal-api.ts';
import { waitForDocument, takeSession } from './viewer/session/take-session.ts';
import { ViewerApp } from './viewer/ViewerApp.tsx';

/** Longest time, in milliseconds, that the first request waits for the host's `connect`. */
const connectTimeoutMs = 250;

// Loads before the session arrives, which is the last part of the document.
const charts = import('./viewer/charts/draw-series.ts').then(
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

  // The host may restore another report, so the first request waits for its message.
  const timer = setTimeout(viewer.start, window.portalFrame ? connectTimeoutMs : 0);
  const { autoHeight, state } = await channel.connected;
  clearTimeout(timer);
  if (autoHeight) {
    document.documentElement.dataset['autoHeight'] = '';
    reportHeight(page, channel.post);
  }
  viewer.start(state);
}

async function begin() {
  await waitForDocument();
  const session = takeSession();
  const page = document.getElementById('viewer');
  if (session && page) await showViewer(session, page);
}

// Not a top-level `await`, because the charts' module imports from this one and would wait for it.
void begin();
