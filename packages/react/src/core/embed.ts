import type { CustomFilter } from '@portal-embed/contract';
import type { EmbedFailureCause, FrameState, HostMessage } from '@portal-embed/contract/frame';

import { createEmbedError, isRefusal, isTransient } from './error.ts';
import type { EmbedError } from './error.ts';
import { openFrame } from './frame.ts';
import type { ConnectOptions, Frame, FrameEvent } from './frame.ts';
import { mintUrl } from './mint.ts';
import { serializeRequest } from './options.ts';
import type { EmbedOptions, EmbedState, ReadyEvent } from './options.ts';

const defaultTimeoutMs = 30_000;
/** A longer `setTimeout` would fire at once. */
const maxTimerMs = 2e9;
const maxRetries = 3;
/** A longer `Retry-After` is an error that the reader sees. */
const maxRetryAfterSeconds = 60;
/** A frame that is visible this long gets a new retry budget. */
const stableAfterMs = 10_000;

/** Methods of a mounted embed. */
export interface EmbedHandle {
  /** Fetches a new URL and shows the report through it. Does nothing while a fetch is running. */
  refresh: () => void;
  /** Fetches a new URL with these filters, which replace those of the props until the props change. */
  setFilters: (filters: CustomFilter[]) => void;
  /** The visible frame. */
  readonly iframe: HTMLIFrameElement | undefined;
}

export interface Embed extends EmbedHandle {
  /** Starts in `container`, which needs `position: relative`. Returns a function that unmounts. */
  mount: (container: HTMLElement) => () => void;
  /** Applies the options. It can be called before `mount`. Equal values change nothing. */
  update: (options: EmbedOptions) => void;
}

/** Calls a callback of the host. It is async, so an error becomes an unhandled rejection. */
export const invokeCallback = async <Detail>(
  callback: ((detail: Detail) => void) | undefined,
  detail: Detail,
) => callback?.(detail);

