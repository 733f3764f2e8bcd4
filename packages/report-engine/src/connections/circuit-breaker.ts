import { ReportError } from '#platform';

/** Pause after a failure, in milliseconds, in which nothing is sent. */
const pauseMs = 1_000;

/** How long other statements fail while one tries the database again, in milliseconds. */
const attemptMs = 10_000;

/** Whether a failure can be that of the database, and not only of one statement. */
export const isUnavailable = (error: unknown): error is ReportError =>
  error instanceof ReportError && error.reason === 'unavailable';

/**
 * Fails statements at once while a database is unavailable, so that readers do not wait for it one
 * after the other. After a pause, one statement at a time tries again.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  #failure: ReportError | undefined;
  #retryAt = 0;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @throws as `work`; the last failure while the database is unavailable */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#failure) {
      if (this.#now() < this.#retryAt) throw this.#failure;
      this.#retryAt = this.#now() + attemptMs;
    }
    try {
      const result = await work();
      this.#failure = undefined;
      return result;
    } catch (error) {
      if (isUnavailable(error)) this.#retryAt = this.#now() + pauseMs;
      else if (this.#failure) this.#retryAt = this.#now();
      this.#failure = isUnavailable(error) ? error : this.#failure;
      throw error;
    }
  }

  /** Does nothing unless the database is unavailable; otherwise as `run`. */
  async pass(attempt: () => Promise<unknown>): Promise<void> {
    if (this.#failure) await this.run(attempt);
  }
}
