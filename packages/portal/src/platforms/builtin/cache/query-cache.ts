import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { Engine } from '../engine/engine.ts';
import type { Query, QueryResult } from '../engine/messages.ts';
import type { Owner } from '../engine/turns.ts';
import { Flight } from './flight.ts';

export interface CacheSettings {
  /** Megabytes (MiB) of cached results. `PORTAL_CACHE_MEMORY`, default 64. */
  cacheMb: number;
}

/**
 * Caches results, and runs equal concurrent queries once. The key contains everything that a result
 * depends on: the version of the files, the statement and its values, including those of the reader's
 * roles and look-ups. The caller has checked access.
 */
export class QueryCache {
  readonly #engine: Engine;
  /** JSON, so that no caller can change a cached result. */
  readonly #results: LRUCache<string, string> | undefined;
  readonly #flights = new Map<string, Flight<QueryResult>>();

  constructor(engine: Engine, { cacheMb }: CacheSettings) {
    this.#engine = engine;
    if (cacheMb > 0)
      this.#results = new LRUCache({
        maxSize: cacheMb * 2 ** 20,
        sizeCalculation: (result, key) => 2 * (result.length + key.length),
      });
  }

  /**
   * Returns a cached result, or runs the query.
   *
   * @throws the errors of `Engine.query`
   */
  async query(owner: Owner, query: Query, signal: AbortSignal): Promise<QueryResult> {
    signal.throwIfAborted();
    const key = createKey(owner, query);
    const known = this.#results?.get(key);
    if (known !== undefined) return JSON.parse(known) as QueryResult;
    const flight = this.#flights.get(key) ?? this.#createFlight(key);
    return flight.join(async (turn, onStart) => {
      const result = await this.#engine.query(owner, query, turn, onStart);
      this.#results?.set(key, JSON.stringify(result));
      return result;
    }, signal);
  }

  #createFlight(key: string): Flight<QueryResult> {
    const flight = new Flight<QueryResult>(() => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    });
    this.#flights.set(key, flight);
    return flight;
  }
}

/** Digests of lists of values, which all queries of one reader share. */
const digests = new WeakMap<readonly string[], string>();

function digestOf(list: readonly string[]): string {
  const known = digests.get(list);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(JSON.stringify(list)).digest('base64');
  digests.set(list, digest);
  return digest;
}

const createKey = ({ organizationId }: Owner, { dataset, text, values }: Query): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        organizationId,
        dataset.version,
        text,
        values.map((value) => (typeof value === 'string' ? value : [digestOf(value)])),
      ]),
    )
    .digest('base64');
