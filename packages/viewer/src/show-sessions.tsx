import type { ConnectMessage, FrameOptions, HostMessage } from '@portal-embed/contract/frame';
import { createRoot } from 'react-dom/client';

import type { ChartCode } from './chart-code.ts';
import { createViewer, type Viewer } from './create-viewer.ts';
import { applyLanguage } from './format/apply-language.ts';
import type { Formats } from './format/create-formats.ts';
import { applyLook } from './frame/apply-look.ts';
import type { FrameChannel } from './frame/frame-channel.ts';
import { reportHeight } from './frame/report-height.ts';
import type { ViewerSession } from './requests/viewer.ts';
import { createPortalApi } from './session/portal-api.ts';
import { ViewerApp } from './ViewerApp.tsx';

/** Longest time, in milliseconds, that the first request waits for the host's `connect`. */
const connectTimeoutMs = 250;

export interface SessionsParts {
  /** Contains the viewer. A change of user replaces it. */
  page: Element;
  channel: FrameChannel;
  /** Whether the page is in a frame, so that a host may connect. */
  isFramed: boolean;
  loadCharts: () => Promise<ChartCode | null>;
  /** Shows the path of the open report in the address bar. */
  showPath: (path: string) => void;
  /** The host's locale at the start; `undefined` if there is none, or the host has not connected. */
  locale?: string | undefined;
  /** Texts and formats of `locale`. */
  formats: Formats;
  loadFormats: (locale: string | undefined) => Promise<Formats>;
}

/** Shows sessions. A new session of the same user updates the viewer; another user gets a new viewer. */
export function createSessions({
  channel,
  isFramed,
  loadCharts,
  showPath,
  loadFormats,
  ...parts
}: SessionsParts) {
  let { page, locale, formats } = parts;
  let connect: ConnectMessage | undefined;
  let options: FrameOptions = {};
  let shown: ReturnType<typeof mountViewer> | undefined;
  /** The first view, if it is newer than that of `connect`. */
  let firstView: string | undefined;
  applyLanguage(formats);
  void handleConnect();

  async function handleConnect() {
    connect = await channel.connected;
    applyOptions(connect);
    if (shown) startFirst(shown.viewer);
  }

  const readFirstView = () => firstView ?? connect?.view;
  const startFirst = (viewer: Viewer) => viewer.start(readFirstView(), connect?.scroll);

  function show(session: ViewerSession, id?: number, view?: string) {
    if (shown && isSameUser(shown.viewer.getState().session, session)) {
      shown.viewer.adopt(session, id, view);
      return;
    }
    const isFirst = !shown;
    shown?.end();
    firstView ??= view;
    // Another user begins without the view of the previous one.
    shown = mountViewer(session, id, isFirst && Boolean(readFirstView()));
    if (!connect) return;
    shown.apply(options);
    if (isFirst) startFirst(shown.viewer);
    else shown.viewer.start();
  }

  function mountViewer(session: ViewerSession, id: number | undefined, hasView: boolean) {
    const fresh = page.cloneNode(false) as Element;
    page.replaceWith(fresh);
    page = fresh;
    const viewer = createViewer({
      session,
      id,
      createApi: createPortalApi,
      post: channel.post,
      hasHost: () => connect !== undefined,
      loadCharts,
      showPath,
      formats,
    });
    const root = createRoot(page);
    root.render(<ViewerApp viewer={viewer} />);
    const lifetime = new AbortController();
    const { signal } = lifetime;
    addEventListener('scroll', viewer.noteScrolled, { signal });
    const checkRestored = ({ persisted }: PageTransitionEvent) => {
      // The session may have ended since the page went into the back/forward cache. A host that has
      // connected asks for another one by itself.
      if (persisted && !connect) viewer.refresh();
    };
    addEventListener('pageshow', checkRestored, { signal });
    addEventListener(
      'keydown',
      ({ key, defaultPrevented }) => {
        const isUsed = defaultPrevented || document.querySelector('dialog[open],:popover-open');
        if (key === 'Escape' && !isUsed) channel.post({ type: 'key', key });
      },
      { signal },
    );
    // If the host sends a view, skip the preview, because its numbers would be replaced at once.
    if (!hasView) viewer.preview();
    // The host may restore another view, so the first request waits for its message.
    const timer = setTimeout(() => viewer.start(), isFramed ? connectTimeoutMs : 0);
    signal.addEventListener('abort', () => clearTimeout(timer));
    let stopHeights: (() => void) | undefined;
    signal.addEventListener('abort', () => stopHeights?.());
    return {
      viewer,
      apply({ autoHeight }: FrameOptions) {
        if (autoHeight) stopHeights ??= reportHeight(page, channel.post);
        else {
          stopHeights?.();
          stopHeights = undefined;
        }
      },
      /** Removes everything of this user: elements, listeners, requests and addresses of reports. */
      end() {
        lifetime.abort();
        viewer.stop();
        root.unmount();
        performance.clearResourceTimings();
        window.scrollTo(0, 0);
      },
    };
  }

  function applyOptions(next: FrameOptions) {
    options = next;
    applyLook(options);
    shown?.apply(options);
    void applyLocale(options.locale);
  }

  /** Applies the latest locale. If its texts cannot be loaded, the current language stays. */
  async function applyLocale(next: string | undefined) {
    if (next === locale) return;
    locale = next;
    const loaded = await loadFormats(next).catch(() => null);
    if (!loaded || next !== locale) return;
    formats = loaded;
    applyLanguage(formats);
    shown?.viewer.setFormats(formats);
  }

  return {
    show,
    /** Applies a message of the host. The boot script redeems `open` and delivers its session. */
    async receive(message: HostMessage) {
      // The options of `connect` are older, so they apply first.
      await channel.connected;
      if (message.type === 'set-options') applyOptions(message);
      else if (message.type === 'set-view') {
        if (shown) shown.viewer.showView(message.view);
        else firstView = message.view;
      } else if (message.type !== 'open' && shown) {
        const { viewer } = shown;
        const { answerHost } = await import('./export/answer-host.ts');
        await answerHost(viewer, message);
      }
    },
  };
}

/** An administrator who views as the user is another person, who may take nothing away. */
const isSameUser = (one: ViewerSession, other: ViewerSession) =>
  one.user.email === other.user.email &&
  one.viewedBy === other.viewedBy &&
  one.organization.id === other.organization.id;
