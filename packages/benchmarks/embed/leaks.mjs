/**
 * Compares four embed libraries in one Chromium: bytes in the bundle, token requests and
 * frames of one mount in StrictMode, and what is still open after unmounts at random times. `npm run embed-leaks [-- <mounts>]` in this folder, after `npm run build` in the root.
 */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import { launchChromium } from 'test-support';

const mounts = Number(process.argv.slice(2).find(Number) ?? 50);
const subjects = {
  PortalEmbed: ['portal-embed', "export { PortalEmbed } from '@portal-embed/react'"],
  'Superset SDK': ['superset', "export { embedDashboard } from '@superset-ui/embedded-sdk'"],
  'QuickSight SDK': [
    'quicksight',
    "export { createEmbeddingContext } from 'amazon-quicksight-embedding-sdk'",
  ],
  'Power BI React': ['power-bi', "export { PowerBIEmbed } from 'powerbi-client-react'"],
};
const here = fileURLToPath(new URL('.', import.meta.url));
const common = { bundle: true, format: 'esm', write: false, logLevel: 'error' };

const weigh = async (contents) => {
  const { outputFiles } = await build({
    ...common,
    stdin: { contents, resolveDir: here },
    external: ['react', 'react-dom', 'react/jsx-runtime'],
    minify: true,
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
};

const bundle = async (name) => {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [`${here}page.mjs`],
    alias: { subject: `${here}subjects/${name}.mjs` },
    define: { 'process.env.NODE_ENV': '"development"', global: 'window' },
    ignoreAnnotations: true,
  });
  return outputFiles[0].text;
};

const listen = (answer) =>
  new Promise((resolve) => {
    const server = createServer(answer).listen(0, '127.0.0.1', () => resolve(server));
  });
const token = `x.${Buffer.from(JSON.stringify({ exp: Date.now() / 1000 + 300 })).toString('base64url')}.x`;

const portalServer = await listen((_, response) =>
  response
    .writeHead(200, { 'content-type': 'text/html', 'cross-origin-resource-policy': 'cross-origin' })
    .end('<!doctype html><title>Portal</title>'),
);
const portal = `http://portal.localhost:${portalServer.address().port}`;
const answer = (route) =>
  route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Portal</title>' });
const browser = await launchChromium();
const rows = {};
for (const [title, [name, entry]] of Object.entries(subjects)) {
  const script = await bundle(name);
  const host = await listen((request, response) => {
    if (request.url === '/token') setTimeout(() => response.end(token), 15);
    else if (request.url === '/page.js')
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>',
        );
  });
  const page = await browser.newPage();
  await page.route('https://us-east-1.quicksight.aws.amazon.com/**', answer);
  await page.route('https://app.powerbi.com/**', answer);
  const address = `http://host.localhost:${host.address().port}`;
  await page.goto(address);
  await page.waitForFunction(() => 'measure' in window);
  const once = await page.evaluate((at) => window.mountOnce(at), portal);
  await page.goto(address);
  await page.waitForFunction(() => 'measure' in window);
  const { mints, ...left } = await page.evaluate(
    ([at, times]) => window.measure(at, times),
    [portal, mounts],
  );
  rows[title] = {
    'gzip bytes': await weigh(entry),
    'tokens, one mount': once.mints,
    'frames, one mount': once.frames,
    [`tokens, ${mounts} mounts`]: mints,
    ...left,
  };
  await page.close();
  host.closeAllConnections();
  host.close();
}
// oxlint-disable-next-line no-console -- the result
console.table(rows);
await browser.close();
portalServer.closeAllConnections();
portalServer.close();
