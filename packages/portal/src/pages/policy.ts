import { createHash } from 'node:crypto';

import type { Assets } from './assets.ts';
import { lookStyle, type Appearance } from './documents.ts';

/** Returns the Content-Security-Policy of a page. */
export function pagePolicy(assets: Assets, appearance: Appearance): string {
  const style = lookStyle(appearance);
  const policy = {
    'default-src': "'none'",
    'script-src': `'self' 'sha256-${assets.boot.hash}'`,
    // By hash: a nonce would change with each answer, and browsers may cache the page.
    'style-src': style === '' ? "'self'" : `'self' 'sha256-${hash(style)}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    // Only `/frames/{platform}`, which may frame another product.
    'frame-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': appearance.embedOrigins.join(' ') || "'none'",
  };
  return joinPolicy(policy);
}

/**
 * Returns the Content-Security-Policy of a page that shows frames of another product.
 *
 * @param origins of the product; none if the organization has not set it up
 * @param ancestors origins that may frame the viewer's page
 */
export const framePolicy = (origins: readonly string[], ancestors: readonly string[]): string =>
  joinPolicy({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'frame-src': origins.join(' ') || "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': ["'self'", ...ancestors].join(' '),
  });

const joinPolicy = (policy: Record<string, string>): string =>
  Object.entries(policy)
    .map((directive) => directive.join(' '))
    .join('; ');

export const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
