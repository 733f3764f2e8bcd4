/** State that `boot.ts` passes to the viewer page. */
export interface Connection {
  port: MessagePort;
  /** From the parent and an embed origin. Its shape is not checked yet. */
  connect: unknown;
}

declare global {
  interface Window {
    /** Set by the boot script when the page is in a frame. */
    portalFrame?: {
      /** The host's first `connect`; stays pending if the host does not answer. */
      connected: Promise<Connection>;
    };
  }
}
