import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { findFreePort } from '../free-port.ts';
import { send } from '../localhost.ts';
import type { Behavior, Forward, ProxyAnswer, ProxyRequest } from './fault.ts';

export interface FaultyProxy extends AsyncDisposable {
  port: number;
  /** Returns the address of the proxy for an address of the upstream server. */
  at: (upstreamUrl: string) => string;
  /** Replaces the planted fault. `undefined` forwards everything unchanged. */
  plant: (behavior: Behavior | undefined) => void;
}

/** Connection headers and lengths are those of the proxy's own connections. */
const ownHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

const sound: Behavior = (request, forward) => forward(request);

const isText = /^(text\/|application\/([\w.-]+\+)?(json|javascript))/;

/**
 * Starts a proxy to a server on a loopback port. It keeps the host names and exchanges the ports, in
 * texts too, so that the addresses that the server hands out lead to the proxy.
 */
export async function startFaultyProxy(upstreamPort: number): Promise<FaultyProxy> {
  const port = await findFreePort();
  const exchange = (from: number, to: number) => (text: string) =>
    text.replace(new RegExp(`((?:localhost|127\\.0\\.0\\.1)(?::|%3A))${from}\\b`, 'gi'), `$1${to}`);
  const toUpstream = exchange(port, upstreamPort);
  const fromUpstream = exchange(upstreamPort, port);

  const forward: Forward = async ({ method, path, headers, body }) => {
    const answer = await send(`http://127.0.0.1:${upstreamPort}`, {
      method,
      path: toUpstream(path),
      headers: editHeaders({ ...headers, 'accept-encoding': 'identity' }, toUpstream),
      ...(body.length > 0 ? { body: typeof body === 'string' ? toUpstream(body) : body } : {}),
    });
    return {
      status: answer.status,
      headers: editHeaders(answer.headers, fromUpstream),
      body: isText.test(answer.headers['content-type'] ?? '')
        ? fromUpstream(answer.body)
        : answer.bytes,
    };
  };

  let behavior: Behavior | undefined;
  const handle = async (incoming: IncomingMessage): Promise<ProxyAnswer> => {
    const request = await readRequest(incoming);
    const answer = await (behavior ?? sound)(request, forward);
    const length = Buffer.byteLength(answer.body);
    if (length === 0) return answer;
    return { ...answer, headers: { ...answer.headers, 'content-length': length } };
  };
  const server = createServer((incoming, response) => {
    handle(incoming).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error: unknown) => response.destroy(error as Error),
    );
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    port,
    at: fromUpstream,
    plant: (next) => {
      behavior = next;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<ProxyRequest> {
  const bytes = await buffer(incoming);
  return {
    method: incoming.method!,
    path: incoming.url!,
    headers: incoming.headers,
    body: isText.test(incoming.headers['content-type'] ?? '') ? bytes.toString() : bytes,
  };
}

const editHeaders = (headers: ProxyRequest['headers'], edit: (value: string) => string) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ownHeaders.has(name)
        ? []
        : [[name, typeof value === 'string' ? edit(value) : value.map(edit)]],
    ),
  );
