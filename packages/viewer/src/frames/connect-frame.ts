import type { FrameRequest } from 'platform/page';

import type { FrameLoaded, FrameMessage, ViewerConnect, ViewerMessage } from './frame-messages.ts';

export interface FrameConnection {
  /** Shows the report once the page in the frame has loaded, and later updates it. */
  show: (request: FrameRequest) => void;
  send: (message: ViewerMessage) => void;
}

/**
 * Connects the page in a frame of this origin. It gets the token over a port, so that no address,
 * element or other window has it.
 *
 * @param signal ends the connection
 */
export function connectFrame(
  element: HTMLIFrameElement,
  signal: AbortSignal,
  receive: (message: FrameMessage) => void,
): FrameConnection {
  let port: MessagePort | undefined;
  let request: FrameRequest | undefined;
  const send = (message: ViewerMessage) => port?.postMessage(message);
  const show = () => request && send({ type: 'show', request });

  window.addEventListener(
    'message',
    ({ data, source, origin }: MessageEvent<Partial<FrameLoaded> | null>) => {
      if (source !== element.contentWindow || origin !== location.origin) return;
      if (data?.type !== 'frame-loaded') return;
      // A frame that the host has moved in the document loads again.
      port?.close();
      const channel = new MessageChannel();
      port = channel.port1;
      port.addEventListener('message', ({ data: message }: MessageEvent<FrameMessage>) =>
        receive(message),
      );
      port.start();
      const connect: ViewerConnect = { type: 'viewer-connect' };
      element.contentWindow!.postMessage(connect, location.origin, [channel.port2]);
      show();
    },
    { signal },
  );
  signal.addEventListener('abort', () => {
    port?.close();
    port = request = undefined;
  });

  return {
    show(next) {
      request = next;
      show();
    },
    send,
  };
}
