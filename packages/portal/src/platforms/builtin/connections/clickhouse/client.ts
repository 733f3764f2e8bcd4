import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';

import {
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type ClickHouseSettings,
} from '@clickhouse/client';

import type { Statement } from '../../emit/sql.ts';
import type { Cell } from '../../engine/messages.ts';
import { createAgent } from './agent.ts';
import { BrokenAnswerError, isSettingRefused, LateAnswerError } from './failures.ts';

/** How long the server may take beyond the limit. */
const graceMs = 2_000;

/** Time limit of a statement that costs the server nothing. */
const probeLimitMs = 5_000;

/** What the dialect relies on, whatever the profile of the user has. */
const dialectSettings: ClickHouseSettings = {
  enable_extended_results_for_datetime_functions: 1,
  precise_float_parsing: 1,
  transform_null_in: 0,
  group_by_use_nulls: 0,
  force_grouping_standard_compatibility: 1,
  // Of a key that another one determines, these would leave nothing in the grouping sets.
  optimize_aggregators_of_group_by_keys: 0,
  optimize_group_by_function_keys: 0,
  optimize_injective_functions_in_group_by: 0,
  date_time_output_format: 'simple',
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
  output_format_json_quote_denormals: 0,
};

/** `readonly` of the user's profile: 2 lets requests set limits, 1 does not. */
export type ReadOnly = 0 | 1 | 2;

export interface ClientOptions {
  /** Most statements at the same time. */
  connections: number;
  /** Memory of one statement on the server, in MiB. */
  memoryMb: number;
  /** Time limit of a statement, in milliseconds. Default: 15,000. */
  limitMs?: number | undefined;
}

export interface Result {
  columns: { name: string; type: string }[];
  rows: Cell[][];
}

/** Runs read-only statements on a ClickHouse server over HTTP. */
export class ReadOnlyClient {
  readonly #client: ClickHouseClient;
  readonly #limitMs: number;
  readonly #limits: ClickHouseSettings;
  #settings: Promise<ClickHouseSettings> | undefined;

