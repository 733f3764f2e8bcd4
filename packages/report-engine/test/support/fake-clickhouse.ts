import fs from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface ClickhouseRequest {
  user: string;
  query: string;
  queryId: string;
  database: string;
  /** URL parameters that are settings. */
  settings: Record<string, string>;
  /** Bound values by name, as they are sent. */
  parameters: Record<string, string>;
  /** Whether the bound values are in the body. */
  isMultipart: boolean;
  /** Whether the client has closed the connection before the answer. */
  hasLeft: boolean;
}

/** Answers a statement; `undefined` leaves it without an answer. */
type Answer = (request: ClickhouseRequest, response: ServerResponse) => void;

interface User {
  password: string;
  readonly: 0 | 1 | 2;
}

export interface FakeClickhouse extends AsyncDisposable {
  port: number;
  /** All statements except the profile query, in order of arrival. */
  received: ClickhouseRequest[];
  users: Record<string, User>;
  answer: (answer: Answer) => void;
  /** Closes all connections and the port, then listens on the same port again. */
  restart: () => Promise<void>;
}

/** The key or the certificate of a server with TLS. */
export const readTls = (name: 'key' | 'certificate') =>
  fs.readFileSync(new URL(`tls/${name}.pem`, import.meta.url));

/** File of the certificate of a server with TLS. */
export const certificateFile = fileURLToPath(new URL('tls/certificate.pem', import.meta.url));

/** URL parameters that are not settings. */
const reserved = new Set(['query_id', 'database', 'wait_end_of_query']);

/** The settings that the connection may send. ClickHouse refuses a name that it does not know. */
const known = new Set([
  'cancel_http_readonly_queries_on_client_close',
  'date_time_output_format',
  'enable_extended_results_for_datetime_functions',
  'force_grouping_standard_compatibility',
  'group_by_use_nulls',
  'max_execution_time',
  'max_memory_usage',
  'optimize_aggregators_of_group_by_keys',
  'optimize_group_by_function_keys',
  'optimize_injective_functions_in_group_by',
  'output_format_json_quote_64bit_integers',
  'output_format_json_quote_decimals',
  'output_format_json_quote_denormals',
  'precise_float_parsing',
  'readonly',
  'timeout_overflow_mode',
  'transform_null_in',
]);

/** Answers as ClickHouse does for an error before the first row. */
export const fail = (response: ServerResponse, status: number, code: number, message: string) => {
  response.writeHead(status, { 'X-ClickHouse-Exception-Code': String(code) });
  response.end(`Code: ${code}. DB::Exception: ${message} (version 26.1.1.1)\n`);
};

/** Answers with rows of texts. */
export const sendRows = (
  response: ServerResponse,
  columns: string[],
  rows: unknown[][],
  type = 'String',
) => {
  const meta = columns.map((name) => ({ name, type }));
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ meta, data: rows, rows: rows.length }));
};

/**
 * Starts a server that is as strict as ClickHouse about users, settings and bound values, but runs no
 * statement.
 */
export async function startFakeClickhouse({ isTls = false } = {}): Promise<FakeClickhouse> {
  const received: ClickhouseRequest[] = [];
  const users: Record<string, User> = { reader: { password: 'sesame', readonly: 0 } };
  let answer: Answer = (_request, response) => sendRows(response, ['one'], [['1']]);

  const handle = async (message: IncomingMessage, response: ServerResponse) => {
    const request = await readRequest(message);
    response.once('close', () => {
      request.hasLeft = !response.writableFinished;
    });
    const refusal = refuse(message, request, users);
    if (refusal) {
      fail(response, ...refusal);
    } else if (request.query.startsWith(`SELECT toUInt8(getSetting('readonly'))`)) {
      sendRows(response, ['readonly'], [[users[request.user]?.readonly]]);
    } else {
      received.push(request);
      answer(request, response);
    }
  };
  const listen = (message: IncomingMessage, response: ServerResponse) =>
    void handle(message, response);
  const server = isTls
    ? https.createServer({ key: readTls('key'), cert: readTls('certificate') }, listen)
    : http.createServer(listen);
  const open = (port: number) =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await open(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    received,
    users,
    answer: (next) => {
      answer = next;
    },
    restart: async () => {
      await close();
      await open(port);
    },
    [Symbol.asyncDispose]: close,
  };
}

async function readRequest(message: IncomingMessage): Promise<ClickhouseRequest> {
  const body = await text(message);
  const { searchParams } = new URL(message.url ?? '', 'http://clickhouse');
  const [, boundary] = /boundary=(.*)$/.exec(message.headers['content-type'] ?? '') ?? [];
  const parts = boundary === undefined ? { query: body } : readParts(body, boundary);
  const all = { ...Object.fromEntries(searchParams), ...parts };
  const parameters = Object.entries(all).filter(([name]) => name.startsWith('param_'));
  const [, encoded = ''] = (message.headers.authorization ?? '').split('Basic ');
  return {
    user: Buffer.from(encoded, 'base64').toString().split(':')[0] ?? '',
    query: all['query'] ?? '',
    queryId: all['query_id'] ?? '',
    database: all['database'] ?? '',
    settings: Object.fromEntries(
      Object.entries(Object.fromEntries(searchParams)).filter(
        ([name]) => !name.startsWith('param_') && !reserved.has(name),
      ),
    ),
    parameters: Object.fromEntries(
      parameters.map(([name, value]) => [name.replace('param_', ''), value]),
    ),
    isMultipart: boundary !== undefined,
    hasLeft: false,
  };
}

const readParts = (body: string, boundary: string): Record<string, string> =>
  Object.fromEntries(
    body
      .split(`--${boundary}`)
      .slice(1, -1)
      .map((part) => {
        const [head = '', ...rest] = part.split('\r\n\r\n');
        const [, name = ''] = /name="(.*?)"/.exec(head) ?? [];
        return [name, rest.join('\r\n\r\n').slice(0, -2)];
      }),
  );

/** Status, code and message of a refusal; `undefined` if ClickHouse would run the statement. */
function refuse(
  { method, headers }: IncomingMessage,
  { user, query, settings, parameters }: ClickhouseRequest,
  users: Record<string, User>,
): [number, number, string] | undefined {
  if (method !== 'POST') return [405, 0, 'The method is not POST.'];
  const credentials = Buffer.from(`${user}:${users[user]?.password}`).toString('base64');
  if (headers.authorization !== `Basic ${credentials}`)
    return [
      403,
      516,
      `${user}: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)`,
    ];
  const profile = users[user]?.readonly ?? 0;
  for (const name of Object.keys(settings)) {
    if (!known.has(name)) return [404, 115, `Unknown setting '${name}'. (UNKNOWN_SETTING)`];
    if (profile === 1 || (profile === 2 && name === 'readonly'))
      return [500, 164, `Cannot modify '${name}' setting in readonly mode. (READONLY)`];
  }
  const wanted = new Set([...query.matchAll(/\{(\w+):\w+(?:\(\w+\))?\}/g)].map(([, name]) => name));
  const missing = [...wanted].find((name) => !Object.hasOwn(parameters, name ?? ''));
  if (missing !== undefined)
    return [404, 456, `Substitution ${missing} is not set. (UNKNOWN_QUERY_PARAMETER)`];
  return Object.keys(parameters).some((name) => !wanted.has(name))
    ? [400, 36, 'A parameter is not used. (BAD_ARGUMENTS)']
    : undefined;
}
