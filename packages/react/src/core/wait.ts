/** Resolves after `ms`, or when the signal aborts, which clears the timer. */
export const wait = (ms: number, signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)));
  });
