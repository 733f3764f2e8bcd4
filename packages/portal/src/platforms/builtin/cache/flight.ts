/** Runs one computation. Aborting `turn` stops it; `onStart` is called when it no longer waits. */
export type Run<Result> = (turn: AbortSignal, onStart: () => void) => Promise<Result>;

interface Waiter<Result> {
  turn: AbortController;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * One computation for everyone who asks for it at the same time. Each waits for a turn of their own,
 * and the first turn computes for all. It stops when nobody waits any more.
 */
export class Flight<Result> {
  readonly #waiters = new Set<Waiter<Result>>();
  readonly #onEnd: () => void;
  #runner: Waiter<Result> | undefined;

  /** @param onEnd called when nobody can join any more */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Waits for the result; `signal` ends the wait. `run` is this waiter's own way to compute it. */
  join(run: Run<Result>, signal: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiter = { turn: new AbortController(), resolve, reject };
      const leave = () => {
        this.#remove(waiter);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiters.add(waiter);
      const settle = () => signal.removeEventListener('abort', leave);
      waiter.resolve = (result) => {
        settle();
        resolve(result);
      };
      waiter.reject = (error) => {
        settle();
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

  /** Two turns can come at once: the second one's is aborted by then. */
  #start(runner: Waiter<Result>): void {
    if (this.#runner) return;
    this.#runner = runner;
    for (const waiter of this.#waiters) if (waiter !== runner) waiter.turn.abort();
  }

  #end(settle: (waiter: Waiter<Result>) => void): void {
    this.#onEnd();
    for (const waiter of this.#waiters) settle(waiter);
  }

  #remove(waiter: Waiter<Result>): void {
    this.#waiters.delete(waiter);
    if (this.#runner !== waiter) waiter.turn.abort();
    if (this.#waiters.size > 0) return;
    this.#onEnd();
    this.#runner?.turn.abort();
  }
}