  /** @param url `clickhouse://…` or `clickhouses://…` */
  constructor(url: string, { connections, memoryMb, limitMs = 15_000 }: ClientOptions) {
    const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(url);
    const isTls = protocol === 'clickhouses:';
    this.#client = createClient({
      url: `${isTls ? 'https' : 'http'}://${hostname}:${port || (isTls ? 8443 : 8123)}`,
      username: decodeURIComponent(username) || 'default',
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)) || 'default',
      application: 'portal-embed',
      request_timeout: limitMs + 2 * graceMs,
      // ClickHouse limits the length of an address.
      use_multipart_params_auto: true,
      http_agent: createAgent({
        isTls,
        certificates: searchParams.get('sslrootcert'),
        // One more, so that a statement can be stopped while others run.
        connections: connections + 1,
      }),
      log: { level: ClickHouseLogLevel.OFF },
    });
    this.#limitMs = limitMs;
    this.#limits = {
      max_execution_time: limitMs / 1_000,
      timeout_overflow_mode: 'throw',
      max_memory_usage: String(memoryMb * 2 ** 20),
      // An error in the middle of a result would come as a broken result.
      wait_end_of_query: 1,
      cancel_http_readonly_queries_on_client_close: 1,
    };
  }

  /**
   * Runs one statement. Aborting `signal` stops it on the server.
   *
   * @throws as the client; `LateAnswerError`; `BrokenAnswerError`
   */
  run(statement: Statement, signal: AbortSignal): Promise<Result> {
    return this.#withSettings((settings) =>
      this.#send(statement, settings, this.#limitMs + graceMs, signal),
    );
  }

  /** Parses a SELECT without running it, and returns the nodes of its syntax tree. */
  parse(select: string, signal: AbortSignal): Promise<string[]> {
    return this.#withSettings(async (settings) => {
      const tree = await this.#receive(probeLimitMs, signal, async (request) => {
        // A format of the answer would belong to the SELECT.
        const { stream } = await this.#client.exec({
          ...request,
          query: `EXPLAIN AST\n${select}\n`,
          clickhouse_settings: settings,
        });
        return { text: () => text(stream), close: () => void stream.destroy() };
      });
      return tree.split('\n').map((line) => line.trim());
    });
  }

  /** Asks how far the user's profile is read-only. */
  async findReadOnly(signal?: AbortSignal): Promise<ReadOnly> {
    const statement = { text: `SELECT toUInt8(getSetting('readonly'))`, values: [] };
    const { rows } = await this.#send(statement, {}, probeLimitMs, signal);
    return Number(rows[0]?.[0]) as ReadOnly;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #withSettings<Value>(
    work: (settings: ClickHouseSettings) => Promise<Value>,
  ): Promise<Value> {
    this.#settings ??= this.#findSettings();
    try {
      return await work(await this.#settings);
    } catch (error) {
      // The user's profile may have changed.
      if (isSettingRefused(error)) this.#settings = undefined;
      throw error;
    }
  }

  /** A request may make itself read-only, but may not name `readonly` if the user's profile is. */
  async #findSettings(): Promise<ClickHouseSettings> {
    const readOnly = await this.findReadOnly().catch((error: unknown) => {
      this.#settings = undefined;
      // A server that is this slow is down.
      throw error instanceof LateAnswerError ? new Error(error.message) : error;
    });
    if (readOnly === 1) {
      this.#settings = undefined;
      throw new Error(
        'the profile of the user has readonly = 1, which forbids limits of time and memory; set readonly = 2',
      );
    }
    return {
      ...dialectSettings,
      ...this.#limits,
      ...(readOnly === 0 ? { readonly: '1' } : {}),
    };
  }

  async #send(
    statement: Statement,
    settings: ClickHouseSettings,
    limitMs: number,
    signal?: AbortSignal,
  ): Promise<Result> {
    const query_params = Object.fromEntries(
      statement.values.map((value, index) => [`p${index}`, value]),
    );
    const answer = await this.#receive(limitMs, signal, (request) =>
      this.#client.query({
        ...request,
        query: statement.text,
        query_params,
        clickhouse_settings: settings,
        format: 'JSONCompact',
      }),
    );
    return readResult(answer);
  }

  /** Sends a request and returns the text of its answer, unless it ends before. */
  async #receive(
    limitMs: number,
    signal: AbortSignal | undefined,
    send: (request: {
      query_id: string;
      abort_signal: AbortSignal;
    }) => Promise<{ text: () => Promise<string>; close: () => void }>,
  ): Promise<string> {
    const id = randomUUID();
    const ended = new AbortController();
    const end = () => ended.abort();
    const timer = setTimeout(end, limitMs);
    signal?.addEventListener('abort', end, { once: true });
    try {
      signal?.throwIfAborted();
      const answer = await send({ query_id: id, abort_signal: ended.signal });
      // The client no longer listens once the headers are there.
      ended.signal.addEventListener('abort', () => answer.close(), { once: true });
      return await answer.text();
    } catch (error) {
      if (!ended.signal.aborted) throw error;
      void this.#kill(id);
      signal?.throwIfAborted();
      throw new LateAnswerError(`no answer within ${limitMs} ms`);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  /** A server behind a proxy may not notice that the request has ended. */
  async #kill(id: string): Promise<void> {
    const query = `KILL QUERY WHERE query_id = '${id}' ASYNC`;
    await this.#client
      .command({ query, abort_signal: AbortSignal.timeout(graceMs) })
      .catch(() => {});
  }
}

function readResult(answer: string): Result {
  let parsed: { meta: Result['columns']; data: Cell[][]; exception?: string };
  try {
    parsed = JSON.parse(answer);
  } catch {
    throw new BrokenAnswerError('the answer breaks off or is not from ClickHouse');
  }
  const { meta, data, exception } = parsed;
  if (exception !== undefined) throw toError(exception);
  const times = new Set(
    meta.flatMap(({ type }, index) => (type.includes('DateTime') ? [index] : [])),
  );
  const rows =
    times.size === 0
      ? data
      : data.map((row) => row.map((cell, index) => (times.has(index) ? trimTime(cell) : cell)));
  return { columns: meta, rows };
}

/** An error that came in the middle of a result. */
function toError(exception: string): Error {
  const [, code = '', message = exception, type] =
    /^Code: (\d+)\. DB::Exception: ([^]*)\(([A-Z_]+)\)/.exec(exception) ?? [];
  return new ClickHouseError({ message, code, ...(type === undefined ? {} : { type }) });
}

/** Other engines write no zeros at the end of a time. */
const trimTime = (cell: Cell): Cell =>
  typeof cell === 'string' ? cell.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : cell;
