import { errorTable, type ErrorCode } from '@portal-embed/contract';
import type { Response } from 'express';

import type { ViewerSession } from '#wire/viewer.ts';

import { noteRefusal } from '../http/refusals.ts';
import type { Assets } from './assets.ts';
import {
  noticeDocument,
  shellDocument,
  viewerBody,
  viewerHead,
  type Appearance,
  type Notice,
} from './documents.ts';
import { shellNotice } from './notices.ts';
import { hash, pagePolicy } from './policy.ts';

/** Sends the head of the viewer's page at once, and the body when the session is complete. */
export async function sendViewer(
  res: Response,
  assets: Assets,
  appearance: Appearance,
  title: string,
  session: Promise<ViewerSession>,
): Promise<void> {
  setHeaders(res, pagePolicy(assets, appearance));
  res.write(viewerHead(assets, appearance, title));
  res.end(viewerBody(await session));
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
  notice: Notice,
  reason: string | undefined = notice.sessionRequired,
): void {
  if (code) noteRefusal(res, code, reason);
  setHeaders(res, pagePolicy(assets, appearance));
  res.status(code ? errorTable[code].status : 200).send(noticeDocument(assets, appearance, notice));
}

/**
 * Sends the shell. A browser may keep it but must revalidate it each time, because its policy must not
 * outlive an embed origin.
 */
export function sendShell(res: Response, assets: Assets, appearance: Appearance): void {
  const policy = pagePolicy(assets, appearance);
  const body = shellDocument(assets, appearance, shellNotice);
  setHeaders(res, policy);
  res.set({ 'Cache-Control': 'no-cache', ETag: `"${hash(policy + body)}"` }).send(body);
}

const setHeaders = (res: Response, policy: string) =>
  res.type('html').set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': policy });
