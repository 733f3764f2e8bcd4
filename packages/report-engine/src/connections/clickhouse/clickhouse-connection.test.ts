import http, { type ServerResponse } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { inspect } from 'node:util';

import { findFreePort } from 'test-support';
import { startBlackHole } from 'test-support/black-hole';
import { expect, it, onTestFinished, vi } from 'vitest';

import { ReportError } from '#platform';

import { connect, startServer } from '../../../test/support/clickhouse-connection.ts';
import { certificateFile, fail, sendRows } from '../../../test/support/fake-clickhouse.ts';
import { clickhouse } from '../../emit/clickhouse.ts';
import { bind, render, sql } from '../../emit/sql.ts';
import { SourceError } from '../connection.ts';
import { createConnection } from '../open.ts';

const never = new AbortController().signal;
const one = { text: 'SELECT 1', values: [] };
const failure = (reason: string, text: string | RegExp) =>
  expect.objectContaining({
    constructor: ReportError,
    reason,
    message: expect.stringMatching(text),
  });

it('a statement is read-only, has limits, and has its values bound', async () => {
  const server = await startServer();
  const hostile = `'; DROP TABLE x; -- \\ {p1:String}\n\t\u0000é`;
  const values = sql`SELECT ${bind(hostile)}, ${bind(['a', hostile])}`;
  await connect(server.port).query(render(values, clickhouse.placeholder), never);
  const [request] = server.received;
  expect(request).toMatchObject({
    user: 'reader',
    database: 'sales',
    query: expect.stringContaining('SELECT {p0:String}, {p1:Array(String)}'),
    settings: {
      readonly: '1',
      max_execution_time: '15',
      max_memory_usage: String(256 * 2 ** 20),
      cancel_http_readonly_queries_on_client_close: '1',
      // A timeout must not truncate rows, NULL is in no list, and numbers stay exact.
      timeout_overflow_mode: 'throw',
      transform_null_in: '0',
      group_by_use_nulls: '0',
      precise_float_parsing: '1',
      output_format_json_quote_denormals: '0',
    },
    parameters: { p0: expect.stringContaining(`\\'; DROP TABLE x; -- \\\\ {p1:String}\\n\\t`) },
  });
  expect(request?.query).not.toContain('DROP');
  expect(request?.queryId).toMatch(/^[0-9a-f-]{36}$/);
});

it.each([
  ['clickhouse', http.Agent, 8123],
  ['clickhouses', https.Agent, 8443],
] as const)(
  'an address %s:// without a port uses the port of ClickHouse',
  async (scheme, agent, port) => {
    const open = vi.spyOn(agent.prototype, 'createConnection').mockImplementation(() => {
      throw new Error('for a test');
    });
    onTestFinished(() => open.mockRestore());
    const connection = createConnection(
      {
        name: 'warehouse',
        engine: 'clickhouse',
        url: `${scheme}://reader:sesame@ch.example/sales`,
      },
      { sourceQueries: 2, memoryMb: 256 },
    );
    onTestFinished(() => connection.close());
    await expect(connection.query(one, never)).rejects.toEqual(
      failure('unavailable', 'for a test'),
    );
    expect(open.mock.calls[0]?.[0]).toMatchObject({ host: 'ch.example', port });
  },
);

it('a connection of the environment has the limits of the portal', async () => {
  const server = await startServer();
  const url = `clickhouse://reader:sesame@127.0.0.1:${server.port}/sales`;
  const connection = createConnection(
    { name: 'warehouse', engine: 'clickhouse', url },
    { sourceQueries: 2, memoryMb: 128 },
  );
  onTestFinished(() => connection.close());
  await connection.query(one, never);
  expect(connection.name).toBe('warehouse');
  expect(server.received[0]).toMatchObject({
    database: 'sales',
    settings: { max_execution_time: '15', max_memory_usage: String(128 * 2 ** 20) },
  });
});

it('a profile with readonly = 2 is accepted, and one with readonly = 1 is refused', async () => {
  const server = await startServer();
  server.users['reader'] = { password: 'sesame', readonly: 2 };
  await connect(server.port).query(one, never);
  expect(server.received[0]?.settings).not.toHaveProperty('readonly');
  expect(server.received[0]?.settings).toHaveProperty('max_execution_time');
  server.users['reader'] = { password: 'sesame', readonly: 1 };
  const connection = connect(server.port);
  await expect(connection.query(one, never)).rejects.toEqual(
    failure('unavailable', 'readonly = 1.*set readonly = 2'),
  );
  server.users['reader'] = { password: 'sesame', readonly: 0 };
  expect(await connection.query(one, never)).toEqual([{ one: '1' }]);
});

