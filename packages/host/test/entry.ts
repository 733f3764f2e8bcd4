import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** The user whom /sign-out signs out; a session of the application would say so. */
export const signingOut: { user: PortalUser } = { user: { email: 'west@acme.example' } };

/**
 * Serves `createMinter` at /portal-embed and a sign-out, as a framework with web requests would. The
 * sign-out answers with its result.
 */
export const startEntry = (options: Options): Promise<RunningApp> => {
  const mint = createMinter(options);
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse) {
    const closed = new AbortController();
    outgoing.once('close', () => closed.abort());
    const request = toWebRequest(incoming, closed.signal);
    const handlers: Record<string, () => Promise<Response>> = {
      '/portal-embed/open': () => mint.open(request),
      '/sign-out': async () => Response.json(await mint.endSessions(signingOut.user, request)),
    };
    const response = await (handlers[new URL(request.url).pathname]?.() ?? mint(request));
    outgoing.writeHead(response.status, [...response.headers].flat()).end(await response.text());
  }
  return serve((incoming, outgoing) => void answer(incoming, outgoing));
};

function toWebRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = '', headers, url } = incoming;
  const address = `http://${headers.host}${url}`;
  const init = {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
    body: method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(incoming),
    duplex: 'half',
    signal,
  };
  // A host that no URL can have selects no tenant.
  return new Request(URL.canParse(address) ? address : 'http://invalid', init as RequestInit);
}
