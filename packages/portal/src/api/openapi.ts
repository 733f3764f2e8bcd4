import path from 'node:path';

import { Router } from 'express';

import { allowOnly } from '../http/methods.ts';
import { requestOrigin } from '../http/origin.ts';
import type { Assets } from '../pages/assets.ts';
import { createApiDocument } from './openapi-document.ts';

/**
 * Content-Security-Policy of the documentation page, which may load nothing from other origins. Its
 * script sets style attributes, which a nonce cannot allow.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  authentication: { preferredSecurityScheme: 'apiKey' },
  agent: { disabled: true },
  mcp: { disabled: true },
};

const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Portal Embed API</title>
</head>
<body>
<script id="api-reference" data-url="/openapi.json" data-configuration='${JSON.stringify(configuration)}'></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;

/** The description of the API: `/openapi.json` and the page `/docs`. Both are public. */
export function docsRouter({ apiReference }: Pick<Assets, 'apiReference'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const document = createApiDocument();

  router
    .route('/openapi.json')
    .get((req, res) => {
      // Examples contain an address that the reader can reach.
      const servers = [{ url: requestOrigin(req) ?? '/' }];
      res.set('Cache-Control', 'no-store').json({ ...document, servers });
    })
    .all(allowOnly('GET'));

  router
    .route('/docs')
    .get((_req, res) => {
      res
        .type('html')
        .set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': contentSecurityPolicy })
        .send(docsPage);
    })
    .all(allowOnly('GET'));

  router
    .route('/docs/reference.js')
    .get((_req, res) => {
      const root = path.dirname(apiReference);
      res.sendFile(path.basename(apiReference), { root, maxAge: '1h' });
    })
    .all(allowOnly('GET'));
  return router;
}
