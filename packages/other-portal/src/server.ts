import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Refusal, refusalAnswer, text, type Answer } from './answer.ts';
import { endpoints, permissions, type Permission } from './api/endpoints.ts';
import { pageNotFound, portalPage, signIn } from './pages/pages.ts';
import { seed } from './seed.ts';
import type { PortalState } from './state.ts';

/** The portal is not at the root of its host. */
const prefix = '/tenants/meridian';
const maxBodyBytes = 1_000_000;

export interface OtherPortal extends AsyncDisposable {
  /** The base address of the API, with the path prefix. */
  apiUrl: string;
  /** The address of the pages, at the portal's subdomain. Callers send it as `baseUrl`. */
  portalUrl: string;
  /** A key with every permission. */
  apiKey: string;
  state: PortalState;
  /** The requests so far, as method and path without the prefix. */
  requests: string[];
  /** Makes a key that has only the given permissions. */
  createKey: (...granted: Permission[]) => string;
}

export interface OtherPortalOptions {
  /** Default: the data of `seed()`. */
  state?: PortalState;
  /** The clock. Default: the real time. */
  now?: () => Date;
  /** Default: a free port. */
  port?: number;
}

/** Starts the portal on the loopback interface. */
export async function startOtherPortal(options: OtherPortalOptions = {}): Promise<OtherPortal> {
  const { state = seed(), now = () => new Date(), port = 0 } = options;
  const keys = new Map<string, readonly Permission[]>();
  const requests: string[] = [];
  let url = '';

  function createKey(...granted: Permission[]): string {
    const key = `mk_${randomBytes(16).toString('hex')}`;
    keys.set(key, granted);
    return key;
  }

  async function callApi(request: IncomingMessage, path: string, query: URLSearchParams) {
    const { method = 'GET' } = request;
    const granted = keys.get(String(request.headers['x-api-key']));
    if (!granted) throw new Refusal(401, '');
    const [, parent = '', parameter = ''] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
    const endpoint = endpoints[`${method} ${path}`] ?? endpoints[`${method} ${parent}/*`];
    if (!endpoint) return pageNotFound();
    if (!granted.includes(endpoint.permission)) throw new Refusal(403, 'Forbidden');
    return endpoint.handle({
      state,
      query,
      parameter: decodeURIComponent(parameter),
      body: method === 'POST' || method === 'PUT' ? await readJson(request) : undefined,
      now: now(),
      url,
    });
  }

  function showPage(method: string, path: string, query: URLSearchParams): Answer {
    const request = { state, url, now: now() };
    if (method !== 'GET') return text('Method not allowed', 405);
    if (path === '/sign-in') return signIn(request, query.get('token') ?? '');
    const [, session, reportId] = /^\/s\/([^/]+)(?:\/view\/([^/]+))?$/.exec(path) ?? [];
    return session ? portalPage(request, session, reportId) : pageNotFound();
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://portal');
    if (!pathname.startsWith(`${prefix}/`)) return pageNotFound();
    const path = pathname.slice(prefix.length);
    requests.push(`${request.method} ${path}`);
    try {
      return path.startsWith('/api/')
        ? await callApi(request, path, searchParams)
        : showPage(request.method ?? 'GET', path, searchParams);
    } catch (error) {
      if (error instanceof Refusal) return refusalAnswer(error);
      if (error instanceof URIError) return text('Bad request', 400);
      throw error;
    }
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (given) => send(response, given),
      (error: unknown) => send(response, text(`Internal error: ${String(error)}`, 500)),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`;

  return {
    apiUrl: url,
    portalUrl: url.replace('127.0.0.1', `${state.subdomain}.localhost`),
    apiKey: createKey(...permissions),
    state,
    requests,
    createKey,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!request.headers['content-type']?.startsWith('application/json'))
    throw new Refusal(415, 'Send application/json');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Refusal(413, 'Too large');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
}

function send(response: ServerResponse, { status, type, body = '', headers }: Answer): void {
  response.writeHead(status, { ...headers, ...(type && { 'content-type': type }) }).end(body);
}
