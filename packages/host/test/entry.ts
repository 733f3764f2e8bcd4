import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

import { createMinter } from '../src/index.ts';
import type { MinterOptions, PortalUser } from '../src/index.ts';
import { serve } from './running-app.ts';
import type { RunningApp } from './running-app.ts';

/** The request that callbacks receive: a web request here, Express's where its package runs this. */
export type Context = Request;
export type Options = MinterOptions<PortalUser, Context>;

export const readHeader = (context: Context, name: string): string | null =>
  context.headers.get(name);

/** Serves `createMinter` at /portal-embed/url, as a framework with web requests would. */
export const startEntry = (options: Options): Promise<RunningApp> => {
  const mint = createMinter(options);
  return serve(async (incoming, outgoing) => {
    const closed = new AbortController();
    outgoing.once('close', () => closed.abort());
    const answer = await mint(toWebRequest(incoming, closed.signal));
    outgoing.writeHead(answer.status, [...answer.headers].flat()).end(await answer.text());
  });
};

function toWebRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = '', headers, url } = incoming;
  const address = `http://${headers.host}${url}`;
  const body = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(incoming);
  // A server refuses a host that no URL can have, or names none.
  return new Request(URL.canParse(address) ? address : 'http://invalid', {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
    body: body as ReadableStream | null,
    duplex: 'half',
    signal,
  } as RequestInit);
}
