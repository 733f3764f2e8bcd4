/** No more requests may be sent: a limit of the run is reached, or the run was interrupted. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';
}

export interface Limits {
  /** Total time of each request with its answer, in seconds. Default 10. */
  timeoutSeconds: number;
  /** Total time of the run without the removal of what it created, in seconds. Default 180. */
  maxSeconds: number;
  /** Number of requests without the removal of what the run created. Default 600. */
  maxRequests: number;
  /** Size of an answer's body in bytes. Default 5,000,000. */
  maxAnswerBytes: number;
}

export const defaultLimits: Limits = {
  timeoutSeconds: 10,
  maxSeconds: 180,
  maxRequests: 600,
  maxAnswerBytes: 5_000_000,
};

/** What the removal of created objects may take in addition, so that a run that was cut off still cleans up. */
const cleanupLimits = { maxSeconds: 60, maxRequests: 300 };

/** Counts requests and time. */
export class Meter {
  requests = 0;
  #maxRequests: number;
  #deadline: number;
  readonly #limits: Limits;
  #signal: AbortSignal;

  constructor(limits: Limits, signal: AbortSignal) {
    this.#limits = limits;
    this.#maxRequests = limits.maxRequests;
    this.#deadline = performance.now() + limits.maxSeconds * 1_000;
    this.#signal = signal;
  }

  /** Allows the requests of the clean-up, also after an interruption. `signal` ends them early. */
  startCleanup(signal: AbortSignal): void {
    this.#maxRequests = this.requests + cleanupLimits.maxRequests;
    this.#deadline = performance.now() + cleanupLimits.maxSeconds * 1_000;
    this.#signal = signal;
  }

  /** Ends the requests and pauses of the current part of the run. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  /**
   * Counts a request, and returns how long it may take.
   *
   * @throws LimitReached
   */
  start(): { timeoutMs: number; maxBytes: number; signal: AbortSignal } {
    const { timeoutSeconds, maxAnswerBytes, maxSeconds } = this.#limits;
    if (this.#signal.aborted) throw new LimitReached('the run was interrupted');
    if (this.requests >= this.#maxRequests)
      throw new LimitReached(
        `the limit of ${this.#limits.maxRequests} requests is reached (--max-requests)`,
      );
    const leftMs = this.#deadline - performance.now();
    if (leftMs <= 0)
      throw new LimitReached(`the limit of ${maxSeconds} seconds is reached (--max-seconds)`);
    this.requests += 1;
    return {
      timeoutMs: Math.min(timeoutSeconds * 1_000, leftMs),
      maxBytes: maxAnswerBytes,
      signal: this.#signal,
    };
  }

  /** Milliseconds until the deadline of the run. */
  get leftMs(): number {
    return Math.max(0, this.#deadline - performance.now());
  }
}
