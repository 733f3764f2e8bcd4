import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { Statement } from '../emit/sql.ts';
import type { Row } from '../engine/messages.ts';
import type { Owner } from '../limits/turns.ts';
import type { Slices } from '../slices.ts';
import type { Source } from '../source.ts';
import { Flight } from './flight.ts';

export interface CacheSettings {
  /** Megabytes (MiB) of cached results. `PORTAL_CACHE_MEMORY`, default 64. */
  cacheMb: number;
}

interface KeptResult {
  /** Rows as JSON, so that a caller cannot change the cached result. */
  json: string;
  /** When the query was requested. */
  at: number;
}

/**
 * Caches results, and runs equal concurrent statements once. The key contains everything that a result
 * depends on: the source, the statement and its values, including those of the reader's roles and
 * look-ups. The caller has checked access.
 */
export class QueryCache {
  readonly #now: () => Date;
  readonly #slices: Pick<Slices, 'next'>;
  readonly #results: LRUCache<string, KeptResult> | undefined;
  readonly #flights = new Map<string, Flight<Row[]>>();

  constructor({ cacheMb }: CacheSettings, now: () => Date, slices: Pick<Slices, 'next'>) {
    this.#now = now;
    this.#slices = slices;
    if (cacheMb > 0)
      this.#results = new LRUCache({
        maxSize: cacheMb * 2 ** 20,
        sizeCalculation: ({ json }, key) => 2 * (json.length + key.length),
      });
  }

  /**
   * Returns a cached result, or runs the query.
   *
   * @throws the errors of `Source.query`
   */
  async query(
    owner: Owner,
    source: Source,
    statement: Statement,
    signal: AbortSignal,
  ): Promise<Row[]> {
    signal.throwIfAborted();
    const key = createKey(owner, source, statement);
    const known = this.#results?.get(key);
    const at = this.#now().getTime();
    if (known && at - known.at < (source.maxAgeMs ?? Infinity)) {
      await this.#slices.next(owner, signal);
      return JSON.parse(known.json) as Row[];
    }
    const flight = this.#flights.get(key) ?? this.#createFlight(key);
    return flight.join(async (turn, onStart) => {
      const rows = await source.query(owner, statement, turn, onStart);
      await this.#slices.next(owner, turn);
      this.#results?.set(key, { json: JSON.stringify(rows), at });
      return rows;
    }, signal);
  }

  #createFlight(key: string): Flight<Row[]> {
    const flight = new Flight<Row[]>(() => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    });
    this.#flights.set(key, flight);
    return flight;
  }
}

/** Digests by list of values: all queries of one reader share the lists, which can be long. */
const digests = new WeakMap<readonly string[], string>();

function digestOf(list: readonly string[]): string {
  const known = digests.get(list);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(JSON.stringify(list)).digest('base64');
  digests.set(list, digest);
  return digest;
}

const createKey = (
  { organizationId }: Owner,
  source: Source,
  { text, values }: Statement,
): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        organizationId,
        source.key,
        text,
        values.map((value) => (typeof value === 'string' ? value : [digestOf(value)])),
      ]),
    )
    .digest('base64');
