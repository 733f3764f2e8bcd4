import { randomBytes } from 'node:crypto';
import path from 'node:path';

import express, { Router } from 'express';

import { allowOnly } from '../http/methods.ts';
import { createApiDocument } from './document.ts';

/** What the page that shows the document may do: nothing that leads to another origin. */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'nonce-${nonce}'`,
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
  agent: { disabled: true },
  mcp: { disabled: true },
};

const docsPage = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${nonce}">
<title>Portal Embed API</title>
</head>
<body>
<script id="api-reference" data-url="/openapi.json" data-configuration='${JSON.stringify(configuration)}'></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;

/** The API's description: for programs at `/openapi.json`, for people at `/docs`. Both are public. */
export function docsRouter(pagesFolder: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const document = JSON.stringify(createApiDocument());

  router
    .route('/openapi.json')
    .get((_req, res) => {
      res.type('application/json').set('Cache-Control', 'no-cache').send(document);
    })
    .all(allowOnly('GET'));

  router
    .route('/docs')
    .get((_req, res) => {
      const nonce = randomBytes(16).toString('base64');
      res
        .type('html')
        .set({
          'Cache-Control': 'no-store',
          'Content-Security-Policy': contentSecurityPolicy(nonce),
        })
        .send(docsPage(nonce));
    })
    .all(allowOnly('GET'));

  router.use('/docs', express.static(path.join(pagesFolder, 'docs'), { maxAge: '1h' }));
  return router;
}
