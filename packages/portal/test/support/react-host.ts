import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { setOrigins } from '../../src/organizations/service.ts';
import type { TestPortal } from './portal.ts';
import { mint, type MintBody } from './viewer.ts';

/** The host's application. `events` has what the component has told it. */
const application = `
  import { createElement } from 'react';
  import { createRoot } from 'react-dom/client';
  import { PortalEmbed } from './src/index.ts';

  window.events = [];
  const note = (type) => (value) => events.push({ type, value });
  const noteError = ({ cause, message }) => events.push({ type: 'error', value: { cause, message } });
  const root = createRoot(document.querySelector('#root'));
  window.mount = (props) =>
    root.render(
      createElement(PortalEmbed, {
        onReady: note('ready'),
        onRefresh: note('refresh'),
        onNavigate: note('navigate'),
        onViewChange: note('view'),
        onSelect: note('select'),
        onExport: note('export'),
        onError: noteError,
        ...props,
      }),
    );
  window.unmount = () => root.render(null);
`;

/** Starts a host with one page, which shows `<PortalEmbed>` to the signed-in user. */
export async function startReactHost(portal: TestPortal, headers: Record<string, string> = {}) {
  const { acme } = portal;
  const { outputFiles } = await build({
    stdin: {
      contents: application,
      resolveDir: fileURLToPath(new URL('../../../react', import.meta.url)),
    },
    bundle: true,
    write: false,
    conditions: ['source'],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const [script] = outputFiles;
  const requests: Partial<MintBody>[] = [];
  let user: keyof typeof acme.emails | undefined;
  const page = `<!doctype html><link rel="icon" href="data:,">
    <meta name="viewport" content="width=device-width">
    <style>body { margin: 0 } #root > * { height: 600px }</style>
    <div id="root"></div><script src="/app.js"></script>`;
  const server = createServer((req, res) => {
    const answer = async () => {
      if (req.url === '/app.js') {
        res.setHeader('content-type', 'text/javascript').end(script!.contents);
        return;
      }
      if (req.method === 'GET') {
        res.writeHead(200, { 'content-type': 'text/html', ...headers }).end(page);
        return;
      }
      const body = JSON.parse(await text(req)) as Partial<MintBody>;
      requests.push(body);
      if (!user) {
        res.writeHead(401).end();
        return;
      }
      const embedUrl = await mint(portal, acme, { userEmail: acme.emails[user], ...body });
      res
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ embedUrl, frameChannel: true }));
    };
    void answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://host.localhost:${(server.address() as AddressInfo).port}`;
  await setOrigins(acme.ctx, { embedOrigins: [origin] });
  return {
    origin,
    /** Bodies of requests for URLs. */
    requests,
    signIn: (next: typeof user) => {
      user = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
