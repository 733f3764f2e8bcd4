import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import { ReportError, type QueryUsage } from '#platform';

import { QueryTurns, type Owner } from '../limits/turns.ts';
import { EngineProcess } from './engine-process.ts';
import type { ProcessLimits, Query, QueryResult } from './messages.ts';

export interface EngineSettings extends ProcessLimits {
  /** Concurrent queries, each in its own process. `PORTAL_ENGINE_QUERIES`. */
  queries: number;
  /** Concurrent queries of one user. `PORTAL_USER_QUERIES`, default 2. */
  userQueries: number;
}

export interface EngineOptions extends EngineSettings {
  logger: Logger;
}

/** How long one query may run. */
const queryTimeoutMs = 15_000;

/** Pause before a start after consecutive crashes, in milliseconds. The first restart has none. */
export const computeRestartPause = (crashesInRow: number): number =>
  crashesInRow < 2 ? 0 : Math.min(200 * 2 ** (crashesInRow - 2), 5_000);

/** Runs queries in separate processes, one query per process at a time. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #turns: QueryTurns;
  readonly #processes = new Set<EngineProcess>();
  readonly #idle = new Set<EngineProcess>();
  #crashesInRow = 0;
  #isClosed = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#turns = new QueryTurns({ concurrency: options.queries, perUser: options.userQueries });
  }

  /**
   * Waits for the owner's turn, then runs the query. Aborting `signal` stops it.
   *
   * @param onStart called when its turn has come; it may abort `signal`
   * @throws `ReportError`, or the reason of `signal`.
   */
  query(
    owner: Owner,
    query: Query,
    signal: AbortSignal,
    onStart?: () => void,
  ): Promise<QueryResult> {
    return this.#turns.run(owner, signal, async () => {
      onStart?.();
      signal.throwIfAborted();
      const process = await this.#takeProcess(query.dataset.version, signal);
      try {
        const result = await process.run(query, queryTimeoutMs, signal);
        this.#crashesInRow = 0;
        return result;
      } finally {
        if (process.isAlive) this.#idle.add(process);
      }
    });
  }

  usage(): QueryUsage {
    return this.#turns.usage();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#processes].map((process) => process.close()));
  }

  /** Takes the idle process with the dataset open, or the one idle the longest, or starts one. */
  async #takeProcess(version: string, signal: AbortSignal): Promise<EngineProcess> {
    const idle = [...this.#idle];
    const taken = idle.find((process) => process.version === version) ?? idle[0];
    if (taken) {
      this.#idle.delete(taken);
      return taken;
    }
    const pauseMs = computeRestartPause(this.#crashesInRow);
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal });
    if (this.#isClosed) throw new ReportError('failed', 'The portal is stopping.');
    const { threads, memoryMb, logger } = this.#options;
    const started = new EngineProcess({ threads, memoryMb }, logger, (isCrash) => {
      this.#processes.delete(started);
      this.#idle.delete(started);
      if (isCrash) this.#crashesInRow += 1;
    });
    this.#processes.add(started);
    return started;
  }
}