/** Fetches URLs and shows the report in a frame, without any framework. */
export function createEmbed(onState: (state: EmbedState) => void): Embed {
  let container: HTMLElement | undefined;
  let options: EmbedOptions = {};
  /** The options, with the filters of `setFilters`. */
  let requested = options;
  let status: EmbedState['status'] | undefined;
  let current: Frame | undefined;
  let pending: Frame | undefined;
  let position: FrameState | undefined;
  /** Set while a new frame loads, including the pauses between retries. */
  let activeLoad: AbortController | undefined;
  /** The time limit of the active load, the next retry or the next refresh. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retries = 0;
  let stableAt: number;
  /** The current frame does not show the requested report, so a failure removes it. */
  let isOutdated: boolean | undefined;
  /** A load starts as soon as the embed is visible. */
  let isLoadDue: boolean | undefined;
  /** The last failure may be gone when the page is visible or online again. */
  let retriesOnWake: boolean | undefined;
  let isInView: boolean | undefined;
  /** Once a page has booted, later pages without `boot` are errors. */
  let lastBooted: Frame | undefined;

  const computeStatus = () => {
    if (current) return activeLoad ? 'refreshing' : 'ready';
    return pending ? 'loading' : 'minting';
  };

  const emitState = (error?: EmbedError) => {
    const next = error ? 'failed' : computeStatus();
    if (error || next !== status) {
      status = next;
      const state = { status, error } as EmbedState;
      onState(state);
      void invokeCallback(options.onStateChange, state);
    }
  };

  const setTimer = (ms: number | undefined, callback: () => unknown) => {
    clearTimeout(timer);
    if (ms! > 0 && ms! < maxTimerMs && container) timer = setTimeout(callback, ms);
  };

  /** Restarts the time limit for the next step of the load. */
  const startStep = () => {
    setTimer(options.timeout ?? defaultTimeoutMs, () => {
      const frameCause = pending === lastBooted ? 'timed_out' : 'no_response';
      handleFailure(createEmbedError(pending ? frameCause : 'endpoint_unreachable'));
    });
    emitState();
  };

  const removeCurrentFrame = () => (current = current?.close());

  const cancelLoad = () => {
    clearTimeout(timer);
    activeLoad?.abort();
    activeLoad = pending = pending?.close();
  };

  const scheduleRefresh = () => setTimer(options.refreshInterval, restart);

  const requestLoad = () => {
    cancelLoad();
    isLoadDue = true;
    loadIfDue();
  };

  /** Requests a load with a new retry budget. */
  const restart = () => {
    retries = 0;
    requestLoad();
  };

  const loadIfDue = () => {
    if (isLoadDue && !activeLoad && !document.hidden && (isInView || !options.lazy)) void load();
  };

  const handleWake = () => {
    retries = 0;
    isLoadDue ||= retriesOnWake;
    loadIfDue();
  };

  const load = async () => {
    if (!container) return;
    cancelLoad();
    isLoadDue = retriesOnWake = false;
    const { signal } = (activeLoad = new AbortController());
    if (status) emitState();
    try {
      const url = await mintUrl(options, serializeRequest(requested), signal, startStep);
      signal.throwIfAborted();
      pending = openFrame(container, url, handleFrameEvent, handleFrameFailure);
      startStep();
    } catch (error) {
      if (!signal.aborted) handleFailure(error as EmbedError);
    }
  };

  const handleFrameEvent = (frame: Frame, event: FrameEvent): ConnectOptions | void => {
    switch (event.type) {
      case 'boot':
        lastBooted = frame;
        return { theme: options.theme, autoHeight: options.autoHeight, state: position };
      case 'ready':
        if (event.unverified && (lastBooted || options.handshake === 'required'))
          handleFrameFailure(frame, 'not_answering');
        else handleReady(frame, event);
        return;
      case 'navigated':
        void invokeCallback(options.onNavigate, event);
        return;
      case 'resized':
        frame.height = event.height;
        applyFrameOptions();
        return;
      case 'state':
        // Only the visible frame knows where the reader is.
        if (frame === (current ?? pending)) {
          position = event.state;
          // The pending page checks the shape of the position.
          if (current) pending?.send(event as HostMessage);
        }
        return;
      case 'session-required':
        handleFrameFailure(frame, 'session_lost', event.reason === 'session-ended');
        return;
      case 'leaving':
      case 'reopen':
        return;
      case 'failed':
        // The page of the current frame shows its failure to the reader.
        if (frame === current) void invokeCallback(options.onError, createEmbedError(event.cause));
        else handleFrameFailure(frame, event.cause);
    }
  };

  const handleReady = (frame: Frame, event: ReadyEvent) => {
    const previous = current;
    if (frame === pending) {
      showPendingFrame(frame);
    } else if (event.unverified) return;
    void invokeCallback(previous ? options.onRefresh : options.onReady, event);
    if (!activeLoad) scheduleRefresh();
  };

  const showPendingFrame = (frame: Frame) => {
    const { element } = frame;
    const previous = current;
    const root = element.getRootNode() as Document;
    const hadFocus = root.activeElement === previous?.element;
    current = frame;
    activeLoad = pending = isOutdated = undefined;
    stableAt = performance.now() + stableAfterMs;
    element.inert = false;
    element.style.opacity = '';
    if (hadFocus) element.focus({ preventScroll: true });
    previous?.close();
    applyFrameOptions();
    emitState();
  };

  /** Applies the options that do not need a new frame. */
  const applyFrameOptions = () => {
    if (current) {
      const { element, height } = current;
      element.title = options.title ?? 'Report';
      if (height && options.autoHeight)
        container!.style.height = `${Math.min(height, options.maxHeight ?? height)}px`;
    }
  };

  const handleFrameFailure = (frame: Frame, cause: EmbedFailureCause, keepsFrame?: boolean) => {
    if (frame === current) {
      isOutdated = true;
      if (performance.now() > stableAt) retries = 0;
      if (!keepsFrame) removeCurrentFrame();
      if (activeLoad) return emitState();
    }
    handleFailure(createEmbedError(cause));
  };

  /** Handles a failure of the active load, or of the current frame if there is none. */
  const handleFailure = (error: EmbedError) => {
    const { cause, retryAfter } = error;
    cancelLoad();
    retriesOnWake = isTransient(cause);
    if (retriesOnWake && retryAfter < maxRetryAfterSeconds && ++retries <= maxRetries) {
      activeLoad = new AbortController();
      setTimer(1 + (retryAfter + (Math.random() * retries) / 2) * 1000, requestLoad);
      return emitState();
    }
    if (isOutdated || isRefusal(cause)) removeCurrentFrame();
    emitState(current ? undefined : error);
    void invokeCallback(options.onError, error);
    if (!isRefusal(cause)) scheduleRefresh();
  };

  const applyRequest = (next: EmbedOptions) => {
    if (next.reportId !== requested.reportId) position = removeCurrentFrame();
    requested = next;
    isOutdated = true;
    restart();
  };

  return {
    mount(element) {
      container = element;
      const lifetime = new AbortController();
      // An AbortController has the shape of listener options: its `signal` removes the listener.
      addEventListener('online', handleWake, lifetime);
      addEventListener('visibilitychange', handleWake, lifetime);
      const observer =
        window.IntersectionObserver &&
        new IntersectionObserver((entries) => {
          isInView = entries.pop()!.isIntersecting;
          loadIfDue();
        });
      observer?.observe(element);
      restart();
      return () => {
        lifetime.abort();
        observer?.disconnect();
        cancelLoad();
        removeCurrentFrame();
        container = status = isInView = undefined;
        onState({ status: 'idle' });
      };
    },
    update(next) {
      const previous = options;
      options = next;
      applyFrameOptions();
      // A page that boots later gets the theme in `connect`.
      if (next.theme !== previous.theme)
        [current, pending].map((frame) => frame?.send({ type: 'set-theme', theme: next.theme }));
      if (next.refreshInterval !== previous.refreshInterval && !activeLoad) scheduleRefresh();
      if (serializeRequest(next) !== serializeRequest(previous)) applyRequest(next);
      // A page takes `autoHeight` only in `connect`.
      if (lastBooted && next.autoHeight !== previous.autoHeight) restart();
      loadIfDue();
    },
    refresh() {
      retries = 0;
      if (!activeLoad) void load();
    },
    setFilters: (customFilters) => applyRequest({ ...requested, customFilters }),
    get iframe() {
      return current?.element;
    },
  };
}
