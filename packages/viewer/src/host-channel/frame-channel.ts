import { isConnect, isHostMessage } from '@portal-embed/contract/frame';
import type { ConnectMessage, HostMessage, PortalMessage } from '@portal-embed/contract/frame';

import type { ViewerSession } from '../requests/viewer.ts';

/** The viewer's end of the frame channel. */
export interface FrameChannel {
  /** The host's `connect`; stays pending without a host that uses the channel. */
  connected: Promise<ConnectMessage>;
  /** Sends a message, in order, once the host has connected. */
  post: (message: PortalMessage) => void;
  /** Passes on each session that the host opened, and each message that matches the contract. */
  listen: (receivers: {
    session: (session: ViewerSession, id: number, view?: string) => void;
    message: (message: HostMessage) => void;
  }) => void;
}

/** Opens the channel of the boot script. Outside a frame it does nothing. */
export function openFrameChannel(frame: Window['portalFrame']): FrameChannel {
  const connection = frame?.connected ?? new Promise<never>(() => {});
  let isLeaving = false;
  addEventListener('pagehide', () => (isLeaving = true));
  addEventListener('pageshow', () => (isLeaving = false));

  async function readConnect(): Promise<ConnectMessage> {
    const { connect } = await connection;
    return isConnect(connect) ? connect : { portalEmbed: 1, type: 'connect' };
  }

  async function post(message: PortalMessage) {
    // The browser cancels the requests of a page that it removes. The report itself has not failed.
    if (isLeaving && message.type === 'failed') return;
    const { port } = await connection;
    port.postMessage(message);
  }

  return {
    connected: readConnect(),
    post: (message) => void post(message),
    listen: (receivers) =>
      frame?.listen((delivery) => {
        if (delivery.type === 'session')
          receivers.session(delivery.session, delivery.id, delivery.view);
        else if (isHostMessage(delivery.message)) receivers.message(delivery.message);
      }),
  };
}
