import { errorTable, type ErrorCode } from '@portal-embed/contract';
import type { Response } from 'express';

import type { ViewerSession } from '#viewer/requests';

import { tileDepth, writeJson } from '../http/json-parts.ts';
import { noteRefusal } from '../http/response-notes.ts';
import type { Assets } from './assets.ts';
import {
  escapeJson,
  noticeDocument,
  shellDocument,
  viewerBody,
  viewerHead,
  type Appearance,
  type DocumentParts,
} from './documents.ts';
import { drawFirstPage, isFirstPageDrawn } from './first-page.ts';
import { chooseLanguage } from './languages.ts';
import { notices, type NoticeName } from './notices.ts';
import { hash, pagePolicy } from './policy.ts';

/** What the document of a request needs, in the language of its reader. */
const scopeOf = (
  res: Response,
  assets: Assets,
  appearance: Appearance,
  isIsolated = false,
): DocumentParts => ({
  assets,
  appearance,
  isIsolated,
  language: chooseLanguage(assets.languages, res.req, appearance.language),
});

/**
 * Whether a page with reports gets an embedder policy. Hosts with such a policy frame only pages that
 * have one, too. But such a page frames another product only if the browser isolates it, so an
 * organization with frames gets the policy only for the hosts that ask for it.
 */
const isIsolated = (res: Response, { hasFrames }: Appearance): boolean =>
  !hasFrames || 'isolated' in res.req.query;

/**
 * Sends the viewer's page. With a single report, the head is sent at once, and the body when the
 * report is computed.
 *
 * @param title name of the session's report; `undefined` for a session of all reports
 */
export async function sendViewer(
  res: Response,
  assets: Assets,
  appearance: Appearance,
  title: string | undefined,
  session: Promise<ViewerSession>,
): Promise<void> {
  const scope = scopeOf(res, assets, appearance, isIsolated(res, appearance));
  const isDrawn = title !== undefined && isFirstPageDrawn(res.req, assets);
  setHeaders(res, pagePolicy(assets, appearance), scope.isIsolated);
  const head = viewerHead(scope, title, isDrawn);
  // Scripts load while a report is computed. A session of all reports is complete already.
  if (title !== undefined) {
    res.write(head);
    res.flush();
  }
  const complete = await session;
  const json = await writeSession(complete);
  const { view, organization, user } = complete;
  const owner = { organizationId: organization.id, userId: user.email };
  const draw = () => drawFirstPage(res.req, assets, scope.language, owner, json);
  const firstPage = isDrawn ? (view ? await draw() : '') : undefined;
  const body = viewerBody(scope, json, firstPage);
  res.end(title === undefined ? head + body : body);
}

async function writeSession(session: ViewerSession): Promise<string> {
  // Only a report can be large.
  if (!session.view) return escapeJson(JSON.stringify(session));
  let json = '';
  // The tiles are one level deeper than in a report.
  for await (const part of writeJson(session, tileDepth + 1)) json += escapeJson(part);
  return json;
}

/**
 * @param code the error that the notice explains; `undefined` if there is none
 * @param reason label of the metrics beside the code. Default: the notice's own
 */
export function sendNotice(
  res: Response,
  assets: Assets,
  appearance: Appearance,
  code: ErrorCode | undefined,
  name: NoticeName,
  reason: string | undefined = notices[name],
): void {
  if (code) noteRefusal(res, code, reason);
  // A notice frames nothing.
  setHeaders(res, pagePolicy(assets, appearance), true);
  res
    .status(code ? errorTable[code].status : 200)
    .send(noticeDocument(scopeOf(res, assets, appearance), name));
}

/**
 * Sends the shell. A browser may keep it but must revalidate it each time, because its policy must not
 * outlive an embed origin.
 */
export function sendShell(res: Response, assets: Assets, appearance: Appearance): void {
  const policy = pagePolicy(assets, appearance);
  const scope = scopeOf(res, assets, appearance, isIsolated(res, appearance));
  const body = shellDocument(scope);
  setHeaders(res, policy, scope.isIsolated);
  res.vary('Accept-Language');
  res.set({ 'Cache-Control': 'no-cache', ETag: `"${hash(policy + body)}"` }).send(body);
}

export function setHeaders(res: Response, policy: string, hasEmbedderPolicy = false): void {
  res.type('html').set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': policy });
  // A page that is cross-origin isolated frames only documents that are.
  if (hasEmbedderPolicy) res.set('Cross-Origin-Embedder-Policy', 'require-corp');
}
