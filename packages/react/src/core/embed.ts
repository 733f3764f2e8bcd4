import type { CustomFilter, HostRequest } from '@portal-embed/contract';
import type { EmbedFailureCause, FrameState, PortalMessage } from '@portal-embed/contract/frame';

import { createEmbedError, isEmbedError, isRefusal, isTransient } from './error.ts';
import type { EmbedError } from './error.ts';
import { openFrame } from './frame.ts';
import type { Frame } from './frame.ts';
import { mintUrl, noteDiscard } from './mint.ts';
import { pickRequest } from './options.ts';
import type { EmbedOptions, EmbedState, ReadyEvent } from './options.ts';
import { wait } from './wait.ts';

/** What a host can ask of a living embed. */
export interface EmbedHandle {
  /** Shows the report through a fresh URL; joins a fetch that is under way. Never rejects. */
  refresh: () => Promise<void>;
  /** Replaces the filters, in place where the portal allows it. Holds until the props change. */
  setFilters: (filters: CustomFilter[]) => void;
  /** The frame on show. */
  readonly iframe: HTMLIFrameElement | null;
}

export interface Embed extends EmbedHandle {
  /** Takes the options of a new render; what is equal by value costs nothing. */
  update: (options: EmbedOptions) => void;
  /** Ends everything that the embed started. */
  destroy: () => void;
}

interface OpenFrame extends Frame {
  request: HostRequest;
}

const maxCredit = 3;
const creditRefill = 20_000;
const maxTimer = 2 ** 31 - 1;

const seen = (value: EmbedOptions) => JSON.stringify([pickRequest(value), value.endpoint]);

