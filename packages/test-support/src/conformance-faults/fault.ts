import type { OutgoingHttpHeaders } from 'node:http';

/** A way in which a server violates one sentence of the API specification. */
export interface Fault<Context> {
  readonly id: string;
  /** The section of the specification whose sentence is violated. */
  readonly section: string;
  /** What the faulty server does. */
  readonly behavior: string;
  /** Returns what the proxy does with each request. Called when the fault is planted. */
  readonly plant: (context: Context) => Behavior;
}

export interface ProxyRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Text, or the bytes of content that is no text. */
  readonly body: string | Buffer;
}

export interface ProxyAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
}

export type Forward = (request: ProxyRequest) => Promise<ProxyAnswer>;

/** Answers a request, with the upstream server's help. */
export type Behavior = (request: ProxyRequest, forward: Forward) => Promise<ProxyAnswer>;

// oxlint-disable-next-line typescript/no-explicit-any -- a plant edits any field
export type Json = any;

export const parsePath = ({ path }: ProxyRequest): URL => new URL(path, 'http://proxy.test');

/** True if a request has this method and this path. */
export const isCall = (request: ProxyRequest, method: string, pathname: string): boolean =>
  request.method === method && request.path.split('?')[0] === pathname;

/** Changes the query of a request. */
export function editQuery(
  request: ProxyRequest,
  edit: (query: URLSearchParams) => void,
): ProxyRequest {
  const url = parsePath(request);
  edit(url.searchParams);
  return { ...request, path: url.pathname + url.search };
}

/** Changes the JSON body of a request. A body that is no JSON object stays. */
export function editBody(request: ProxyRequest, edit: (body: Json) => void): ProxyRequest {
  const body = parseObject(request.body);
  if (!body) return request;
  edit(body);
  return { ...request, body: JSON.stringify(body) };
}

/** Changes the JSON object of a successful answer. Any other answer stays. */
export function editAnswer(answer: ProxyAnswer, edit: (body: Json) => void): ProxyAnswer {
  const body = isSuccess(answer) ? parseObject(answer.body) : undefined;
  if (!body) return answer;
  edit(body);
  return { ...answer, body: JSON.stringify(body) };
}

export const isSuccess = ({ status }: ProxyAnswer): boolean => status >= 200 && status < 300;

/** Returns the JSON object of a body, or `undefined` if it has none. */
export function parseObject(body: string | Buffer): Json {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Changes the successful answers to some requests. */
export const answers =
  (matches: (request: ProxyRequest) => boolean, edit: (body: Json) => void): Behavior =>
  async (request, forward) => {
    const answer = await forward(request);
    return matches(request) ? editAnswer(answer, edit) : answer;
  };

/** Changes some requests before they are forwarded. */
export const requests =
  (
    matches: (request: ProxyRequest) => boolean,
    edit: (request: ProxyRequest) => ProxyRequest,
  ): Behavior =>
  (request, forward) =>
    forward(matches(request) ? edit(request) : request);

/** Returns a URL with other query parameters. */
export function editUrl(url: string, edit: (query: URLSearchParams) => void): string {
  const changed = new URL(url);
  edit(changed.searchParams);
  return changed.href;
}

/** Moves an ISO 8601 time. */
export const moveTime = (time: string, minutes: number): string =>
  new Date(Date.parse(time) + minutes * 60_000).toISOString();
