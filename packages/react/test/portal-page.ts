import { isConnect } from '@portal-embed/contract/frame';
import type {
  ConnectMessage,
  FrameState,
  HostMessage,
  PortalMessage,
} from '@portal-embed/contract/frame';

/** Simulates the portal's page in a frame, because jsdom loads no frames. */
export function simulatePortalPage(frame: HTMLIFrameElement) {
  const { origin } = new URL(frame.src);
  const received: HostMessage[] = [];
  let connected: ConnectMessage | undefined;
  let port: MessagePort | undefined;

  const view = frame.contentWindow!;
  view.postMessage = ((message: unknown, target: string, [transferred]: MessagePort[]) => {
    if (target !== origin || !isConnect(message))
      throw new Error('The portal page would not accept this message.');
    connected = message;
    port = transferred;
    port!.addEventListener('message', ({ data }) => received.push(data as HostMessage));
    port!.start();
  }) as typeof view.postMessage;

  return {
    /** Sends a window message, by default from this page. */
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

/** Simulates a page that boots, sends its position and is ready. */
export const makeReady = (frame: HTMLIFrameElement, state?: FrameState) => {
  const page = simulatePortalPage(frame).boot();
  // One port keeps the order, so this arrives before `ready`.
  if (state) page.send({ type: 'state', state });
  return page.ready();
};
