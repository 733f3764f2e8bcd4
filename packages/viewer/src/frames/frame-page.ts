/**
 * Script of `/frames/{platform}`: runs the platform's page half for the viewer's page that frames it.
 * The page is loaded anew for each reader and report, so nothing of an earlier reader remains in it.
 */
import type { FrameAdapter, FrameRequest, ShownFrame } from 'platform/page';

import type { FrameLoaded, FrameMessage, ViewerConnect, ViewerMessage } from './frame-messages.ts';

const styles = new CSSStyleSheet();
styles.replaceSync('html,body,#frame{height:100%;margin:0}iframe{display:block;border:0}');
document.adoptedStyleSheets.push(styles);

const { origin } = location;
const adapterPath = `${location.pathname}/adapter.js`;
// It begins to load at once.
const adapter = import(/* @vite-ignore */ adapterPath).then(
  (module: { default: FrameAdapter }) => module.default,
);

function start(port: MessagePort): void {
  let shown: ShownFrame | undefined;
  let latest: FrameRequest | undefined;
  const post = (message: FrameMessage) => port.postMessage(message);
  const fail = (reason: unknown) => {
    // For the log of the browser.
    reportError(reason);
    post({ type: 'failed' });
  };

  const show = async (request: FrameRequest) => {
    const isFirst = !latest;
    latest = request;
    // Frames with another color scheme than that of the page around them have a background.
    document.documentElement.style.colorScheme = request.theme;
    if (!isFirst) {
      shown?.update(request);
      return;
    }
    document.documentElement.lang = request.locale;
    try {
      const { show: showReport } = await adapter;
      let isReady = false;
      const sendReady = () => {
        if (!shown || !isReady) return;
        const { exportAs, print } = shown;
        post({ type: 'ready', canExport: Boolean(exportAs), canPrint: Boolean(print) });
      };
      const first = latest;
      shown = showReport(document.getElementById('frame')!, first, {
        onReady: () => {
          isReady = true;
          sendReady();
        },
        onFailed: fail,
        onView: (view) => post({ type: 'view', view }),
        onSelected: (selection) => post({ type: 'selected', ...selection }),
        onExported: () => post({ type: 'exported' }),
        onExpired: () => post({ type: 'expired' }),
      });
      // The adapter may be ready before it returns.
      sendReady();
      if (latest !== first) shown.update(latest);
    } catch (error) {
      fail(error);
    }
  };

  port.addEventListener('message', ({ data: message }: MessageEvent<ViewerMessage>) => {
    if (message.type === 'show') void show(message.request);
    else if (message.type === 'refresh') shown?.refresh();
    else if (message.type === 'export') shown?.exportAs?.(message.format);
    else shown?.print?.();
  });
  port.start();
  window.addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented) post({ type: 'key', key });
  });
}

// Only the portal's own page may send a report.
if (window.parent !== window) {
  const receive = ({ source, origin: sender, data, ports: [port] }: MessageEvent) => {
    if (source !== window.parent || sender !== origin || !port) return;
    if ((data as Partial<ViewerConnect> | null)?.type !== 'viewer-connect') return;
    window.removeEventListener('message', receive);
    start(port);
  };
  window.addEventListener('message', receive);
  const loaded: FrameLoaded = { type: 'frame-loaded' };
  window.parent.postMessage(loaded, origin);
}
