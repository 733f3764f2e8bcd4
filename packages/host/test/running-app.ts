import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A host application on a real port, and requests to it under any host name. */
export interface RunningApp extends AsyncDisposable {
  port: number;
  /** POST /portal-embed/url, as a page of `http://acme.localhost` would send it. */
  mint: (input?: MintInput) => Promise<Answer>;
  send: (input: SendInput) => Promise<Answer>;
}

export interface MintInput {
  host?: string | undefined;
  headers?: Record<string, string | string[]>;
  body?: unknown;
}

export interface SendInput extends MintInput {
  method?: string;
  path: string;
  /** Raw text in place of JSON. */
  text?: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: Record<string, unknown>;
}

/** Serves a handler on a free port. */
export async function serve(handler: RequestListener): Promise<RunningApp> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // A later app may get the same port, to which the connections of this one must not be reused.
  const agent = new Agent({ keepAlive: true });

  const send = ({
    host = 'acme.localhost',
    headers,
    body,
    method = 'GET',
    path,
    text,
  }: SendInput) =>
    new Promise<Answer>((resolve, reject) => {
      const content = text ?? (body === undefined ? '' : JSON.stringify(body));
      const outgoing = request(
        { agent, host: '127.0.0.1', port, method, path, headers: { Host: host, ...headers } },
        (incoming) => {
          let received = '';
          incoming.setEncoding('utf8');
          incoming.on('data', (chunk: string) => (received += chunk));
          incoming.on('end', () => {
            const isJson = /json/.test(incoming.headers['content-type'] ?? '');
            const json = (isJson ? JSON.parse(received) : {}) as Answer['json'];
            resolve({
              status: incoming.statusCode!,
              headers: incoming.headers,
              text: received,
              json,
            });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(content);
    });

  return {
    port,
    send,
    mint: ({ headers, body = {}, host } = {}) =>
      send({
        method: 'POST',
        path: '/portal-embed/url',
        headers: {
          'Content-Type': 'application/json',
          'Sec-Fetch-Site': 'same-origin',
          ...headers,
        },
        body,
        host,
      }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
