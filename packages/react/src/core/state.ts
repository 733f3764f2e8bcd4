import { isRefusal, isTransient } from './error.ts';
import type { EmbedError } from './error.ts';
import { maxRetries, maxRetryAfterSeconds } from './limits.ts';
import type { EmbedState } from './options.ts';

/**
 * `due`: a load starts as soon as the embed is visible. `loading`: the portal has the URL.
 * `pausing`: a failed load waits for its next attempt. `settled`: no load is running.
 */
export type Phase = 'unmounted' | 'due' | 'minting' | 'loading' | 'pausing' | 'settled';

export interface LoadState {
  phase: Phase;
  /** A report is visible. */
  isShown?: boolean | undefined;
  /** The visible report is not the requested one, so an error removes it. */
  isOutdated?: boolean | undefined;
  /** Number of retries of the load. */
  retries: number;
  /** The last error, until a load starts. */
  error?: EmbedError | undefined;
}

/** The events, each with its details. */
export interface LoadEvents {
  /** The load starts as soon as the embed is visible. */
  queued: [];
  /** A load with a new retry budget. `isChange`: of another report, flag or filter. */
  requested: [isChange?: boolean];
  started: [];
  minted: [];
  shown: [];
  /** The report has been visible for a while, so it gets a new retry budget. */
  stable: [];
  /** The page has lost its session or document. `isVisible`: it still shows the data. */
  lost: [isVisible?: boolean];
  /** Within the retry budget, the load is tried again. */
  failed: [error: EmbedError];
}
export type LoadEvent = keyof LoadEvents;

export const initialState: LoadState = {
  phase: 'unmounted',
  retries: 0,
};

/** Returns what the event changes. */
type Change<Type extends LoadEvent> = (
  state: LoadState,
  ...details: LoadEvents[Type]
) => Partial<LoadState>;
type Changes = { [Type in LoadEvent]?: Change<Type> };

/** The events of every phase of a mounted embed. */
const whileMounted: Changes = {
  requested: ({ isOutdated }, isChange) => ({
    phase: 'due',
    retries: 0,
    isOutdated: isOutdated || isChange,
  }),
  lost: ({ isShown }, isVisible) => ({ isShown: isShown && isVisible, isOutdated: true }),
  failed: ({ isShown, isOutdated, retries }, error) =>
    isTransient(error) && error.retryAfter < maxRetryAfterSeconds && retries < maxRetries
      ? { phase: 'pausing', error, retries: retries + 1 }
      : { phase: 'settled', error, isShown: isShown && !isOutdated && !isRefusal(error) },
};

const shown = (): Partial<LoadState> => ({
  phase: 'settled',
  isShown: true,
  isOutdated: false,
  error: undefined,
});

/** The transitions. An event without an entry is ignored. */
const transitions: Record<Phase, Changes> = {
  unmounted: { queued: () => ({ phase: 'due' }) },
  due: { ...whileMounted, started: () => ({ phase: 'minting', error: undefined }) },
  minting: { ...whileMounted, minted: () => ({ phase: 'loading' }) },
  loading: { ...whileMounted, shown },
  pausing: { ...whileMounted, queued: () => ({ phase: 'due' }) },
  settled: { ...whileMounted, shown, stable: () => ({ retries: 0 }) },
};

export function reduce<Type extends LoadEvent>(
  state: LoadState,
  type: Type,
  ...details: LoadEvents[Type]
): LoadState {
  const change = transitions[state.phase][type];
  return change ? { ...state, ...change(state, ...details) } : state;
}

/** Returns the state for the host; `undefined` before the first load. */
export function computeStatus({
  phase,
  isShown,
  error,
}: LoadState): EmbedState['status'] | undefined {
  const isIdle = phase === 'settled' || phase === 'due';
  if (isShown) return isIdle ? 'ready' : 'refreshing';
  if (isIdle) return error && 'failed';
  return phase === 'loading' ? phase : 'minting';
}

/** Milliseconds until the next attempt. The first one after a lost session needs no delay. */
export const computePause = ({ error, retries }: LoadState) =>
  1 +
  (error!.retryAfter +
    (Math.random() * (error!.cause === 'session_lost' ? retries - 1 : retries)) / 2) *
    1000;
