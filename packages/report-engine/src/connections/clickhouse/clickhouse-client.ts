import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';

import {
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type ClickHouseSettings,
  type ResultSet,
} from '@clickhouse/client';

import type { Statement } from '../../emit/sql.ts';
import type { Cell } from '../../engine/messages.ts';
import { LargeAnswerError, maxAnswerBytes } from '../connection.ts';
import { createAgent } from './agent.ts';
import { BrokenAnswerError, isSettingRefused, LateAnswerError } from './clickhouse-failures.ts';

/** Extra time for the server to enforce the limit itself. */
const graceMs = 2_000;

/** Time limit of a trivial statement. */
const probeLimitMs = 5_000;

/** Settings that the dialect needs. They override those of the user's profile. */
const dialectSettings: ClickHouseSettings = {
  enable_extended_results_for_datetime_functions: 1,
  precise_float_parsing: 1,
  transform_null_in: 0,
  group_by_use_nulls: 0,
  force_grouping_standard_compatibility: 1,
  // These optimizations drop keys that another key determines, which breaks grouping sets.
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
  /** Maximum number of concurrent statements. */
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
      // ClickHouse limits the length of a URL.
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
      // Otherwise ClickHouse sends the first rows before an error, which then only cuts them off.
      wait_end_of_query: 1,
      cancel_http_readonly_queries_on_client_close: 1,
    };
  }

  /**
   * Runs one statement. Aborting `signal` stops it on the server.
   *
   * @throws as the client; `LargeAnswerError`; `LateAnswerError`; `BrokenAnswerError`
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
        // `query` appends a FORMAT, which would become part of the SELECT.
        const { stream } = await this.#client.exec({
          ...request,
          query: `EXPLAIN AST\n${select}\n`,
          clickhouse_settings: settings,
        });
        return stream;
      });
      return tree.split('\n').map((line) => line.trim());
    });
  }

  /** Reads the setting `readonly` of the user's profile. */
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

  /** Adds `readonly`, unless the profile sets it: then ClickHouse refuses requests that name it. */
  async #findSettings(): Promise<ClickHouseSettings> {
    const readOnly = await this.findReadOnly().catch((error: unknown) => {
      this.#settings = undefined;
      // Fails as `unavailable`, not as a `timeout`: no statement of a reader was slow.
      throw error instanceof LateAnswerError ? new Error(error.message) : error;
    });
    if (readOnly === 1) {
      this.#settings = undefined;
      throw new Error(
        'the user profile has readonly = 1, which forbids the limits of time and memory; set readonly = 2',
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
    const answer = await this.#receive(limitMs, signal, async (request) => {
      const result = await this.#client.query({
        ...request,
        query: statement.text,
        query_params,
        clickhouse_settings: settings,
        format: 'JSONCompact',
      });
      return getStream(result);
    });
    return readResult(answer);
  }

  /** Sends a request and returns the text of its answer. Stops it after the limit or an abort. */
  async #receive(
    limitMs: number,
    signal: AbortSignal | undefined,
    send: (request: { query_id: string; abort_signal: AbortSignal }) => Promise<Readable>,
  ): Promise<string> {
    const id = randomUUID();
    const ended = new AbortController();
    const end = () => ended.abort();
    const timer = setTimeout(end, limitMs);
    signal?.addEventListener('abort', end, { once: true });
    try {
      signal?.throwIfAborted();
      const answer = await send({ query_id: id, abort_signal: ended.signal });
      // The client ignores the abort signal once the headers have arrived.
      ended.signal.addEventListener('abort', () => answer.destroy(), { once: true });
      return await readText(answer);
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

  /** Stops a statement by its id, because a proxy can hide from the server that a request has ended. */
  async #kill(id: string): Promise<void> {
    const query = `KILL QUERY WHERE query_id = '${id}' ASYNC`;
    await this.#client
      .command({ query, abort_signal: AbortSignal.timeout(graceMs) })
      .catch(() => {});
  }
}

/** The body of a result. The client streams only other formats, and reads this one without a limit. */
const getStream = (result: ResultSet<'JSONCompact'>): Readable => {
  const { _stream: stream } = result as never as { _stream: Readable };
  return stream;
};

async function readText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new LargeAnswerError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function readResult(answer: string): Result {
  let parsed: { meta: Result['columns']; data: Cell[][]; exception?: string };
  try {
    parsed = JSON.parse(answer);
  } catch {
    throw new BrokenAnswerError('the answer is incomplete or not from ClickHouse');
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

/** The error that a result contains. */
function toError(exception: string): Error {
  const [, code = '', message = exception, type] =
    /^Code: (\d+)\. DB::Exception: ([^]*)\(([A-Z_]+)\)/.exec(exception) ?? [];
  return new ClickHouseError({ message, code, ...(type === undefined ? {} : { type }) });
}

/** Removes trailing zeros of a time, which other engines do not write. */
const trimTime = (cell: Cell): Cell =>
  typeof cell === 'string' ? cell.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : cell;
