/** The host application, as a process of its own: one page with a report, and the middleware. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

import { build } from 'esbuild';
import express from 'express';

const { root, port, tenants, userEmail } = JSON.parse(process.env.BENCHMARK_HOST);
const resolve = (file) => path.join(root, 'packages', file);
const { portalCsp, portalEmbed } = await import(
  pathToFileURL(resolve('express/dist/index.js')).href
);

const packageFolder = (name) =>
  path.dirname(new URL(import.meta.resolve(`${name}/package.json`)).pathname);
const { outputFiles } = await build({
  entryPoints: [new URL('page.mjs', import.meta.url).pathname],
  // One React, whichever folder the component is from.
  alias: {
    '@portal-embed/react': resolve('react/dist/index.js'),
    react: packageFolder('react'),
    'react-dom': packageFolder('react-dom'),
  },
  bundle: true,
  minify: true,
  format: 'esm',
  write: false,
  define: { 'process.env.NODE_ENV': '"production"' },
});
const script = brotliCompressSync(outputFiles[0].contents);
const scriptPath = `/assets/${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`;
const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<script type="module" src="${scriptPath}"></script></head>
<body style="margin: 0"><div id="root"></div></body></html>`;

const app = express();
const contentSecurityPolicy = {
  directives: {
    // React sets styles of elements. There is no TLS.
    styleSrc: ["'self'", "'unsafe-inline'"],
    upgradeInsecureRequests: null,
  },
};
app.get('/', portalCsp({ tenants, contentSecurityPolicy }), (req, res) => {
  res.removeHeader('Link');
  const { portalUrl } = tenants[req.hostname];
  if ('preconnect' in req.query) res.set('Link', `<${portalUrl}>; rel=preconnect`);
  res.set('Cache-Control', 'no-store').type('html').send(html);
});
app.get(scriptPath, (_req, res) => {
  res
    .set({ 'Content-Encoding': 'br', 'Cache-Control': 'public, max-age=31536000, immutable' })
    .type('text/javascript')
    .send(script);
});
const limits = { mintsPerUserPerMinute: 10_000 };
app.use('/portal-embed', portalEmbed({ tenants, limits, user: () => ({ email: userEmail }) }));
app.listen(port, '127.0.0.1', () => process.send('listening'));
process.once('disconnect', () => process.exit());
