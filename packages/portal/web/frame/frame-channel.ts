import { isConnect, isHostMessage } from '@portal-embed/contract/frame';
import type { ConnectMessage, HostMessage, PortalMessage } from '@portal-embed/contract/frame';

import type { Connection } from './portal-frame.ts';

/** The viewer's end of the channel to the host page. */
export interface FrameChannel {
  /** The host's wishes; stays pending without a host that speaks the channel. */
  connected: Promise<ConnectMessage>;
  /** Sends now, or once the host has connected; messages keep their order. */
  post: (message: PortalMessage) => void;
  /**
   * Hands over each message of the host that is on the contract, and drops any other. Filters that
   * are none are answered as a failure: else the host would take them for applied.
   */
  listen: (receive: (message: HostMessage) => void) => void;
}

/** Opens the channel on what the boot script left; outside a frame it stays silent. */
export function openFrameChannel(
  connection: Promise<Connection> = new Promise(() => {}),
): FrameChannel {
  async function readWishes(): Promise<ConnectMessage> {
    const { connect } = await connection;
    return isConnect(connect) ? connect : { portalEmbed: 1, type: 'connect' };
  }

  async function post(message: PortalMessage) {
    const { port } = await connection;
    port.postMessage(message);
  }

  async function listen(receive: (message: HostMessage) => void) {
    const { port } = await connection;
    port.addEventListener('message', ({ data }) => {
      if (isHostMessage(data)) receive(data);
      else if (data?.type === 'set-filters') void post({ type: 'failed', cause: 'report_failed' });
    });
    port.start();
  }

  return {
    connected: readWishes(),
    post: (message) => void post(message),
    listen: (receive) => void listen(receive),
  };
}
