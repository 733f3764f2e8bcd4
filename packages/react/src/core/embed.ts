import type { CustomFilter } from '@portal-embed/contract';
import type { FileFormat, FrameOptions } from '@portal-embed/contract/frame';

import { invokeCallback } from './callback.ts';
import { createEmbedError, isRefusal, isTransient } from './error.ts';
import type { EmbedError } from './error.ts';
import { mintUrl } from './mint.ts';
import { serializeFrameOptions, serializeRequest } from './options.ts';
import type { EmbedOptions, EmbedState } from './options.ts';
import { createPage } from './page.ts';
import type { PageHandlers } from './page.ts';
import { canRetry, computePause, computeStatus, initialState, reduce } from './state.ts';
import type { LoadEvent, LoadEvents, Phase } from './state.ts';
import { runAfter } from './wait.ts';

const defaultTimeoutMs = 30_000;

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
  /** Owns the request and timers of the current phase. */
  let step = new AbortController();

  const emitState = () => {
    const status = computeStatus(state);
    if (!status || status === emitted) return;
    emitted = status;
    const next = { status, error: status === 'failed' ? state.failure : undefined } as EmbedState;
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
    state = reduce(state, type, detail as LoadEvents[Type], performance.now());
    if (state.phase !== phase) enterPhase();
    page.setVisible(state.isShown, state.phase === 'loading');
    // The first state is emitted when the first request starts, after `mount` has returned.
    if (emitted) emitState();
  };

  const request = (isChange?: boolean) => dispatch('requested', isChange);

  const fail = (error: EmbedError) => {
    const isFinal = !canRetry(state, error);
    dispatch(isFinal ? 'failed' : 'retried', error);
    if (isFinal) void invokeCallback(options.onError, error);
  };

  const limitTime = () =>
    runAfter(options.timeout ?? defaultTimeoutMs, step.signal, () => {
      const pageCause = page.frame?.accepts ? 'timed_out' : 'no_response';
      const isLoading = state.phase === 'loading';
      // The page may never answer again.
      if (isLoading && !state.isShown) page.close();
      fail(createEmbedError(isLoading ? pageCause : 'endpoint_unreachable'));
    });

  const startIfVisible = () => {
    if (state.phase === 'due' && !document.hidden && (isInView || !options.lazy))
      dispatch('started');
  };

  const mint = async () => {
    const { signal } = step;
    try {
      const { url, frameChannel } = await mintUrl(
        options,
        serializeRequest(requested),
        signal,
        () => {
          limitTime();
          page.prepare();
          emitState();
        },
      );
      signal.throwIfAborted();
      dispatch('minted');
      // A callback of the host may have unmounted the embed or requested another load.
      if (state.phase === 'loading') page.open(url, frameChannel);
    } catch (error) {
      if (!signal.aborted) fail(error as EmbedError);
    }
  };

  /** The work that starts with each phase. */
  const phases: Partial<Record<Phase, () => unknown>> = {
    due: startIfVisible,
    minting: mint,
    loading: limitTime,
    pausing: () => runAfter(computePause(state), step.signal, () => dispatch('elapsed')),
    settled() {
      if (!isRefusal(state.failure?.cause)) runAfter(options.refreshInterval, step.signal, request);
    },
  };

  const onReady: PageHandlers['onReady'] = (event) => {
    // A visible page without the frame channel may load another document.
    if (event.unverified && state.phase !== 'loading') return;
    const { isShown } = state;
    dispatch('shown');
    void invokeCallback(isShown ? options.onRefresh : options.onReady, event);
  };

  const onFailed: PageHandlers['onFailed'] = (cause) => {
    const error = createEmbedError(cause);
    if (state.phase === 'loading') fail(error);
    // The page shows its failure to the reader.
    else void invokeCallback(options.onError, error);
  };

  const onLost: PageHandlers['onLost'] = (cause, isVisible = false) => {
    const isLoading = state.phase === 'loading';
    // A URL that was refused does not end the report that is visible.
    if (!isLoading || !isVisible) dispatch('lost', isVisible);
    // In other phases, a load is running already.
    if (cause && (isLoading || state.phase === 'settled')) fail(createEmbedError(cause));
  };

  const page = createPage(() => options, onReady, onFailed, onLost);

  const applyRequest = (next: EmbedOptions) => {
    if (next.reportId !== requested.reportId) page.forgetPosition();
    requested = next;
    request(true);
  };

  const handleWake = () => {
    if (state.phase === 'settled' && isTransient(state.failure?.cause)) request();
    startIfVisible();
  };

  return {
    mount(container) {
      const lifetime = new AbortController();
      // An AbortController has the shape of listener options: its `signal` removes the listener.
      addEventListener('online', handleWake, lifetime);
      addEventListener('visibilitychange', handleWake, lifetime);
      // The user may have signed out since the page went into the back/forward cache.
      addEventListener('pageshow', (event) => event.persisted && request(), lifetime);
      const observer =
        window.IntersectionObserver &&
        new IntersectionObserver((entries) => {
          isInView = entries.pop()!.isIntersecting;
          startIfVisible();
        });
      observer?.observe(container);
      page.setContainer(container);
      dispatch('mounted');
      return () => {
        lifetime.abort();
        observer?.disconnect();
        emitted = isInView = undefined;
        state = initialState;
        enterPhase();
        page.close();
        onState({ status: 'idle' });
      };
    },
    update(next) {
      const previous = options;
      options = next;
      page.applyOptions();
      // A page that boots later gets the options in `connect`.
      const frameOptions = serializeFrameOptions(next);
      if (frameOptions !== serializeFrameOptions(previous))
        page.frame?.send({ type: 'set-options', ...(JSON.parse(frameOptions) as FrameOptions) });
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
    export: (format, tile) => page.frame?.send({ type: 'export', format, tile }),
    print: () => page.frame?.send({ type: 'print' }),
    get iframe() {
      return state.isShown ? page.frame?.element : undefined;
    },
  };
}