it('after a refused setting, the profile of the user is read again', async () => {
  const server = await startServer();
  const connection = connect(server.port);
  await connection.query(one, never);
  server.users['reader'] = { password: 'sesame', readonly: 2 };
  await expect(connection.query(one, never)).rejects.toEqual(failure('unavailable', 'READONLY'));
  expect(await connection.query(one, never)).toEqual([{ one: '1' }]);
});

it('an error names a refused user without the password, and the next statement tries again', async () => {
  const server = await startServer();
  const connection = connect(server.port, { user: 'reader:open%20sesame' });
  const refused = connection.query(one, never);
  await expect(refused).rejects.toEqual(
    failure('unavailable', /^The connection "warehouse" failed: reader: Authentication failed/),
  );
  const error = await refused.catch((reason: unknown) => reason);
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain('open');
  server.users['reader'] = { password: 'open sesame', readonly: 0 };
  expect(await connection.query(one, never)).toEqual([{ one: '1' }]);
});

it('a connection with TLS needs a trusted certificate', async () => {
  const server = await startServer({ isTls: true });
  const scheme = 'clickhouses';
  const untrusted = connect(server.port, { scheme });
  await expect(untrusted.query(one, never)).rejects.toEqual(
    failure(
      'unavailable',
      /certificate is self-signed \(.*DEPTH_ZERO_SELF_SIGNED_CERT\)\); add sslrootcert=FILE/,
    ),
  );
  const path = `/sales?sslrootcert=${certificateFile}`;
  const trusted = connect(server.port, { scheme, path });
  expect(await trusted.query(one, never)).toEqual([{ one: '1' }]);
  expect(await trusted.check(never)).toContainEqual({
    level: 'ok',
    text: 'encrypted, with a verified certificate',
  });
  const missing = connect(server.port, { scheme, path: '/sales?sslrootcert=/nowhere/ca.pem' });
  await expect(missing.query(one, never)).rejects.toEqual(
    failure('unavailable', '/nowhere/ca\\.pem.*ENOENT'),
  );
});

it('a connection with TLS to a server without TLS names this cause', async () => {
  const server = await startServer();
  await expect(connect(server.port, { scheme: 'clickhouses' }).query(one, never)).rejects.toEqual(
    failure('unavailable', 'does not speak TLS at this port .*check the port'),
  );
});

it('a connection without TLS to a server with TLS is unavailable and runs no statement', async () => {
  const server = await startServer({ isTls: true });
  await expect(connect(server.port).query(one, never)).rejects.toEqual(
    failure('unavailable', 'The connection "warehouse" failed: '),
  );
  expect(server.received).toEqual([]);
});

it('an answer that is too large ends, and its connection is closed', async () => {
  const server = await startServer();
  server.answer((_request, response) => {
    response.write('a'.repeat(20_000_000));
  });
  const connection = connect(server.port);
  await expect(connection.query(one, never)).rejects.toEqual(
    failure('out_of_memory', 'the answer has more than 16 MB'),
  );
  await expect.poll(() => server.received[0]?.hasLeft).toBe(true);
  server.answer((_request, response) => sendRows(response, ['a'], [['b']]));
  expect(await connection.query(one, never)).toEqual([{ a: 'b' }]);
});

it('a long message of the server is shortened', async () => {
  const server = await startServer();
  server.answer((_request, response) => fail(response, 400, 6, 'a'.repeat(100_000)));
  const error: Error = await connect(server.port)
    .query(one, never)
    .catch((each) => each);
  expect(error.message.length).toBeLessThan(1_100);
});

