/** Runs work when the turn of its owner has come. */
export type TakeTurn = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets at most `concurrency` works run at the same time. Those that wait take turns by their owner:
 * nobody waits for all that another one has queued up.
 */
export function createTurns(concurrency: number): TakeTurn {
  // In the order of their turns: whoever had one and wants another goes to the end.
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  function startNext(): void {
    const [next] = waiting;
    if (!next || running === concurrency) return;
    const [owner, queue] = next;
    waiting.delete(owner);
    const start = queue.shift()!;
    if (queue.length > 0) waiting.set(owner, queue);
    running += 1;
    start();
  }

  return async (owner, work) => {
    await new Promise<void>((start) => {
      const queue = waiting.get(owner) ?? [];
      queue.push(start);
      waiting.set(owner, queue);
      startNext();
    });
    try {
      return await work();
    } finally {
      running -= 1;
      startNext();
    }
  };
}
