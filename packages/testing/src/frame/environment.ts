/** What the component needs and test environments lack: layout in jsdom, message channels in Jest. */

/** Everything is in view. */
export class EverythingInView {
  readonly #notify: (entries: { isIntersecting: boolean }[]) => void;

  constructor(notify: (entries: { isIntersecting: boolean }[]) => void) {
    this.#notify = notify;
  }

  observe(): void {
    this.#notify([{ isIntersecting: true }]);
  }

  unobserve(): void {}

  disconnect(): void {}
}

class Port extends EventTarget {
  other: Port | undefined;
  #handler: ((event: MessageEvent) => void) | null = null;

  get onmessage() {
    return this.#handler;
  }

  set onmessage(handler) {
    this.#handler = handler;
  }

  postMessage(data: unknown): void {
    setTimeout(() => {
      const event = new MessageEvent('message', { data });
      this.other?.onmessage?.(event);
      this.other?.dispatchEvent(event);
    });
  }

  start(): void {}

  close(): void {
    if (this.other) this.other.other = undefined;
    this.other = undefined;
  }
}

/** Two connected ports, without copies of the messages. */
export class SimpleMessageChannel {
  readonly port1 = new Port();
  readonly port2 = new Port();

  constructor() {
    this.port1.other = this.port2;
    this.port2.other = this.port1;
  }
}
