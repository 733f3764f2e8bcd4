/** What `boot.ts` leaves for the viewer page. */
export interface Connection {
  port: MessagePort;
  /** Came from the parent and an embed origin; its shape is not checked yet. */
  connect: unknown;
}

declare global {
  interface Window {
    /** Set by the boot script when the page is in a frame. */
    portalFrame?: {
      /** The host's first `connect`; stays pending under a host that does not answer. */
      connected: Promise<Connection>;
    };
  }
}
