import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { endpointExamples } from '@portal-embed/contract';

export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  /** The parsed JSON body, or the text of another one; `undefined` if there was none. */
  body: unknown;
}

export type FakeAnswer = (request: ReceivedRequest, response: ServerResponse) => unknown;

export interface FakePortal extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Everything received so far, in order. */
  received: ReceivedRequest[];
  /** Replaces the answer to all later requests. */
  answer: (answer: FakeAnswer) => void;
}

/** Starts a portal that sends the answers of a test, over real HTTP. */
export async function startFakePortal(answer: FakeAnswer = mintAnswer()): Promise<FakePortal> {
  const received: ReceivedRequest[] = [];
  let current = answer;
  const server = createServer((request, response) => {
    void receive(request).then((each) => {
      received.push(each);
      return current(each, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (next) => {
      current = next;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const body = await text(request);
  return {
    method: request.method!,
    url: request.url!,
    headers: request.headers,
    body:
      body === ''
        ? undefined
        : request.headers['content-type'] === 'application/octet-stream'
          ? body
          : JSON.parse(body),
  };
}

/** Answers with JSON, or with an empty body. */
export const jsonAnswer =
  (status: number, body?: unknown, headers: Record<string, string> = {}): FakeAnswer =>
  (_, response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(body === undefined ? '' : JSON.stringify(body));

/** Answers with a problem of the portal's API. */
export const problemAnswer = (status: number, code: string, headers: Record<string, string> = {}) =>
  jsonAnswer(
    status,
    { type: code, title: code, status, detail: `about ${code}`, code, requestId: 'portal-1' },
    { 'Content-Type': 'application/problem+json', ...headers },
  );

/** The only page of an empty list. */
export const emptyPage = {
  pageIndex: 1,
  totalPages: 0,
  hasNextPage: false,
  hasPreviousPage: false,
  data: [],
};

/** The only page of a list with this user. */
export const pageOfUser = (email: string) => ({
  ...emptyPage,
  totalPages: 1,
  data: [
    {
      ...endpointExamples.createUser.response,
      id: '6a1f4c1e-0000-4000-8000-000000000005',
      email,
      name: 'West',
    },
  ],
});

let minted = 0;

/** Mints for any user, at the requested address. */
export const mintAnswer =
  (validMs = 300_000): FakeAnswer =>
  ({ body }, response) => {
    minted += 1;
    const { baseUrl } = (body ?? {}) as { baseUrl?: string };
    const embedUrl = `${baseUrl ?? 'http://portal.test'}/identity?token=t${minted}`;
    const expiresAt = new Date(Date.now() + validMs).toISOString();
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ embedUrl, expiresAt }));
  };
