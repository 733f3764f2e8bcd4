import type { CustomFilter } from '@portal-embed/contract';
import type { FileFormat } from '@portal-embed/contract/frame';

import { invokeCallback } from './callback.ts';
import { createEmbedError, isRefusal, isTransient } from './error.ts';
import type { EmbedError } from './error.ts';
import { Frame } from './frame.ts';
import type { FrameHandlers } from './frame.ts';
import { defaultTimeoutMs, stableAfterMs } from './limits.ts';
import { describeAnswer, describeFailure, isolationText } from './messages.ts';
import type { FrameFailureCause } from './messages.ts';
import { mintUrl } from './mint.ts';
import { serializeRequest } from './options.ts';
import type { EmbedOptions, EmbedState, ReadyEvent } from './options.ts';
import { computePause, computeStatus, initialState, reduce } from './state.ts';
import type { LoadEvent, LoadEvents } from './state.ts';
import { runAfter } from './wait.ts';
import { findWindow } from './window.ts';

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
export const createEmbed = (onState: (state: EmbedState) => void): Embed =>
  new EmbedController(onState).embed;

class EmbedController implements FrameHandlers {
  /** A plain object, because hosts may call its methods without it, or wrap it in a proxy. */
  readonly embed: Embed;
  readonly #onState: (state: EmbedState) => void;
  readonly #frame = new Frame(this);
  #options: EmbedOptions = {};
  /** The options, with the filters of `setFilters`. */
  #requested = this.#options;
  #state = initialState;
  /** The latest status that the host knows; `undefined` until the first request starts. */
  #emitted: EmbedState['status'] | undefined;
  /** Owns the request and timers of the current phase. */
  #step = new AbortController();
  /** The document and window of the container. This module may run in another window. */
  #document!: Document;
  #window!: typeof window;
  #isInView = false;

