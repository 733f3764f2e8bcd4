import type { CustomFilter } from '@portal-embed/contract';
import type { FileFormat } from '@portal-embed/contract/frame';

import { invokeCallback } from './callback.ts';
import { createEmbedError, isRefusal, isTransient } from './error.ts';
import type { EmbedError } from './error.ts';
import { createFrame, findWindow } from './frame.ts';
import type { FrameHandlers } from './frame.ts';
import { defaultTimeoutMs, stableAfterMs } from './limits.ts';
import { describeAnswer, describeFailure, isolationText } from './messages.ts';
import type { FrameFailureCause } from './messages.ts';
import { mintUrl } from './mint.ts';
import { serializeRequest } from './options.ts';
import type { EmbedOptions, EmbedState } from './options.ts';
import { computePause, computeStatus, initialState, reduce } from './state.ts';
import type { LoadEvent, LoadEvents, Phase } from './state.ts';
import { runAfter } from './wait.ts';

/** Methods of a mounted embed. */
export interface EmbedHandle {
  /**
   * Fetches a new URL and shows the report through it, also while the embed is out of view. Does
   * nothing while a load is running or waits for its retry.
   */
  refresh: () => void;
  /** Fetches a new URL with these filters, which replace those of the props until the props change. */
  setFilters: (filters: CustomFilter[]) => void;
  /**
   * Downloads a tile of the visible page in the reader's browser.
   *
   * @param tile title of the tile; default: the first one that has values
   */
  export: (format: FileFormat, tile?: string) => void;
  /** Opens the browser's print dialog for the visible page of the report. */
  print: () => void;
  /** The visible frame. */
  readonly iframe: HTMLIFrameElement | undefined;
}

export interface Embed extends EmbedHandle {
  /** Starts in `container`, which needs `position: relative`. Returns a function that unmounts. */
  mount: (container: HTMLElement) => () => void;
  /** Applies the options. It can be called before `mount`. Equal values change nothing. */
  update: (options: EmbedOptions) => void;
}