/** Keeps a report on show in `container`. Framework-free; `PortalEmbed` is a thin layer on it. */
export function createEmbed(
  container: HTMLElement,
  options: EmbedOptions,
  onState: (state: EmbedState) => void,
): Embed {
  const life = new AbortController();
  let request = pickRequest(options);
  let state: EmbedState = { status: 'idle' };
  let current: OpenFrame | undefined;
  let pending: OpenFrame | undefined;
  let place: FrameState | undefined;
  let run: AbortController | undefined;
  let running: Promise<void> | undefined;
  // The frame on show is no longer what was asked for: a failure may not leave it there.
  let outdated = false;
  // Something passing went wrong, to be made good when the page is seen or online again.
  let missed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let credit = maxCredit;
  let creditAt = performance.now();

  const setState = (status: EmbedState['status'], error?: EmbedError) => {
    if (status === state.status && error === state.error) return;
    state = { status, error } as EmbedState;
    onState(state);
    options.onStateChange?.(state);
  };

  /** Automatic attempts are bounded; the bound recovers with time. */
  const spendCredit = () => {
    const now = performance.now();
    credit = Math.min(maxCredit, credit + (now - creditAt) / creditRefill);
    creditAt = now;
    return credit >= 1 && !!credit--;
  };

  const dropCurrent = () => {
    place = current?.place ?? place;
    current?.close();
    current = undefined;
  };

  const schedule = () => {
    clearTimeout(timer);
    const { refreshInterval } = options;
    if (!refreshInterval || life.signal.aborted || (state.error && isRefusal(state.error.cause)))
      return;
    // Spread, so that the embeds of a page do not all ask at once.
    timer = setTimeout(
      () => {
        missed = true;
        catchUp();
      },
      Math.min(refreshInterval * (0.95 + Math.random() / 10), maxTimer),
    );
  };

  const fail = (error: EmbedError) => {
    missed = isTransient(error.cause);
    if (current && !outdated && !isRefusal(error.cause)) setState('ready');
    else {
      dropCurrent();
      setState('failed', error);
    }
    options.onError?.(error);
    schedule();
  };

  /** The frame on show has lost its session or its page. */
  const heal = (cause: EmbedFailureCause, keep?: boolean) => {
    outdated = true;
    if (!keep) dropCurrent();
    if (running) return;
    if (isTransient(cause) && spendCredit()) void load();
    else fail(createEmbedError(cause));
  };

  const swap = (frame: OpenFrame, event: ReadyEvent) => {
    const previous = current;
    const hadFocus = previous && document.activeElement === previous.element;
    current = frame;
    pending = undefined;
    outdated = missed = false;
    place = frame.place ?? place;
    frame.show();
    if (hadFocus) frame.element.focus({ preventScroll: true });
    previous?.close();
    const first = state.status !== 'refreshing';
    setState('ready');
    (first ? options.onReady : options.onRefresh)?.(event);
    schedule();
  };

  const show = (url: string) =>
    new Promise<void>((resolve, reject) => {
      const onReady = (verified: boolean, unappliedFilters: string[]) => {
        if (frame !== pending) return;
        swap(frame, { verified, unappliedFilters });
        resolve();
      };
      const onFailure = (cause: EmbedFailureCause, keep?: boolean) => {
        if (frame === current) heal(cause, keep);
        else reject(createEmbedError(cause));
      };
      const onMessage = (message: PortalMessage) => {
        switch (message.type) {
          case 'ready':
            onReady(true, message.unappliedFilters);
            break;
          case 'state':
            frame.place = message.state;
            break;
          case 'navigated':
            options.onNavigate?.(message);
            break;
          case 'resized':
            if (options.autoHeight)
              container.style.height = `${Math.min(message.height, options.maxHeight ?? Infinity)}px`;
            break;
          case 'session-required':
            onFailure('session_lost', message.reason === 'session-ended');
            break;
          case 'failed':
            // Of a frame on show, its own page tells the reader.
            if (frame === current) options.onError?.(createEmbedError(message.cause));
            else onFailure(message.cause);
        }
      };
      const frame: OpenFrame = Object.assign(
        openFrame({
          url,
          container,
          title: options.title ?? 'Report',
          timeout: options.timeout ?? 30_000,
          getWishes: () => ({
            theme: options.theme,
            autoHeight: options.autoHeight,
            state: current?.place ?? place,
          }),
          onMessage,
          onMute: () =>
            options.handshake === 'required' || frame.speaks
              ? onFailure('not_answering')
              : onReady(false, []),
          onFailure,
        }),
        { request },
      );
      pending = frame;
    });

  const attempt = async (signal: AbortSignal) => {
    // After the fake unmount of StrictMode, which then costs no request.
    await Promise.resolve();
    for (let tries = 0; !signal.aborted; tries++) {
      const inner = new AbortController();
      const abort = () => inner.abort();
      signal.addEventListener('abort', abort);
      try {
        setState(current ? 'refreshing' : 'minting');
        const url = await mintUrl(options, request, options.timeout ?? 30_000, inner.signal);
        signal.throwIfAborted();
        if (!current) setState('loading');
        return await show(url);
      } catch (thrown) {
        if (signal.aborted) return;
        const error = isEmbedError(thrown) ? thrown : createEmbedError('endpoint_unreachable');
        pending?.close();
        pending = undefined;
        if (!navigator.onLine || !isTransient(error.cause) || !spendCredit()) return fail(error);
        await wait(
          Math.max((error.retryAfter ?? 0) * 1000, Math.random() * 500 * 2 ** tries),
          signal,
        );
      } finally {
        signal.removeEventListener('abort', abort);
        inner.abort();
      }
    }
  };

  const stop = () => {
    clearTimeout(timer);
    if (running && state.status !== 'idle') noteDiscard();
    run?.abort();
    pending?.close();
    pending = undefined;
  };

  const load = () => {
    stop();
    missed = false;
    const own = (run = new AbortController());
    const ended: Promise<void> = attempt(own.signal).finally(() => {
      if (running === ended) running = undefined;
    });
    return (running = ended);
  };

  const catchUp = () => {
    if (missed && !running && document.visibilityState !== 'hidden') void load();
  };

  const ask = (next: HostRequest) => {
    const previous = request;
    request = next;
    if (state.status === 'idle' && !running) return;
    const minted = current?.request;
    if (
      current?.speaks &&
      !running &&
      // Filters of the mint are bound to its URL: others could only narrow them.
      !minted?.customFilters?.length &&
      JSON.stringify({ ...minted, customFilters: 0 }) ===
        JSON.stringify({ ...next, customFilters: 0 })
    ) {
      current.send({ type: 'set-filters', filters: next.customFilters ?? [] });
      return;
    }
    outdated = true;
    if (next.reportId !== previous.reportId) {
      dropCurrent();
      place = undefined;
    } else if (current?.place) {
      place = current.place = { ...current.place, filters: [] };
    }
    void load();
  };

  const { signal } = life;
  for (const [target, type] of [
    [window, 'online'],
    [window, 'pageshow'],
    [document, 'visibilitychange'],
  ] as const)
    target.addEventListener(type, catchUp, { signal });

  if (options.lazy && 'IntersectionObserver' in window) {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        if (!running) void load();
      },
      { rootMargin: '200px' },
    );
    observer.observe(container);
    signal.addEventListener('abort', () => observer.disconnect());
  } else void load();

  return {
    refresh() {
      credit = maxCredit;
      return running ?? load();
    },
    setFilters: (customFilters) => ask({ ...request, customFilters }),
    get iframe() {
      return current?.element ?? null;
    },
    update(next) {
      const before = options;
      options = next;
      if (next.title !== before.title && current) current.element.title = next.title ?? 'Report';
      if (next.theme !== before.theme)
        current?.send({ type: 'set-theme', theme: next.theme ?? 'auto' });
      if (next.refreshInterval !== before.refreshInterval && !running) schedule();
      if (seen(next) !== seen(before)) ask(pickRequest(next));
    },
    destroy() {
      life.abort();
      stop();
      dropCurrent();
    },
  };
}
