import { isConnect, isHostMessage } from '@portal-embed/contract/frame';
import type { Connect, HostMessage, PortalMessage } from '@portal-embed/contract/frame';

import type { Connection } from './portal-frame.ts';

/** The viewer's end of the channel to the host page. */
export interface FrameChannel {
  /** The host's wishes; stays pending without a host that speaks the channel. */
  connected: Promise<Connect>;
  /** Sends now, or once the host has connected; messages keep their order. */
  post(message: PortalMessage): void;
  /** Hands over each message of the host that is on the contract, and drops any other. */
  listen(receive: (message: HostMessage) => void): void;
}

/** Opens the channel on what the boot script left; outside a frame it stays silent. */
export function openFrameChannel(
  connection: Promise<Connection> = new Promise(() => {}),
): FrameChannel {
  return {
    connected: connection.then(({ connect }) =>
      isConnect(connect) ? connect : { portalEmbed: 1, type: 'connect' },
    ),
    post: (message) => void connection.then(({ port }) => port.postMessage(message)),
    listen: (receive) =>
      void connection.then(({ port }) => {
        port.addEventListener('message', ({ data }) => {
          if (isHostMessage(data)) receive(data);
        });
        port.start();
      }),
  };
}
