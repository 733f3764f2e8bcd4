import type { ViewerSession } from '../requests/viewer.ts';

/** State that `boot.ts` passes to the viewer page. */
export interface Connection {
  port: MessagePort;
  /** From the parent and an embed origin. Its shape is not checked yet. */
  connect: unknown;
}

/** A delivery from the port: the session of an `open`, or a message whose shape is not checked yet. */
export type Delivery =
  | { type: 'session'; id: number; session: ViewerSession; view?: string | undefined }
  | { type: 'message'; message: unknown };

declare global {
  interface Window {
    /** Set by the boot script when the page is in a frame. */
    portalFrame?: {
      /** The host's first `connect`; stays pending if the host does not answer. */
      connected: Promise<Connection>;
      /** Passes on all deliveries, including those that arrived before the call. */
      listen: (receive: (delivery: Delivery) => void) => void;
    };
  }
}