  constructor(onState: (state: EmbedState) => void) {
    this.#onState = onState;
    const getIframe = () => (this.#state.isShown ? this.#frame.iframe : undefined);
    this.embed = {
      mount: (container) => this.#mount(container),
      update: (options) => this.#update(options),
      refresh: () => {
        if (this.#state.phase === 'settled') this.#dispatch('requested');
        this.#dispatch('started');
      },
      setFilters: (customFilters) => this.#applyRequest({ ...this.#requested, customFilters }),
      export: (format, tile) => this.#frame.send({ type: 'export', format, tile }),
      print: () => this.#frame.send({ type: 'print' }),
      get iframe() {
        return getIframe();
      },
    };
  }

  #mount(container: HTMLElement) {
    const lifetime = new AbortController();
    const { signal } = lifetime;
    this.#document = container.ownerDocument;
    const view = findWindow(this.#document);
    this.#window = view;
    view.addEventListener('online', () => this.#handleWake(), { signal });
    view.addEventListener('visibilitychange', () => this.#handleWake(), { signal });
    // The user may have signed out since the page went into the back/forward cache.
    view.addEventListener('pageshow', (event) => event.persisted && this.#dispatch('requested'), {
      signal,
    });
    const observer =
      view.IntersectionObserver &&
      new view.IntersectionObserver((entries) => {
        this.#isInView = entries.pop()!.isIntersecting;
        this.#startIfVisible();
      });
    observer?.observe(container);
    this.#frame.mount(container, signal);
    this.#dispatch('queued');
    return () => {
      lifetime.abort();
      observer?.disconnect();
      this.#unmount();
    };
  }

  #unmount() {
    this.#isInView = false;
    this.#emitted = undefined;
    this.#state = initialState;
    this.#enterPhase();
    this.#frame.close();
    this.#onState({ status: 'idle' });
  }

  #update(options: EmbedOptions) {
    const previous = this.#options;
    this.#options = options;
    this.#frame.update(options);
    // A new interval starts now.
    if (options.refreshInterval !== previous.refreshInterval && this.#state.phase === 'settled')
      this.#enterPhase();
    if (serializeRequest(options) !== serializeRequest(previous)) this.#applyRequest(options);
    this.#startIfVisible();
  }

  #applyRequest(requested: EmbedOptions) {
    this.#requested = requested;
    this.#dispatch('requested', true);
  }

  #dispatch<Type extends LoadEvent>(type: Type, ...details: LoadEvents[Type]) {
    const { phase } = this.#state;
    this.#state = reduce(this.#state, type, ...details);
    const next = this.#state.phase;
    if (next !== phase) this.#enterPhase();
    this.#frame.setShown(this.#state.isShown, this.#state.phase === 'loading');
    // The first state is emitted when the first request starts, after `mount` has returned.
    if (this.#emitted) this.#emitState();
    return next;
  }

  /** Starts the work of the phase, and ends that of the previous one. */
  #enterPhase() {
    this.#step.abort();
    this.#step = new AbortController();
    const { signal } = this.#step;
    const { phase, isShown, error } = this.#state;
    switch (phase) {
      case 'unmounted':
        break;
      case 'due':
        this.#startIfVisible();
        break;
      case 'minting':
        void this.#mint(signal);
        break;
      case 'loading':
        this.#limitTime();
        break;
      case 'pausing':
        runAfter(computePause(this.#state), signal, () => this.#dispatch('queued'));
        break;
      case 'settled':
        if (isShown) runAfter(stableAfterMs, signal, () => this.#dispatch('stable'));
        if (!isRefusal(error))
          runAfter(this.#options.refreshInterval, signal, () => this.#dispatch('requested'));
        break;
    }
  }

  #startIfVisible() {
    if (
      this.#state.phase === 'due' &&
      !this.#document.hidden &&
      (this.#isInView || !this.#options.lazy)
    )
      this.#dispatch('started');
  }

  #handleWake() {
    if (this.#state.phase === 'settled' && isTransient(this.#state.error))
      this.#dispatch('requested');
    this.#startIfVisible();
  }

  async #mint(signal: AbortSignal) {
    try {
      const minted = await mintUrl(
        this.#options,
        serializeRequest(this.#requested),
        signal,
        () => this.#beginRequest(),
        this.#state.retries === 0,
      );
      if (signal.aborted) return;
      this.#dispatch('minted');
      // A callback of the host may have unmounted the embed or requested another load.
      if (this.#state.phase === 'loading') this.#frame.open(minted);
    } catch (error) {
      if (!signal.aborted) this.#fail(error as EmbedError);
    }
  }

  #beginRequest() {
    this.#limitTime();
    this.#frame.preload();
    this.#emitState();
  }

  #limitTime() {
    runAfter(this.#options.timeout ?? defaultTimeoutMs, this.#step.signal, () =>
      this.#handleTimeout(),
    );
  }

  #handleTimeout() {
    if (this.#state.phase === 'minting') {
      const cause = 'endpoint_unreachable';
      this.#fail(createEmbedError(cause, describeAnswer(cause, this.#options)));
      return;
    }
    const error = this.#createFailure(this.#frame.hasBooted ? 'timed_out' : 'no_response');
    // The page may never answer again.
    if (!this.#state.isShown) this.#frame.close();
    this.#fail(error);
  }

  onReady(event: ReadyEvent) {
    const { phase, isShown } = this.#state;
    // A visible page without the frame channel may load another document.
    if (event.unverified && phase !== 'loading') return;
    this.#dispatch('shown');
    void invokeCallback(isShown ? this.#options.onRefresh : this.#options.onReady, event);
  }

  onFailed(cause: FrameFailureCause) {
    const error =
      cause === 'blocked_by_host'
        ? createEmbedError(cause, isolationText)
        : this.#createFailure(cause);
    if (this.#state.phase === 'loading') this.#fail(error);
    // The page shows its failure to the reader.
    else void invokeCallback(this.#options.onError, error);
  }

  onLost(cause?: FrameFailureCause, isVisible?: boolean) {
    const isLoading = this.#state.phase === 'loading';
    // A URL that was refused does not end the report that is visible.
    if (!isLoading || !isVisible) this.#dispatch('lost', isVisible);
    // In other phases, a load is running already.
    if (cause && (isLoading || this.#state.phase === 'settled'))
      this.#fail(this.#createFailure(cause));
  }

  #fail(error: EmbedError) {
    if (this.#dispatch('failed', error) === 'settled')
      void invokeCallback(this.#options.onError, error);
  }

  /** Creates the error of a failure that only this page can see. */
  #createFailure(cause: FrameFailureCause) {
    const isFramed = this.#window.parent !== this.#window;
    return createEmbedError(cause, describeFailure(cause, this.#frame.origin, isFramed));
  }

  #emitState() {
    const status = computeStatus(this.#state);
    if (!status || status === this.#emitted) return;
    this.#emitted = status;
    const state: EmbedState =
      status === 'failed' ? { status, error: this.#state.error! } : { status };
    this.#onState(state);
    void invokeCallback(this.#options.onStateChange, state);
  }
}
