import { isRefusal, isTransient } from './error.ts';
import type { EmbedError } from './error.ts';
import type { EmbedState } from './options.ts';

const maxRetries = 3;
/** A load with this `Retry-After` or a longer one fails at once. */
const maxRetryAfterSeconds = 60;
/** A report that is visible this long gets a new retry budget. */
const stableAfterMs = 10_000;

/**
 * `due`: a load starts as soon as the embed is visible. `loading`: the portal has the URL.
 * `pausing`: a failed load waits for its next attempt. `settled`: no load is running.
 */
export type Phase = 'unmounted' | 'due' | 'minting' | 'loading' | 'pausing' | 'settled';

export interface LoadState {
  phase: Phase;
  /** A report is visible. */
  isShown?: boolean | undefined;
  /** The visible report is not the requested one, so a failure removes it. */
  isOutdated?: boolean | undefined;
  /** Number of retries of the load. */
  retries: number;
  /** After this value of `performance.now()`, a lost report gets a new retry budget. */
  stableAt: number;
  /** The last failure, until a load starts. */
  failure?: EmbedError | undefined;
}

/** The events, each with its detail. */
export interface LoadEvents {
  mounted: undefined;
  /** A load with a new retry budget. True for another report, flag or filter. */
  requested: boolean | undefined;
  started: undefined;
  minted: undefined;
  shown: undefined;
  /** The page has lost its session or document. True if it still shows the data. */
  lost: boolean;
  failed: EmbedError;
  /** A failure within the retry budget. */
  retried: EmbedError;
  elapsed: undefined;
}
export type LoadEvent = keyof LoadEvents;

export const initialState: LoadState = {
  phase: 'unmounted',
  retries: 0,
  stableAt: Infinity,
};

type Transitions = Partial<Record<LoadEvent, Phase>>;

/** The next phase. An event without an entry here and in `whileMounted` is ignored. */
const transitions: Record<Phase, Transitions> = {
  unmounted: { mounted: 'due' },
  due: { started: 'minting' },
  minting: { minted: 'loading' },
  loading: { shown: 'settled' },
  pausing: { elapsed: 'due' },
  settled: { shown: 'settled' },
};

/** The next phase from any phase of a mounted embed. */
const whileMounted: Transitions = {
  requested: 'due',
  failed: 'settled',
  retried: 'pausing',
};

/** What an event changes beside the phase. `now` is `performance.now()`. */
const changes: {
  [Type in LoadEvent]?: (
    state: LoadState,
    detail: LoadEvents[Type],
    now: number,
  ) => Partial<LoadState>;
} = {
  requested: ({ isOutdated }, isChange) => ({ retries: 0, isOutdated: isOutdated || isChange }),
  started: () => ({ failure: undefined }),
  shown: (_state, _detail, now) => ({
    isShown: true,
    isOutdated: false,
    failure: undefined,
    stableAt: now + stableAfterMs,
  }),
  lost: ({ isShown, retries, stableAt }, isVisible, now) => ({
    isShown: isShown && isVisible,
    isOutdated: true,
    retries: now > stableAt ? 0 : retries,
    // The next budget needs another stable report.
    stableAt: Infinity,
  }),
  failed: ({ isShown, isOutdated }, failure) => ({
    failure,
    isShown: isShown && !isOutdated && !isRefusal(failure.cause),
  }),
  retried: ({ retries }, failure) => ({ failure, retries: retries + 1 }),
};

export function reduce<Type extends LoadEvent>(
  state: LoadState,
  type: Type,
  detail: LoadEvents[Type],
  now: number,
): LoadState {
  const phase =
    transitions[state.phase][type] ??
    (state.phase !== 'unmounted' && (type === 'lost' ? state.phase : whileMounted[type]));
  return phase ? { ...state, ...changes[type]?.(state, detail, now), phase } : state;
}

/** Whether another attempt may succeed. */
export const canRetry = ({ retries }: LoadState, { cause, retryAfter }: EmbedError) =>
  isTransient(cause) && retryAfter < maxRetryAfterSeconds && retries < maxRetries;

/** Returns the state for the host; `undefined` before the first load. */
export function computeStatus({
  phase,
  isShown,
  failure,
}: LoadState): EmbedState['status'] | undefined {
  const isIdle = phase === 'settled' || phase === 'due';
  if (isShown) return isIdle ? 'ready' : 'refreshing';
  if (isIdle && failure) return 'failed';
  if (phase === 'due') return undefined;
  return phase === 'loading' ? phase : 'minting';
}

/** Milliseconds until the next attempt. The first one after a lost session needs no delay. */
export const computePause = ({ failure, retries }: LoadState) =>
  1 +
  (failure!.retryAfter +
    (Math.random() * (failure!.cause === 'session_lost' ? retries - 1 : retries)) / 2) *
    1000;
