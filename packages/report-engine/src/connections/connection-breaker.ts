import { LRUCache } from 'lru-cache';

import type { Owner, QueryTurns } from '../limits/turns.ts';
import { CircuitBreaker, isUnavailable } from './circuit-breaker.ts';

/** The owner of the portal's own statements. Each id of an organization is a UUID. */
const portal: Owner = { organizationId: 'portal', userId: 'portal' };

const never = new AbortController().signal;

/** Organizations whose last failures are remembered. */
const maxOrganizations = 10_000;

/**
 * The circuit breakers of one connection. A SELECT of content can end its own connection to the database,
 * which looks like a database that is unavailable. So a failure of one organization opens the breaker of
 * this organization alone. The shared breaker opens only if a statement of the portal fails, too.
 */
export class ConnectionBreaker {
  readonly #turns: QueryTurns;
  readonly #probe: (signal: AbortSignal) => Promise<unknown>;
  readonly #now: (() => number) | undefined;
  readonly #shared: CircuitBreaker;
  readonly #own = new LRUCache<string, CircuitBreaker>({ max: maxOrganizations });
  #isProbing = false;

  /**
   * @param turns the queue of the connection
   * @param probe a trivial statement of the portal
   * @param now milliseconds of a monotonic clock
   */
  constructor(
    turns: QueryTurns,
    probe: (signal: AbortSignal) => Promise<unknown>,
    now?: () => number,
  ) {
    this.#turns = turns;
    this.#probe = probe;
    this.#now = now;
    this.#shared = new CircuitBreaker(now);
  }

  /** Runs `work` in the owner's turn. Throws like `QueryTurns.run` and `CircuitBreaker.run`. */
  run<Result>(owner: Owner, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(owner, signal, async () => {
      await this.#shared.pass(() => this.#probe(signal));
      return this.#ownOf(owner).run(async () => {
        try {
          return await work();
        } catch (error) {
          if (isUnavailable(error)) void this.#probeDatabase();
          throw error;
        }
      });
    });
  }

  #ownOf({ organizationId }: Owner): CircuitBreaker {
    const known = this.#own.get(organizationId);
    if (known) return known;
    const created = new CircuitBreaker(this.#now);
    this.#own.set(organizationId, created);
    return created;
  }

  /** Sends the probe in a turn of its own, because statements in their turns use all connections. */
  async #probeDatabase(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    try {
      await this.#turns.run(portal, never, () => this.#shared.run(() => this.#probe(never)));
    } catch {
      // The breaker keeps the failure.
    } finally {
      this.#isProbing = false;
    }
  }
}
