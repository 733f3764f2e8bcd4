import type { CustomFilter } from '@portal-embed/contract';
import type { EmbedFailureCause, FrameState, HostMessage } from '@portal-embed/contract/frame';

import { createEmbedError, isRefusal, isTransient } from './error.ts';
import type { EmbedError } from './error.ts';
import { openFrame } from './frame.ts';
import type { Frame, FrameEvent, Wishes } from './frame.ts';
import { mintUrl } from './mint.ts';
import { toRequest } from './options.ts';
import type { EmbedOptions, EmbedState, ReadyEvent } from './options.ts';

/** What a host can ask of a living embed. */
export interface EmbedHandle {
  /** Shows the report through a fresh URL; joins a fetch that is under way. */
  refresh: () => void;
  /** Replaces the filters, in place where the portal allows it. Holds until the props change. */
  setFilters: (filters: CustomFilter[]) => void;
  /** The frame on show. */
  readonly iframe: HTMLIFrameElement | undefined;
}

export interface Embed extends EmbedHandle {
  /** Starts in `container`, which is to be `position: relative`. The answer ends everything. */
  mount: (container: HTMLElement) => () => void;
  /** Takes the options, before the first mount too; what is equal by value costs nothing. */
  update: (options: EmbedOptions) => void;
}

/** Calls the host's own code: what that throws is reported, as an unhandled rejection, and stops nothing here. */
export const call = async <Subject>(
  callback: ((subject: Subject) => void) | undefined,
  subject: Subject,
) => callback?.(subject);

