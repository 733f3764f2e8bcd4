import { randomBytes } from 'node:crypto';

import type { Response } from 'express';

import type { Assets } from './assets.ts';
import type { Appearance } from './documents.ts';

/** Sets the headers of a page and returns the nonce of its inline style. */
export function setPolicy(res: Response, assets: Assets, { embedOrigins }: Appearance): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = {
    'default-src': "'none'",
    'script-src': `'self' 'sha256-${assets.boot.hash}'`,
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': embedOrigins.join(' ') || "'none'",
  };
  res.type('html').set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': Object.entries(policy)
      .map((directive) => directive.join(' '))
      .join('; '),
  });
  return nonce;
}
