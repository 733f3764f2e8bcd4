import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (response: ServerResponse, body: Record<string, unknown>) => void;

/** Makes each address unique: a page remembers the portal of each endpoint, and ports are used again. */
let started = 0;

/** Starts a host endpoint on real HTTP that records its requests. It sends `answers` first. */
export async function startHostEndpoint(portal = 'http://portal.localhost:4100') {
  const requests: Record<string, unknown>[] = [];
  const answers: Answer[] = [];
  let aborted = 0;
  let minted = 0;

  const mint: Answer = (response) => {
    const embedUrl = `${portal}/identity?token=${++minted}`;
    sendJson(response, 200, { embedUrl, expiresAt: new Date().toISOString(), expiresIn: 300 });
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readJson(request);
    requests.push(body);
    response.on('close', () => (aborted += response.writableFinished ? 0 : 1));
    (answers.shift() ?? mint)(response, body);
  };
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/portal-embed/url/${++started}`,
    requests,
    answers,
    get aborted() {
      return aborted;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

export type HostEndpoint = Awaited<ReturnType<typeof startHostEndpoint>>;

export const sendJson = (response: ServerResponse, status: number, body: object, headers = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));

/** Answers an error in the form of the host package. */
export const refuse =
  (status: number, code: string, headers = {}): Answer =>
  (response) =>
    sendJson(
      response,
      status,
      { type: `urn:portal-embed:problem:${code}`, status, code, detail: `Because ${code}.` },
      headers,
    );

export async function readJson(request: IncomingMessage) {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text || '{}') as Record<string, unknown>;
}