it.each([
  [159, 'TIMEOUT_EXCEEDED', 'timeout'],
  [241, 'MEMORY_LIMIT_EXCEEDED', 'out_of_memory'],
  [407, 'DECIMAL_OVERFLOW', 'overflow'],
  [202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'unavailable'],
  [279, 'ALL_CONNECTION_TRIES_FAILED', 'unavailable'],
  [394, 'QUERY_WAS_CANCELLED', 'unavailable'],
  [47, 'UNKNOWN_IDENTIFIER', 'failed'],
])('the ClickHouse error %i (%s) has the reason %s', async (code, type, reason) => {
  const server = await startServer();
  server.answer((_request, response) => fail(response, 500, code, `Something. (${type})`));
  await expect(connect(server.port).query(one, never)).rejects.toEqual(
    failure(reason, `^The connection "warehouse" failed: Something \\(${type}\\)\\.$`),
  );
});

const begin = (response: ServerResponse, text: string) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.write(text);
};

it.each([
  [
    'has no end',
    (response: ServerResponse) => begin(response, '{"meta":[{"name":"a","type":"Int64"}],"data":['),
    'unavailable',
  ],
  [
    'is incomplete JSON',
    (response: ServerResponse) =>
      response.end('{"meta":[{"name":"a","type":"Int64"}],"data":[["1"]'),
    'unavailable',
  ],
  [
    'contains an error',
    (response: ServerResponse) =>
      response.end(
        '{"meta":[{"name":"a","type":"Int64"}],"data":[["1"]],"rows":1,"exception":"Code: 241. DB::Exception: Memory limit exceeded: would use 1.00 GiB. (MEMORY_LIMIT_EXCEEDED) (version 26.1)"}',
      ),
    'out_of_memory',
  ],
  [
    'is the page of a proxy',
    (response: ServerResponse) => response.writeHead(502).end('<h1>Bad gateway</h1>'),
    'unavailable',
  ],
  [
    'is a page with status 200',
    (response: ServerResponse) => response.end('<h1>Welcome</h1>'),
    'unavailable',
  ],
])('a result that %s is an error', async (_what, send, reason) => {
  const server = await startServer();
  server.answer((_request, response) => {
    send(response);
    setImmediate(() => response.destroyed || response.writableEnded || response.socket?.end());
  });
  await expect(connect(server.port).query(one, never)).rejects.toEqual(
    failure(reason, 'The connection "warehouse" failed: '),
  );
});

const isKill = ({ query }: { query: string }) => query.startsWith('KILL QUERY');

it.each([
  ['before its answer begins', undefined],
  ['in the middle of its answer', '{"meta":['],
])('a statement that is aborted %s ends on the server', async (_when, text) => {
  const server = await startServer();
  server.answer((request, response) => {
    if (isKill(request)) sendRows(response, [], []);
    else if (text !== undefined) begin(response, text);
  });
  const left = new AbortController();
  const connection = connect(server.port);
  const running = connection.query(one, left.signal);
  await expect.poll(() => server.received.length).toBe(1);
  const reason = new Error('The reader has left.');
  left.abort(reason);
  await expect(running).rejects.toBe(reason);
  await expect.poll(() => server.received.find(isKill)).toBeDefined();
  const [request, kill] = server.received;
  expect(kill?.query).toContain(`WHERE query_id = '${request?.queryId}' ASYNC`);
  await expect.poll(() => request?.hasLeft).toBe(true);
  server.answer((_request, response) => sendRows(response, ['one'], [['1']]));
  expect(await connection.query(one, never)).toEqual([{ one: '1' }]);
});

it('a statement beyond its time limit ends on the server', async () => {
  const server = await startServer();
  server.answer((request, response) => isKill(request) && sendRows(response, [], []));
  const running = connect(server.port, { limitMs: 100 }).query(one, never);
  await expect(running).rejects.toEqual(failure('timeout', 'no answer within 2100 ms'));
  await expect.poll(() => server.received.some(isKill)).toBe(true);
  await expect.poll(() => server.received[0]?.hasLeft).toBe(true);
});

it('a time has no trailing zeros, as on other engines', async () => {
  const server = await startServer();
  const times = ['2024-01-03 10:00:00.000', '2024-01-03 10:00:01.500', '2024-01-03 10:00:00', null];
  server.answer((_request, response) => {
    const rows = times.map((time) => [time]);
    sendRows(response, ['at'], rows, 'Nullable(DateTime64(3))');
  });
  expect(await connect(server.port).query(one, never)).toEqual([
    { at: '2024-01-03 10:00:00' },
    { at: '2024-01-03 10:00:01.5' },
    { at: '2024-01-03 10:00:00' },
    { at: null },
  ]);
});

