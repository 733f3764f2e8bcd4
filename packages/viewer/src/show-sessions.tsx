import type { ConnectMessage, FrameOptions, HostMessage } from '@portal-embed/contract/frame';
import { createRoot, type Root } from 'react-dom/client';

import type { ChartCode } from './chart-code.ts';
import { createViewer, type Viewer } from './create-viewer.ts';
import { applyLanguage } from './format/apply-language.ts';
import type { Formats } from './format/create-formats.ts';
import { applyLook } from './host-channel/apply-look.ts';
import type { FrameChannel } from './host-channel/frame-channel.ts';
import { reportHeight } from './host-channel/report-height.ts';
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
export class Sessions {
  readonly #parts: SessionsParts;
  #page: Element;
  #locale: string | undefined;
  #formats: Formats;
  #connect: ConnectMessage | undefined;
  #options: FrameOptions = {};
  #shown: MountedViewer | undefined;
  /** The first view, if it is newer than that of `connect`. */
  #firstView: string | undefined;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#page = parts.page;
    this.#locale = parts.locale;
    this.#formats = parts.formats;
    applyLanguage(this.#formats);
    void this.#handleConnect();
  }

  show(session: ViewerSession, id?: number, view?: string): void {
    const shown = this.#shown;
    if (shown && isSameUser(shown.viewer.getState().session, session)) {
      shown.viewer.continueWith(session, id, view);
      return;
    }
    shown?.end();
    this.#firstView ??= view;
    // Another user begins without the view of the previous one.
    const hasView = !shown && Boolean(this.#readFirstView());
    const mounted = this.#mountViewer(session, id, hasView);
    this.#shown = mounted;
    if (!this.#connect) return;
    mounted.apply(this.#options);
    if (shown) mounted.viewer.start();
    else this.#startFirst(mounted.viewer);
  }

  /** Applies a message of the host. The boot script redeems `open` and delivers its session. */
  async receive(message: HostMessage): Promise<void> {
    // The options of `connect` are older, so they apply first.
    await this.#parts.channel.connected;
    const viewer = this.#shown?.viewer;
    if (message.type === 'set-options') this.#applyOptions(message);
    else if (message.type === 'set-view') {
      if (viewer) viewer.showView(message.view);
      else this.#firstView = message.view;
    } else if (message.type !== 'open' && viewer) {
      const { answerHost } = await import('./export/answer-host.ts');
      await answerHost(viewer, message);
    }
  }

  async #handleConnect() {
    this.#connect = await this.#parts.channel.connected;
    this.#applyOptions(this.#connect);
    if (this.#shown) this.#startFirst(this.#shown.viewer);
  }

  #readFirstView() {
    return this.#firstView ?? this.#connect?.view;
  }

  #startFirst(viewer: Viewer) {
    viewer.start(this.#readFirstView(), this.#connect?.scroll);
  }

  #mountViewer(session: ViewerSession, id: number | undefined, hasView: boolean) {
    const { channel, loadCharts, showPath, isFramed } = this.#parts;
    const page = this.#page.cloneNode(false) as Element;
    this.#page.replaceWith(page);
    this.#page = page;
    const viewer = createViewer({
      session,
      id,
      createApi: createPortalApi,
      post: channel.post,
      hasHost: () => this.#connect !== undefined,
      loadCharts,
      showPath,
      formats: this.#formats,
    });
    const mounted = new MountedViewer(page, channel, viewer, () => this.#connect !== undefined);
    // If the host sends a view, skip the preview, because its numbers would be replaced at once.
    if (!hasView) viewer.preview();
    // The host may restore another view, so the first request waits for its message.
    mounted.startAfter(isFramed ? connectTimeoutMs : 0);
    return mounted;
  }

  #applyOptions(options: FrameOptions) {
    this.#options = options;
    applyLook(options);
    this.#shown?.apply(options);
    void this.#applyLocale(options.locale);
  }

  /** Applies the latest locale. If its texts cannot be loaded, the current language stays. */
  async #applyLocale(locale: string | undefined) {
    if (locale === this.#locale) return;
    this.#locale = locale;
    const formats = await this.#parts.loadFormats(locale).catch(() => null);
    if (!formats || locale !== this.#locale) return;
    this.#formats = formats;
    applyLanguage(formats);
    this.#shown?.viewer.setFormats(formats);
  }
}

/** The viewer of one user, with its listeners and timers. */
class MountedViewer {
  readonly viewer: Viewer;
  readonly #page: Element;
  readonly #channel: FrameChannel;
  readonly #root: Root;
  readonly #lifetime = new AbortController();
  #stopHeights: (() => void) | undefined;

  constructor(page: Element, channel: FrameChannel, viewer: Viewer, hasHost: () => boolean) {
    this.viewer = viewer;
    this.#page = page;
    this.#channel = channel;
    this.#root = createRoot(page);
    this.#root.render(<ViewerApp viewer={viewer} />);
    const { signal } = this.#lifetime;
    addEventListener('scroll', viewer.handleScrolled, { signal });
    const checkRestored = ({ persisted }: PageTransitionEvent) => {
      // The session may have ended since the page went into the back/forward cache. A host that has
      // connected asks for another one by itself.
      if (persisted && !hasHost()) viewer.refresh();
    };
    addEventListener('pageshow', checkRestored, { signal });
    addEventListener('keydown', (event) => this.#handleKey(event), { signal });
  }

  startAfter(ms: number): void {
    const timer = setTimeout(() => this.viewer.start(), ms);
    this.#lifetime.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  apply({ autoHeight }: FrameOptions): void {
    if (autoHeight) this.#stopHeights ??= reportHeight(this.#page, this.#channel.post);
    else {
      this.#stopHeights?.();
      this.#stopHeights = undefined;
    }
  }

  /** Removes everything of this user: elements, listeners, requests and addresses of reports. */
  end(): void {
    this.#lifetime.abort();
    this.#stopHeights?.();
    this.viewer.stop();
    this.#root.unmount();
    performance.clearResourceTimings();
    window.scrollTo(0, 0);
  }

  #handleKey({ key, defaultPrevented }: KeyboardEvent) {
    const isUsed = defaultPrevented || document.querySelector('dialog[open],:popover-open');
    if (key === 'Escape' && !isUsed) this.#channel.post({ type: 'key', key });
  }
}

/** An administrator who views as the user is another person, who may take nothing away. */
const isSameUser = (one: ViewerSession, other: ViewerSession) =>
  one.user.email === other.user.email &&
  one.viewedBy === other.viewedBy &&
  one.organization.id === other.organization.id;
