import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { sendJson } from '../host-endpoint.ts';
import { readyPage, shellPage, spentPage } from './pages.ts';

const listen = async (handler: RequestListener, atPort = 0) => {
  const server = createServer(handler);
  await new Promise<void>((listening) => {
    server.listen(atPort, '127.0.0.1', listening);
  });
  return { server, port: (server.address() as AddressInfo).port };
};

const stopServer = (server: Server) => {
  server.closeAllConnections();
  return new Promise((closed) => {
    server.close(closed);
  });
};

/** Bundles a page's script from the sources. `alias` replaces packages, such as the version of React. */
export async function bundle(entry: string, alias: Record<string, string> = {}): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    alias,
    bundle: true,
    format: 'esm',
    write: false,
    // A page loads a third of the bytes in less processor time.
    minify: true,
    conditions: ['source'],
    // The scripts of the pages have side effects, unlike the library.
    ignoreAnnotations: true,
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  return outputFiles[0]!.text;
}

/** Starts a site of one handler at `name`.localhost. */
export async function startSite(name: string, handler: RequestListener) {
  const { server, port } = await listen(handler);
  return { origin: `http://${name}.localhost:${port}`, stop: () => stopServer(server) };
}

/** Starts a portal that redeems each token once. `answer` replaces its answers. */
export async function startPortalSite() {
  const redeemed = new Set<string>();
  const site = {
    answer: undefined as RequestListener | undefined,
    hasShell: true,
    /** Returns the delay of the next answer, in milliseconds. */
    latency: (): number => 0,
    /** The requests, in order. */
    requests: [] as string[],
    origin: '',
    stop: () => stopServer(server),
    /** Resets each connection until the portal restarts, and calls `onConnection`. */
    async breakDown(onConnection: () => void) {
      await stopServer(server);
      const broken = net.createServer((socket) => {
        socket.resetAndDestroy();
        onConnection();
      });
      await once(broken.listen(port, '127.0.0.1'), 'listening');
      return async function restart() {
        broken.close();
        await once(broken, 'close');
        ({ server } = await listen(handle, port));
      };
    },
  };
  const handle: RequestListener = (request, response) => {
    const delay = site.latency();
    if (delay > 0) setTimeout(answer, delay, request, response);
    else answer(request, response);
  };
  const answer = (...[request, response]: Parameters<RequestListener>) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://portal.localhost');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('cross-origin-resource-policy', 'cross-origin');
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    site.requests.push(request.url!);
    const token = searchParams.get('token') ?? '';
    if (site.answer) site.answer(request, response);
    else if (pathname === '/embed' && site.hasShell) response.end(shellPage);
    else if (pathname !== '/identity') response.writeHead(401).end(spentPage('reloaded'));
    else if (redeemed.has(token)) response.writeHead(410).end(spentPage('used'));
    else {
      redeemed.add(token);
      response.end(readyPage(token));
    }
  };
  let { server, port } = await listen(handle);
  site.origin = `http://portal.localhost:${port}`;
  return site;
}
export type PortalSite = Awaited<ReturnType<typeof startPortalSite>>;

/** A host application: one page, its script, and an endpoint that mints for the portal. */
export async function startHostSite(portal: { readonly origin: string }, script: string) {
  const settings = {
    mints: 0,
    /** Answers instead of the endpoint. */
    answer: undefined as RequestListener | undefined,
    /** Answers all addresses except that of the page. */
    answerOthers: undefined as RequestListener | undefined,
    /** The URL that the endpoint answers instead of one of the portal. */
    embedUrl: undefined as string | undefined,
    /** The endpoint says that the portal speaks the frame channel. */
    frameChannel: undefined as true | undefined,
    csp: '',
    css: '',
    body: '<main><h1>Host</h1><div id="root"></div></main>',
  };
  const site = {
    ...settings,
    origin: '',
    reset: () => Object.assign(site, settings),
    stop: () => stopServer(server),
  };
  const { server, port } = await listen((request, response) => {
    if (request.url === '/app.js')
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else if (request.url === '/app.css')
      response.writeHead(200, { 'content-type': 'text/css' }).end(site.css);
    else if (request.url === '/portal-embed/url') {
      site.mints++;
      if (site.answer) site.answer(request, response);
      else
        sendJson(response, 200, {
          embedUrl: site.embedUrl ?? `${portal.origin}/identity?token=${site.mints}`,
          expiresAt: '',
          expiresIn: 300,
          frameChannel: site.frameChannel,
        });
    } else if (site.answerOthers) site.answerOthers(request, response);
    else {
      if (site.csp) response.setHeader('content-security-policy', site.csp);
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><html lang="en"><head><title>Host</title>
<link rel="icon" href="data:,"></head><body>${site.body}
<script type="module" src="/app.js"></script></body></html>`);
    }
  });
  site.origin = `http://host.localhost:${port}`;
  return site;
}
export type HostSite = Awaited<ReturnType<typeof startHostSite>>;
