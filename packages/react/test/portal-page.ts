import { isConnect } from '@portal-embed/contract/frame';
import type {
  ConnectMessage,
  FrameState,
  HostMessage,
  PortalMessage,
} from '@portal-embed/contract/frame';

/** Plays the portal's page inside a frame, since jsdom loads none. */
export function playPortalPage(frame: HTMLIFrameElement) {
  const { origin } = new URL(frame.src);
  const received: HostMessage[] = [];
  let connected: ConnectMessage | undefined;
  let port: MessagePort | undefined;

  const view = frame.contentWindow!;
  view.postMessage = ((message: unknown, target: string, [offered]: MessagePort[]) => {
    if (target !== origin || !isConnect(message)) throw new Error('a page would not accept this');
    connected = message;
    port = offered;
    port!.addEventListener('message', ({ data }) => received.push(data as HostMessage));
    port!.start();
  }) as typeof view.postMessage;

  return {
    /** Sends from window to window, by default as this page would. */
    post(data: unknown, from: { origin?: string; source?: Window | null } = {}) {
      window.dispatchEvent(new MessageEvent('message', { data, origin, source: view, ...from }));
    },
    boot() {
      this.post({ portalEmbed: 1, type: 'boot' });
      return this;
    },
    send(message: PortalMessage) {
      port?.postMessage(message);
      return this;
    },
    ready(unappliedFilters: string[] = []) {
      return this.send({ type: 'ready', unappliedFilters });
    },
    get connected() {
      return connected;
    },
    received,
  };
}

/** Opens the page of the frame and lets it become ready, at the place it tells. */
export const becomeReady = (frame: HTMLIFrameElement, state?: FrameState) => {
  const page = playPortalPage(frame).boot();
  // Over one port, and so heard before.
  if (state) page.send({ type: 'state', state });
  return page.ready();
};
