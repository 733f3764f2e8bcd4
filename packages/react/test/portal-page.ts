import { isConnect } from '@portal-embed/contract/frame';
import type { ConnectMessage, HostMessage, PortalMessage } from '@portal-embed/contract/frame';
import { waitFor } from '@testing-library/react';

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
    boot(accepts: string[] = []) {
      this.post({ portalEmbed: 1, type: 'boot', accepts });
      return this;
    },
    /** Returns the `open` with this number, once it has arrived. */
    waitForOpen: (id: number) =>
      waitFor(() => {
        const found = received.find((message) => message.type === 'open' && message.id === id) as
          | Extract<HostMessage, { type: 'open' }>
          | undefined;
        if (!found) throw new Error(`The message open ${id} has not arrived yet.`);
        return found;
      }),
    send(message: PortalMessage) {
      port?.postMessage(message);
      return this;
    },
    ready(unappliedFilters: string[] = [], id?: number) {
      return this.send({ type: 'ready', id, unappliedFilters });
    },
    get connected() {
      return connected;
    },
    /** What the host wants to be restored. */
    get position() {
      return { view: connected?.view, scroll: connected?.scroll };
    },
    received,
  };
}

/** Simulates a page that takes `open`, and is ready with the URL that it was loaded from. */
export const makeReadyForOpen = (frame: HTMLIFrameElement) =>
  simulatePortalPage(frame).boot(['open']).ready();

/** Simulates a page that boots, sends its position and is ready. */
export const makeReady = (
  frame: HTMLIFrameElement,
  position?: { view: string; scroll: number },
) => {
  const page = simulatePortalPage(frame).boot();
  // One port keeps the order, so this arrives before `ready`.
  if (position) page.send({ type: 'view', ...position });
  return page.ready();
};
