/** Runs one computation. Aborting `turn` stops it. `onStart` is called when it leaves the queue. */
export type Run<Result> = (turn: AbortSignal, onStart: () => void) => Promise<Result>;

interface Waiter<Result> {
  turn: AbortController;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * One computation that concurrent callers share. Each caller queues for its own turn, and the first
 * turn computes the result for all. The computation is aborted when the last caller has left.
 */
export class Flight<Result> {
  readonly #waiters = new Set<Waiter<Result>>();
  readonly #onEnd: () => void;
  #runner: Waiter<Result> | undefined;

  /** @param onEnd called when the flight accepts no more callers */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Waits for the result. `run` computes it in this caller's turn; `signal` ends the wait. */
  join(run: Run<Result>, signal: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiter = { turn: new AbortController(), resolve, reject };
      const abort = () => {
        this.#remove(waiter);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiters.add(waiter);
      const stopListening = () => signal.removeEventListener('abort', abort);
      waiter.resolve = (result) => {
        stopListening();
        resolve(result);
      };
      waiter.reject = (error) => {
        stopListening();
        reject(error);
      };
      if (!this.#runner) void this.#wait(waiter, run);
    });
  }

  async #wait(waiter: Waiter<Result>, run: Run<Result>): Promise<void> {
    try {
      const result = await run(waiter.turn.signal, () => this.#start(waiter));
      this.#end((each) => each.resolve(result));
    } catch (error) {
      if (this.#runner === waiter) this.#end((each) => each.reject(error));
      else if (!waiter.turn.signal.aborted) {
        this.#remove(waiter);
        waiter.reject(error);
      }
    }
  }

  /** If two turns start at once, the second one is already aborted. */
  #start(runner: Waiter<Result>): void {
    if (this.#runner) return;
    this.#runner = runner;
    for (const waiter of this.#waiters) if (waiter !== runner) waiter.turn.abort();
  }

  #end(stopListening: (waiter: Waiter<Result>) => void): void {
    this.#onEnd();
    for (const waiter of this.#waiters) stopListening(waiter);
  }

  #remove(waiter: Waiter<Result>): void {
    this.#waiters.delete(waiter);
    if (this.#runner !== waiter) waiter.turn.abort();
    if (this.#waiters.size > 0) return;
    this.#onEnd();
    this.#runner?.turn.abort();
  }
}