/** Fetches URLs and shows the report in a frame, without any framework. */
export function createEmbed(onState: (state: EmbedState) => void): Embed {
  let isInView: boolean | undefined;
  let options: EmbedOptions = {};
  /** The options, with the filters of `setFilters`. */
  let requested = options;
  let state = initialState;
  let emitted: EmbedState['status'] | undefined;
  /** The document and window of the container. This module may run in another window. */
  let page: Document;
  let view: typeof window;
  /** Owns the request and timers of the current phase. */
  let step = new AbortController();

  const emitState = () => {
    const status = computeStatus(state);
    if (!status || status === emitted) return;
    emitted = status;
    const next = { status, error: status === 'failed' ? state.error : undefined } as EmbedState;
    onState(next);
    void invokeCallback(options.onStateChange, next);
  };

  const enterPhase = () => {
    step.abort();
    step = new AbortController();
    phases[state.phase]?.();
  };

  const dispatch = <Type extends LoadEvent>(type: Type, detail?: LoadEvents[Type]) => {
    const { phase } = state;
    state = reduce(state, type, detail as LoadEvents[Type]);
    const next = state.phase;
    if (next !== phase) enterPhase();
    frame.setShown(state.isShown, state.phase === 'loading');
    // The first state is emitted when the first request starts, after `mount` has returned.
    if (emitted) emitState();
    return next;
  };

  const request = (isChange?: boolean) => dispatch('requested', isChange);

  const fail = (error: EmbedError) => {
    if (dispatch('failed', error) === 'settled') void invokeCallback(options.onError, error);
  };

  /** Creates the error of a failure that only this page can see. */
  const createFailure = (cause: FrameFailureCause) =>
    createEmbedError(cause, describeFailure(cause, frame.origin!, view.parent !== view));

  const limitTime = () =>
    runAfter(options.timeout ?? defaultTimeoutMs, step.signal, () => {
      if (state.phase === 'minting') {
        const cause = 'endpoint_unreachable';
        fail(createEmbedError(cause, describeAnswer(cause, options)));
        return;
      }
      const error = createFailure(frame.hasBooted ? 'timed_out' : 'no_response');
      // The page may never answer again.
      if (!state.isShown) frame.close();
      fail(error);
    });

  const startIfVisible = () => {
    if (state.phase === 'due' && !page.hidden && (isInView || !options.lazy)) dispatch('started');
  };

  const beginRequest = () => {
    limitTime();
    frame.preload();
    emitState();
  };

  const mint = async () => {
    const { signal } = step;
    try {
      const body = serializeRequest(requested);
      const minted = await mintUrl(options, body, signal, beginRequest, state.retries === 0);
      if (signal.aborted) return;
      dispatch('minted');
      // A callback of the host may have unmounted the embed or requested another load.
      if (state.phase === 'loading') frame.open(minted);
    } catch (error) {
      if (!signal.aborted) fail(error as EmbedError);
    }
  };

  /** The work that starts with each phase. */
  const phases: Partial<Record<Phase, () => unknown>> = {
    due: startIfVisible,
    minting: mint,
    loading: limitTime,
    pausing: () => runAfter(computePause(state), step.signal, () => dispatch('queued')),
    settled() {
      if (state.isShown) runAfter(stableAfterMs, step.signal, () => dispatch('stable'));
      if (!isRefusal(state.error)) runAfter(options.refreshInterval, step.signal, request);
    },
  };

  const onReady: FrameHandlers['onReady'] = (event) => {
    // A visible page without the frame channel may load another document.
    if (event.unverified && state.phase !== 'loading') return;
    const { isShown } = state;
    dispatch('shown');
    void invokeCallback(isShown ? options.onRefresh : options.onReady, event);
  };

  const onFailed: FrameHandlers['onFailed'] = (cause) => {
    const error =
      cause === 'blocked_by_host' ? createEmbedError(cause, isolationText) : createFailure(cause);
    if (state.phase === 'loading') fail(error);
    // The page shows its failure to the reader.
    else void invokeCallback(options.onError, error);
  };

  const onLost: FrameHandlers['onLost'] = (cause, isVisible) => {
    const isLoading = state.phase === 'loading';
    // A URL that was refused does not end the report that is visible.
    if (!isLoading || !isVisible) dispatch('lost', isVisible);
    // In other phases, a load is running already.
    if (cause && (isLoading || state.phase === 'settled')) fail(createFailure(cause));
  };

  const frame = createFrame(onReady, onFailed, onLost);

  const applyRequest = (next: EmbedOptions) => {
    requested = next;
    request(true);
  };

  const handleWake = () => {
    if (state.phase === 'settled' && isTransient(state.error)) request();
    startIfVisible();
  };

  return {
    mount(container) {
      const lifetime = new AbortController();
      // An AbortController has the shape of listener options: its `signal` removes the listener.
      page = container.ownerDocument;
      view = findWindow(page);
      view.addEventListener('online', handleWake, lifetime);
      view.addEventListener('visibilitychange', handleWake, lifetime);
      // The user may have signed out since the page went into the back/forward cache.
      view.addEventListener('pageshow', (event) => event.persisted && request(), lifetime);
      const observer =
        view.IntersectionObserver &&
        new view.IntersectionObserver((entries) => {
          isInView = entries.pop()!.isIntersecting;
          startIfVisible();
        });
      observer?.observe(container);
      frame.mount(container, lifetime);
      dispatch('queued');
      return () => {
        lifetime.abort();
        observer?.disconnect();
        emitted = isInView = undefined;
        state = initialState;
        enterPhase();
        frame.close();
        onState({ status: 'idle' });
      };
    },
    update(next) {
      const previous = options;
      options = next;
      frame.update(next);
      if (next.refreshInterval !== previous.refreshInterval && state.phase === 'settled')
        enterPhase();
      if (serializeRequest(next) !== serializeRequest(previous)) applyRequest(next);
      startIfVisible();
    },
    refresh() {
      if (state.phase === 'settled') request();
      dispatch('started');
    },
    setFilters: (customFilters) => applyRequest({ ...requested, customFilters }),
    export: (format, tile) => frame.send({ type: 'export', format, tile }),
    print: () => frame.send({ type: 'print' }),
    get iframe() {
      return state.isShown ? frame.iframe : undefined;
    },
  };
}