/** Keeps a report on show. Free of any framework; `PortalEmbed` is a thin layer on it. */
export function createEmbed(onState: (state: EmbedState) => void): Embed {
  let container: HTMLElement | undefined;
  let options: EmbedOptions = {};
  /** The options with the filters that were set since. */
  let asked = options;
  let status: EmbedState['status'] | undefined;
  let current: Frame | undefined;
  let pending: Frame | undefined;
  let place: FrameState | undefined;
  /** There while a fresh frame is on its way, between retries too. */
  let run: AbortController | undefined;
  /** Deadline of the run, or the next attempt. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retries = 0;
  /** From then on, what befalls the frame on show is a failure of its own. */
  let settledAt: number;
  /** The URL of the current frame is bound to filters: others could only narrow them. */
  let bound: number | undefined;
  /** The current frame is not what was asked for: a failure may not leave it there. */
  let outdated: boolean | undefined;
  /** A fresh frame is due, if need be when the embed is seen. */
  let due: boolean | undefined;
  /** What failed may work when the page is seen or online again. */
  let curable: boolean | undefined;
  let inView: boolean | undefined;
  /** The frame that spoke last. A portal that has spoken does not go mute. */
  let spoken: Frame | undefined;

  /** Tells the host where the embed stands, if that is news. */
  const tell = (error?: EmbedError) => {
    const next = error
      ? 'failed'
      : current
        ? run
          ? 'refreshing'
          : 'ready'
        : pending
          ? 'loading'
          : 'minting';
    if (error || next !== status) {
      status = next;
      const state = { status, error } as EmbedState;
      onState(state);
      void call(options.onStateChange, state);
    }
  };

  const after = (ms: number | undefined, act: () => unknown) => {
    clearTimeout(timer);
    // A longer timeout would fire at once.
    if (ms! > 0 && ms! < 2e9 && container) timer = setTimeout(act, ms);
  };

  /** The run is a step further, and has its time for the next. */
  const proceed = () => {
    after(options.timeout ?? 30_000, () =>
      fail(
        createEmbedError(
          pending ? (pending === spoken ? 'timed_out' : 'no_response') : 'endpoint_unreachable',
        ),
      ),
    );
    tell();
  };

  const dropCurrent = () => (current = current?.close());

  const endRun = () => {
    clearTimeout(timer);
    run?.abort();
    run = pending = pending?.close();
  };

  const planRefresh = () => after(options.refreshInterval, renew);

  /** Opens a fresh frame, at once or when the embed is seen. */
  const retry = () => {
    endRun();
    due = true;
    catchUp();
  };

  /** What is no retry is worth every attempt. */
  const renew = () => {
    retries = 0;
    retry();
  };

  const catchUp = () => {
    if (due && !run && !document.hidden && (inView || !options.lazy)) void start();
  };

  /** Seen or online again, it is too. */
  const wake = () => {
    retries = 0;
    due ||= curable;
    catchUp();
  };

  const start = async () => {
    if (!container) return;
    endRun();
    due = curable = false;
    const { signal } = (run = new AbortController());
    if (status) tell();
    try {
      const url = await mintUrl(options, toRequest(asked), signal, proceed);
      signal.throwIfAborted();
      pending = openFrame(container, url, hear, lose);
      proceed();
    } catch (error) {
      if (!signal.aborted) fail(error as EmbedError);
    }
  };

  const hear = (frame: Frame, event: FrameEvent): Wishes | void => {
    const type = event.type;
    if (type === 'boot') {
      spoken = frame;
      return { theme: options.theme, autoHeight: options.autoHeight, state: place };
    } else if (type === 'ready') {
      if (event.unverified && (spoken || options.handshake === 'required'))
        lose(frame, 'not_answering');
      else show(frame, event);
    } else if (type === 'navigated') void call(options.onNavigate, event);
    else if (type === 'resized') {
      frame.height = event.height;
      dress();
    } else if (type === 'state') {
      // The reader is in the frame on show; a fresh one is only where it was brought.
      if (frame === (current ?? pending)) {
        place = event.state;
        // Meant for the host: its shape is checked by the page that it goes to.
        if (current) pending?.send(event as HostMessage);
      }
    } else if (type === 'session-required')
      lose(frame, 'session_lost', event.reason === 'session-ended');
    // Of the current frame its own page tells the reader.
    else if (frame === current) void call(options.onError, createEmbedError(event.cause));
    else lose(frame, event.cause);
  };

  const show = (frame: Frame, event: ReadyEvent) => {
    const previous = current;
    if (frame === pending) {
      const { element } = frame;
      const focused = (element.getRootNode() as Document).activeElement === previous?.element;
      current = frame;
      bound = asked.customFilters?.length;
      run = pending = outdated = undefined;
      settledAt = performance.now() + 10_000;
      element.inert = false;
      element.style.opacity = '';
      if (focused) element.focus({ preventScroll: true });
      previous?.close();
      dress();
      tell();
    } else if (event.unverified) return;
    void call(previous ? options.onRefresh : options.onReady, event);
    if (!run) planRefresh();
  };

  /** Gives the frame on show what it can take without a fresh one. */
  const dress = () => {
    if (current) {
      const { element, height } = current;
      element.title = options.title ?? 'Report';
      if (height && options.autoHeight)
        container!.style.height = `${Math.min(height, options.maxHeight ?? height)}px`;
    }
  };

  const lose = (frame: Frame, cause: EmbedFailureCause, keep?: boolean) => {
    if (frame === current) {
      outdated = true;
      if (performance.now() > settledAt) retries = 0;
      if (!keep) dropCurrent();
      if (run) return tell();
    }
    fail(createEmbedError(cause));
  };

  /** The run has failed, or without one the current frame. */
  const fail = (error: EmbedError) => {
    const { cause, retryAfter } = error;
    endRun();
    curable = isTransient(cause);
    if (curable && retryAfter < 60 && ++retries < 4) {
      run = new AbortController();
      after(1 + (retryAfter + (Math.random() * retries) / 2) * 1000, retry);
      return tell();
    }
    if (outdated || isRefusal(cause)) dropCurrent();
    tell(current ? undefined : error);
    void call(options.onError, error);
    if (!isRefusal(cause)) planRefresh();
  };

  const ask = (next: EmbedOptions) => {
    const before = asked;
    const { reportId, customFilters } = (asked = next);
    if (
      spoken &&
      current &&
      !run &&
      !bound &&
      toRequest({ ...before, customFilters }) === toRequest(next)
    )
      current.send({
        type: 'set-filters',
        filters: JSON.parse(toRequest(next)).customFilters ?? [],
      });
    else {
      outdated = true;
      if (reportId !== before.reportId) place = dropCurrent();
      renew();
    }
  };

  return {
    mount(element) {
      container = element;
      const life = new AbortController();
      // Its signal is the option that ends a listener.
      addEventListener('online', wake, life);
      addEventListener('visibilitychange', wake, life);
      const observer =
        window.IntersectionObserver &&
        new IntersectionObserver((entries) => {
          inView = entries.pop()!.isIntersecting;
          catchUp();
        });
      observer?.observe(element);
      renew();
      return () => {
        life.abort();
        observer?.disconnect();
        endRun();
        dropCurrent();
        container = status = inView = undefined;
        onState({ status: 'idle' });
      };
    },
    update(next) {
      const before = options;
      options = next;
      dress();
      // A page that has not booted hears of it then.
      if (next.theme !== before.theme)
        [current, pending].map((frame) => frame?.send({ type: 'set-theme', theme: next.theme }));
      if (next.refreshInterval !== before.refreshInterval && !run) planRefresh();
      if (toRequest(next) !== toRequest(before)) ask(next);
      // A frame hears of it when it boots, and never again.
      if (spoken && next.autoHeight !== before.autoHeight) renew();
      catchUp();
    },
    refresh() {
      retries = 0;
      if (!run) void start();
    },
    setFilters: (customFilters) => ask({ ...asked, customFilters }),
    get iframe() {
      return current?.element;
    },
  };
}
