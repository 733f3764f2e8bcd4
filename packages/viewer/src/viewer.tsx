import './styles/viewer.css';
import { loadFormats } from './format/create-formats.ts';
import { loadHome } from './home/Home.tsx';
import { openFrameChannel } from './host-channel/frame-channel.ts';
import { loadFonts } from './host-channel/load-fonts.ts';
import { takeSession, waitForDocument } from './session/take-session.ts';
import { Sessions } from './show-sessions.tsx';

/** The document preloads the file. Its evaluation waits for a paint, because it would delay the numbers. */
const loadCharts = () =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    .then(() => import('./chart-code.ts'))
    .then(
      (module) => module.chartCode,
      () => null,
    );

// Loads before the session arrives, which is the last part of the document.
const ownFormats = loadFormats();

async function begin() {
  loadFonts();
  const isFramed = window.portalFrame !== undefined;
  // A reload of the shell must load the shell again.
  const isShell = location.pathname === '/embed';
  const channel = openFrameChannel(window.portalFrame);
  const host: { locale?: string | undefined } = {};
  void channel.connected.then(({ locale }) => (host.locale = locale));
  await waitForDocument();
  const session = takeSession();
  const page = document.getElementById('viewer');
  if (!page) return;
  let formats = await ownFormats;
  // The host has usually connected by now. A later locale replaces this one.
  const { locale } = host;
  if (locale !== undefined) formats = await loadFormats(locale).catch(() => formats);
  const sessions = new Sessions({
    page,
    channel,
    isFramed,
    loadCharts,
    showPath: (path) => isShell || history.replaceState(null, '', path),
    locale,
    formats,
    loadFormats,
  });
  // One after the other, as they arrive.
  let shown = Promise.resolve();
  const show: Sessions['show'] = (...opened) => {
    const isReady = opened[0].reportId === null ? loadHome().catch(() => {}) : undefined;
    shown = Promise.all([shown, isReady]).then(() => sessions.show(...opened));
  };
  if (session) show(session);
  channel.listen({
    session: show,
    message: (message) => void shown.then(() => sessions.receive(message)),
  });
}

// Not a top-level `await`, because the charts' module imports from this one and would wait for it.
void begin();
