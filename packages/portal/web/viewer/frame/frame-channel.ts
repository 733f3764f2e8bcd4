import { isConnect, isHostMessage } from '@portal-embed/contract/frame';
import type { ConnectMessage, HostMessage, PortalMessage } from '@portal-embed/contract/frame';

import type { Connection } from './portal-frame.ts';

/** The viewer's end of the frame channel. */
export interface FrameChannel {
  /** The host's `connect`; stays pending without a host that uses the channel. */
  connected: Promise<ConnectMessage>;
  /** Sends a message, in order, once the host has connected. */
  post: (message: PortalMessage) => void;
  /** Passes on each message that matches the contract and drops others. */
  listen: (receive: (message: HostMessage) => void) => void;
}

/** Opens the channel on the boot script's port. Outside a frame it does nothing. */
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
    });
    port.start();
  }

  return {
    connected: readWishes(),
    post: (message) => void post(message),
    listen: (receive) => void listen(receive),
  };
}
