import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { build } from 'esbuild';

import { sendJson } from '../host-endpoint.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const listen = async (handler: Handler) => {
  const server = createServer(handler);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, port: (server.address() as AddressInfo).port };
};

export const stopServer = (server: Server) => {
  server.closeAllConnections();
  return new Promise((closed) => server.close(closed));
};

/** Bundles a page's script from the sources. */
export async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [new URL(entry, import.meta.url).pathname],
    bundle: true,
    format: 'esm',
    write: false,
    jsx: 'automatic',
    conditions: ['source'],
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  return outputFiles[0]!.text;
}

/** The least page that speaks the frame channel, and shows which token opened it. */
export const speakingPage = (body: string, onConnect: string) => `<!doctype html>
<meta name="color-scheme" content="light dark">
<script>
  addEventListener('message', ({ data, ports: [port] }) => {
    if (data?.type !== 'connect') return;
    window.connect = data;
    window.port = port;
    window.received = [];
    port.onmessage = (event) => received.push(event.data);
    (() => { ${onConnect} })();
  });
  parent.postMessage({ portalEmbed: 1, type: 'boot' }, '*');
</script>
<body>${body}</body>`;

const readyPage = (token: string) =>
  speakingPage(
    `<h1>Report ${token}</h1><button>Inside</button>`,
    `history.replaceState(null, '', '/organizations/o/reports/r');
     addEventListener('DOMContentLoaded', () => {});
     setTimeout(() => {
       port.postMessage({ type: 'ready', unappliedFilters: [] });
       port.postMessage({ type: 'state', state: connect.state ?? { path: location.pathname, filters: [] } });
     }, 30);`,
  );

const spentPage = (reason: string) =>
  speakingPage(
    '<h1>This link cannot be used any more</h1>',
    `port.postMessage({ type: 'session-required', reason: '${reason}' });`,
  );

/** A portal that redeems each token once, unless `page` says otherwise. */
export async function startPortalSite() {
  const redeemed = new Set<string>();
  const site = {
    page: undefined as Handler | undefined,
    /** Paths asked for, in order. */
    requests: [] as string[],
    origin: '',
    stop: () => stopServer(server),
  };
  const { server, port } = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://portal.localhost');
    if (request.method !== 'HEAD') site.requests.push(request.url!);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('cross-origin-resource-policy', 'cross-origin');
    if (request.method === 'HEAD') return response.end();
    if (site.page) return site.page(request, response);
    if (pathname !== '/identity') return response.writeHead(401).end(spentPage('reloaded'));
    const token = searchParams.get('token')!;
    if (redeemed.has(token)) return response.writeHead(410).end(spentPage('used'));
    redeemed.add(token);
    response.end(readyPage(token));
  });
  site.origin = `http://portal.localhost:${port}`;
  return site;
}

/** A host application: one page, its script, and an endpoint that mints for the portal. */
export async function startHostSite(portal: { origin: string }, script: string) {
  const site = {
    mints: 0,
    mint: undefined as Handler | undefined,
    csp: '',
    body: '<h1>Host</h1><div id="root"></div>',
    origin: '',
    stop: () => stopServer(server),
  };
  const { server, port } = await listen((request, response) => {
    if (request.url === '/app.js')
      return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    if (request.url === '/portal-embed/url') {
      site.mints++;
      if (site.mint) return site.mint(request, response);
      const embedUrl = `${portal.origin}/identity?token=${site.mints}`;
      return sendJson(response, 200, { embedUrl, expiresAt: '', expiresIn: 300 });
    }
    if (site.csp) response.setHeader('content-security-policy', site.csp);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><html lang="en"><title>Host</title>
<link rel="icon" href="data:,"><body>${site.body}<script type="module" src="/app.js"></script>`);
  });
  site.origin = `http://host.localhost:${port}`;
  return site;
}
