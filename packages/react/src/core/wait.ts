/** A longer `setTimeout` would fire at once. */
const maxTimerMs = 2e9;

/** Calls back after `ms`, unless the signal aborts. Values that are no possible delay mean never. */
export function runAfter(ms: number | undefined, signal: AbortSignal, callback: () => unknown) {
  if (ms! > 0 && ms! < maxTimerMs) {
    const timer = setTimeout(callback, ms);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }
}

/** Resolves after `ms`, or when the signal aborts, which clears the timer. */
export const wait = (ms: number, signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    runAfter(ms, signal, resolve as () => void);
    signal.addEventListener('abort', resolve);
  });
