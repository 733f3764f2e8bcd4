/** Bounds how much work runs at the same time. A short queue holds more; the rest is rejected. */
export interface Gate {
  /** Runs the work when it is its turn. Throws `Overload` at once if the queue is full. */
  run: <Result>(work: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;
}

export class Overload extends Error {
  override readonly name = 'Overload';
}

export function createGate(concurrent: number, queued: number): Gate {
  let running = 0;
  const waiting = new Set<() => void>();

  const waitForTurn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const stopWaiting = () => {
        waiting.delete(start);
        reject(signal.reason as Error);
      };
      const start = () => {
        waiting.delete(start);
        signal.removeEventListener('abort', stopWaiting);
        resolve();
      };
      waiting.add(start);
      signal.addEventListener('abort', stopWaiting, { once: true });
    });

  return {
    async run(work, signal) {
      signal.throwIfAborted();
      if (running < concurrent) running += 1;
      else if (waiting.size < queued) await waitForTurn(signal);
      else throw new Overload(`${concurrent} mints are running and ${queued} are waiting`);
      try {
        return await work();
      } finally {
        // Hands the place to the next in the queue, so that no other work takes it in between.
        const [next] = waiting;
        if (next) next();
        else running -= 1;
      }
    },
  };
}