it('an aborted statement is not sent', async () => {
  const server = await startServer();
  const reason = new Error('The reader has left.');
  await expect(connect(server.port).query(one, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(server.received).toEqual([]);
});

it('a connection works again after its server restarts', async () => {
  const server = await startServer();
  const connection = connect(server.port);
  await connection.query(one, never);
  await server.restart();
  // A request on a connection that the server has closed fails.
  await Promise.allSettled([1, 2].map(() => connection.query(one, never)));
  expect(await connection.query(one, never)).toEqual([{ one: '1' }]);
});

it('a server that refuses or ignores connections is unavailable', async () => {
  const refusing = connect(await findFreePort());
  await expect(refusing.query(one, never)).rejects.toEqual(failure('unavailable', 'ECONNREFUSED'));
  await using blackHole = await startBlackHole();
  await expect(connect(blackHole.port).query(one, never)).rejects.toEqual(
    failure('unavailable', 'within 5000 ms'),
  );
});

it('a server that closes each connection is unavailable', async () => {
  const server = net.createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const { port } = server.address() as net.AddressInfo;
  await expect(connect(port).query(one, never)).rejects.toEqual(
    failure('unavailable', 'ECONNRESET|socket hang up'),
  );
});

it('a list of many values is sent in the body, in parts that ClickHouse accepts', async () => {
  const server = await startServer();
  const texts = Array.from({ length: 10_000 }, (_, index) => `value '${index}' \\ é`);
  const condition = clickhouse.isIn(clickhouse.quote('Region'), texts, 'text');
  await connect(server.port).query(render(condition, clickhouse.placeholder), never);
  const [request] = server.received;
  expect(request?.isMultipart).toBe(true);
  const lists = Object.values(request?.parameters ?? {});
  expect(lists.length).toBeGreaterThan(2);
  expect(Math.max(...lists.map((list) => Buffer.byteLength(list)))).toBeLessThan(131_072);
  const count = lists.join('').split(`value \\'`).length - 1;
  expect(count).toBe(texts.length);
});

it.each([
  ['is another statement', ['ShowTables'], 'sql must be one SELECT'],
  ['is empty', [], 'sql must be one SELECT'],
  ['has settings', ['SelectWithUnionQuery (children 2)', ' Set'], 'the SELECT has SETTINGS'],
  [
    'has a parameter',
    ['SelectWithUnionQuery (children 1)', ' QueryParameter day:Date'],
    'the SELECT has a parameter',
  ],
])('a source that %s is refused before it is used', async (_what, tree, message) => {
  const server = await startServer();
  server.answer((_request, response) => response.end(tree.join('\n')));
  const described = connect(server.port).describe({ sql: 'SELECT 1 AS one' }, never);
  await expect(described).rejects.toEqual(
    expect.objectContaining({
      constructor: SourceError,
      message: expect.stringContaining(message),
    }),
  );
  expect(server.received.map(({ query }) => query)).toEqual(['EXPLAIN AST\nSELECT 1 AS one']);
});

it('a SELECT is parsed alone before its columns are read', async () => {
  const server = await startServer();
  server.answer(({ query }, response) =>
    query.startsWith('EXPLAIN AST')
      ? response.end('SelectWithUnionQuery (children 1)\n ExpressionList (children 1)\n')
      : sendRows(response, ['name', 'type', 'default_type'], [['one', 'UInt8', '']]),
  );
  const columns = await connect(server.port).describe({ sql: 'SELECT 1 AS one' }, never);
  expect([...columns]).toEqual([['one', 'UInt8']]);
  expect(server.received[1]?.query).toContain('DESCRIBE TABLE (SELECT 1 AS one\n)');
});

it.each([
  [81, 'UNKNOWN_DATABASE', SourceError],
  [60, 'UNKNOWN_TABLE', SourceError],
  [202, 'TOO_MANY_SIMULTANEOUS_QUERIES', ReportError],
])(
  'the ClickHouse error %i (%s) of a source is for its author only if the source is wrong',
  async (code, type, constructor) => {
    const server = await startServer();
    server.answer((_request, response) => fail(response, 404, code, `Something. (${type})`));
    await expect(connect(server.port).describe({ table: 'x.orders' }, never)).rejects.toEqual(
      expect.objectContaining({ constructor, message: expect.stringContaining('Something') }),
    );
  },
);
