/** Resolves after `ms`, or at once when the signal aborts; then nothing of it is left. */
export const wait = (ms: number, signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)));
  });
