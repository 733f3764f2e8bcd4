import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `work` now, and again `intervalMs` after it ends.
 *
 * @param work gets a signal that aborts when `work` must stop
 * @returns a function that stops the repetition and waits for work in progress
 */
export function repeat(
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await work(signal).catch(onError);
      await delay(intervalMs, undefined, { signal }).catch(() => {});
    }
  }
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
