import { randomBytes } from 'node:crypto';

import { errorTable, type ErrorCode } from '@portal-embed/contract';
import type { Request, Response } from 'express';

import type { ViewerSession } from '#wire/viewer.ts';

import type { Database } from '../db/connection/open.ts';
import { requestOrigin } from '../http/origin.ts';
import { noteRefusal } from '../http/refusals.ts';
import { findLook } from '../organizations/store.ts';
import type { Assets } from './assets.ts';
import {
  noticeDocument,
  viewerBody,
  viewerHead,
  type Appearance,
  type Notice,
} from './documents.ts';

const unknownOrganization: Appearance = {
  organizationName: undefined,
  accentColor: undefined,
  embedOrigins: [],
};

/**
 * Of a page that says no more than that we failed. Who may frame it is in the database, which may be
 * what failed; a page that nobody may frame would be told from no portal at all.
 */
export const defaultAppearance: Appearance = { ...unknownOrganization, embedOrigins: ['*'] };

/**
 * The look of a page and who may frame it. Without an id it is the organization whose address the
 * request came to; the service's own address is nobody's.
 */
export async function findAppearance(
  db: Database,
  req: Request,
  organizationId?: string,
): Promise<Appearance> {
  const address = requestOrigin(req);
  const by = organizationId === undefined ? address && { address } : { id: organizationId };
  const look = by && (await findLook(db, by));
  if (!look) return unknownOrganization;
  return {
    organizationName: look.name,
    accentColor: look.accent_color,
    embedOrigins: look.embed_origins,
  };
}

/** Sends the viewer's page: its head at once, its body when the session is complete. */
export async function sendViewer(
  res: Response,
  assets: Assets,
  appearance: Appearance,
  title: string,
  session: Promise<ViewerSession>,
): Promise<void> {
  const nonce = protect(res, assets, appearance);
  res.write(viewerHead(assets, nonce, appearance, title));
  res.end(viewerBody(await session));
}

/** @param code the error that the notice explains; `undefined` if there is none */
export function sendNotice(
  res: Response,
  assets: Assets,
  appearance: Appearance,
  code: ErrorCode | undefined,
  notice: Notice,
): void {
  if (code) noteRefusal(res, code, notice.sessionRequired);
  const nonce = protect(res, assets, appearance);
  res
    .status(code ? errorTable[code].status : 200)
    .send(noticeDocument(assets, nonce, appearance, notice));
}

/** Headers of every page; returns the nonce of its one inline style. */
function protect(res: Response, assets: Assets, { embedOrigins }: Appearance): string {
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
