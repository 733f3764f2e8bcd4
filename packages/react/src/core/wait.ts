import { maxTimerMs } from './limits.ts';

/** Calls back after `ms`, unless the signal is or becomes aborted. Invalid delays never call back. */
export function runAfter(ms: number | undefined, signal: AbortSignal, callback: () => unknown) {
  if (ms! > 0 && ms! < maxTimerMs && !signal.aborted) {
    const timer = setTimeout(callback, ms);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }
}

/** Resolves after `ms`, but never if the signal aborts. */
export const wait = (ms: number, signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    runAfter(ms, signal, resolve as () => void);
  });
