/* oxlint-disable typescript/unbound-method -- each function is called with its receiver */
/**
 * Counts the open resources of a page. It must be the first script of the page, because it wraps the
 * constructors and functions that open them.
 */
export interface Meter {
  /** The URLs of all requests, in order. */
  sent: string[];
  /** Counts the open resources by kind. */
  count: () => Record<string, number>;
  /** Returns the growth since `before`. Aborted requests have `ms` to end. */
  compare: (before: Record<string, number>, ms?: number) => Promise<Record<string, number>>;
}

declare global {
  interface Window {
    meter: Meter;
  }
}

const open = {
  timers: new Set<unknown>(),
  listeners: new Set<unknown>(),
  observers: new Set<unknown>(),
  ports: new Set<unknown>(),
  requests: new Set<unknown>(),
};

const { setTimeout: start, clearTimeout: stop, setInterval: repeat, clearInterval: halt } = window;
window.setTimeout = ((act: () => void, ms?: number, ...rest: []) => {
  const id = start(() => {
    open.timers.delete(id);
    act(...rest);
  }, ms);
  open.timers.add(id);
  return id;
}) as typeof setTimeout;
window.clearTimeout = (id) => {
  open.timers.delete(id);
  stop(id);
};
window.setInterval = ((act: () => void, ms?: number) => {
  const id = repeat(act, ms);
  open.timers.add(id);
  return id;
}) as typeof setInterval;
window.clearInterval = (id) => {
  open.timers.delete(id);
  halt(id);
};

// Only targets that outlive a component.
const globalTargets: EventTarget[] = [
  window,
  document,
  document.documentElement,
  navigator as never,
];
const keys = new Map<unknown, Map<string, object>>();
const keyOf = (target: unknown, type: string, act: unknown, capture: boolean) => {
  const name = `${globalTargets.indexOf(target as EventTarget)} ${type} ${String(capture)}`;
  const byAct = keys.get(act) ?? new Map<string, object>();
  keys.set(act, byAct);
  const key = byAct.get(name) ?? { name };
  byAct.set(name, key);
  return key;
};
const captureOf = (options: unknown) =>
  typeof options === 'object'
    ? options !== null && 'capture' in options && options.capture === true
    : !!options;
const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
EventTarget.prototype.addEventListener = function (type, act, options) {
  if (act && globalTargets.includes(this ?? window)) {
    const key = keyOf(this ?? window, type, act, captureOf(options));
    open.listeners.add(key);
    if (typeof options === 'object' && options.signal)
      add.call(options.signal, 'abort', () => open.listeners.delete(key));
  }
  add.call(this ?? window, type, act, options);
};
EventTarget.prototype.removeEventListener = function (type, act, options) {
  if (act) open.listeners.delete(keyOf(this ?? window, type, act, captureOf(options)));
  remove.call(this ?? window, type, act, options);
};

const wrapObserver = (
  name: 'IntersectionObserver' | 'ResizeObserver' | 'MutationObserver' | 'ReportingObserver',
) => {
  const { observe, disconnect } = window[name].prototype as {
    observe: (...args: unknown[]) => void;
    disconnect: () => void;
  };
  Object.assign(window[name].prototype, {
    observe(this: object, ...args: unknown[]) {
      open.observers.add(this);
      observe.apply(this, args);
    },
    disconnect(this: object) {
      open.observers.delete(this);
      disconnect.apply(this);
    },
  });
};
(
  ['IntersectionObserver', 'ResizeObserver', 'MutationObserver', 'ReportingObserver'] as const
).forEach(wrapObserver);

const Channel = window.MessageChannel;
const { close } = MessagePort.prototype;
window.MessageChannel = class extends Channel {
  constructor() {
    super();
    open.ports.add(this.port1);
  }
};
MessagePort.prototype.close = function () {
  open.ports.delete(this);
  close.call(this);
};

const { fetch: request } = window;
const sent: string[] = [];
window.fetch = async (...args) => {
  const key = {};
  const [url, options] = args;
  if (!options?.signal?.aborted) sent.push(url instanceof Request ? url.url : String(url));
  open.requests.add(key);
  try {
    return await request(...args);
  } finally {
    open.requests.delete(key);
  }
};

const count = (): Record<string, number> => ({
  ...Object.fromEntries(Object.entries(open).map(([kind, things]) => [kind, things.size])),
  frames: document.querySelectorAll('iframe').length,
});

window.meter = {
  sent,
  count,
  async compare(before, ms = 20_000) {
    const compare = () =>
      Object.fromEntries(Object.entries(count()).map(([kind, now]) => [kind, now - before[kind]!]));
    const end = performance.now() + ms;
    while (compare()['requests']! > 0 && performance.now() < end)
      await new Promise((next) => start(next, 5));
    return compare();
  },
};
