import pg from 'pg';

import { getInternals, withVerifiedTls } from '#server-kit';

import { LargeAnswerError, maxAnswerBytes } from '../connection.ts';
import { sendCancel } from './cancel.ts';

/** Time limit for opening a connection, and for its first answer. */
const connectLimitMs = 3_000;

/** Extra time for the server after a time limit or a cancel request. */
const graceMs = 1_000;

/**
 * One transaction for each statement: read-only, of one snapshot, and always rolled back, which also
 * undoes settings that a SELECT changed. `SET LOCAL`, because poolers lose settings of the session.
 */
const writeBegin = (statementLimitMs: number) =>
  [
    'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    `SET LOCAL statement_timeout = ${statementLimitMs}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${statementLimitMs}`,
    `SET LOCAL TimeZone = 'UTC'`,
    `SET LOCAL DateStyle = 'ISO, YMD'`,
    `SET LOCAL extra_float_digits = 1`,
  ].join('; ');

/** Ends a transaction. Advisory locks of the session outlive it. */
const end = 'ROLLBACK; SELECT pg_advisory_unlock_all()';

/** The extended protocol, which runs one statement only. */
export const extended = { queryMode: 'extended' };

/** The server did not answer, or closed the connection. */
export class LostConnectionError extends Error {
  override name = 'LostConnectionError';
}

/** A pool of connections to one PostgreSQL server, for read-only transactions. */
export class ReadOnlyPool {
  readonly #pool: pg.Pool;
  readonly #begin: string;
  readonly #limitMs: number;
  /** Incremented when a connection is lost, because older idle ones are probably lost too. */
  #generation = 0;
  readonly #generations = new WeakMap<pg.PoolClient, number>();

  constructor({
    url,
    connections,
    statementLimitMs = 15_000,
  }: {
    url: string;
    connections: number;
    statementLimitMs?: number | undefined;
  }) {
    this.#begin = writeBegin(statementLimitMs);
    this.#limitMs = statementLimitMs + graceMs;
    this.#pool = new pg.Pool({
      connectionString: withVerifiedTls(url),
      application_name: 'portal-embed',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      max: connections,
      connectionTimeoutMillis: connectLimitMs,
      idleTimeoutMillis: 60_000,
    });
    // The query of a lost connection fails by itself; an unhandled error event would end the process.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /**
   * Runs `work` in a transaction. Aborting `signal` cancels its statement.
   *
   * @throws as `pg`; `LargeAnswerError`; `LostConnectionError`
   */
  async transact<Result>(
    signal: AbortSignal,
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.#startTransaction();
    const answers = limitAnswers(client);
    let isLost = false;
    const disconnect = () => {
      isLost = true;
      getInternals(client).connection.stream.destroy();
    };
    let disconnectTimer: NodeJS.Timeout | undefined;
    const cancel = () => {
      sendCancel(client, graceMs);
      disconnectTimer ??= setTimeout(disconnect, graceMs);
    };
    const limit = setTimeout(cancel, this.#limitMs);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (signal.aborted) cancel();
      const result = await work(client);
      await client.query(end);
      return result;
    } catch (error) {
      if (answers.areTooLarge) throw new LargeAnswerError();
      // The transaction has failed or the connection is lost.
      if (!disconnectTimer) await client.query(end).catch(disconnect);
      throw isLost ? new LostConnectionError('the server did not answer') : error;
    } finally {
      clearTimeout(limit);
      clearTimeout(disconnectTimer);
      signal.removeEventListener('abort', cancel);
      answers.stopCounting();
      // A late cancel request would end the next statement of the connection.
      client.release(isLost || answers.areTooLarge || disconnectTimer !== undefined);
      if (isLost) this.#generation += 1;
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** Begins a transaction on an idle connection, or on a new one if idle ones are lost. */
  async #startTransaction(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool.connect();
      const generation = this.#generations.get(client);
      if (generation !== undefined && generation < this.#generation) {
        client.release(true);
        continue;
      }
      try {
        await waitForAnswer(client, client.query(this.#begin));
        this.#generations.set(client, this.#generation);
        return client;
      } catch (error) {
        client.release(true);
        if (generation === undefined) throw error;
        this.#generation += 1;
      }
    }
  }
}

/** Closes the connection if its answers have too many bytes in total. */
function limitAnswers(client: pg.PoolClient) {
  const { stream } = getInternals(client).connection;
  let bytesLeft = maxAnswerBytes;
  const count = ({ length }: Buffer) => {
    bytesLeft -= length;
    if (bytesLeft < 0) stream.destroy();
  };
  stream.on('data', count);
  return {
    get areTooLarge() {
      return bytesLeft < 0;
    },
    stopCounting: () => stream.off('data', count),
  };
}

async function waitForAnswer(client: pg.PoolClient, answer: Promise<unknown>): Promise<void> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    getInternals(client).connection.stream.destroy();
  }, connectLimitMs);
  try {
    await answer;
  } catch (error) {
    throw isLate ? new LostConnectionError('the server did not answer') : error;
  } finally {
    clearTimeout(timer);
  }
}
