import { randomBytes } from 'node:crypto';

import { Router, type Request, type RequestHandler } from 'express';

import type { Database } from '../db/connection/open.ts';
import { allowOnly } from '../http/methods.ts';
import { listAddresses } from '../organizations/store.ts';
import { isToken } from '../secrets.ts';
import { readTokenCookie } from '../sign-in/cookie.ts';
import { findLiveSession } from '../sign-in/store.ts';
import type { Assets } from './assets.ts';

/** The document of the administration pages, at every path below `/admin` that is not a request. */
export function adminPagesRouter({
  hotPathDb,
  assets,
  adminUrl,
}: {
  hotPathDb: Database;
  assets: Assets;
  /** Origin of the administration pages. */
  adminUrl: string;
}): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const sendPage: RequestHandler = async (req, res) => {
    const nonce = randomBytes(16).toString('base64');
    res
      .type('html')
      .set({
        'Cache-Control': 'no-store',
        'Content-Security-Policy': adminPolicy(
          nonce,
          await findFrameable(hotPathDb, req, adminUrl),
        ),
        'Cross-Origin-Resource-Policy': 'same-origin',
      })
      .send(adminDocument(assets, nonce));
  };
  for (const page of ['/admin', '/admin/{*rest}']) {
    router.get(page, sendPage);
    router.all(page, allowOnly('GET'));
  }
  return router;
}

/** Portal addresses of the organization in the path, which this page may frame. */
async function findFrameable(db: Database, req: Request, adminUrl: string): Promise<string[]> {
  const id = /^\/admin\/organizations\/([0-9a-f-]{36})(?:\/|$)/.exec(req.path)?.[1];
  const token = readTokenCookie('session', req, adminUrl);
  const session = id && isToken(token) ? await findLiveSession(db, token) : undefined;
  const own = session?.account.user?.organization.id;
  return id && session && (own === undefined || own === id) ? listAddresses(db, id) : [];
}

const adminPolicy = (nonce: string, frameable: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${frameable.join(' ') || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const adminDocument = ({ admin }: Assets, nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Portal administration</title>
${admin.styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
<script type="module" src="${admin.script}" nonce="${nonce}"></script>
</head>
<body>
<noscript><p>This page requires JavaScript. Turn it on, then load the page again.</p></noscript>
<div id="admin"></div>
</body>
</html>
`;
