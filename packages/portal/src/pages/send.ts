import { errorTable, type ErrorCode } from '@portal-embed/contract';
import type { Response } from 'express';

import type { ViewerSession } from '#wire/viewer.ts';

import { noteRefusal } from '../http/refusals.ts';
import type { Assets } from './assets.ts';
import {
  noticeDocument,
  viewerBody,
  viewerHead,
  type Appearance,
  type Notice,
} from './documents.ts';
import { setPolicy } from './policy.ts';

/** Sends the head of the viewer's page at once, and the body when the session is complete. */
export async function sendViewer(
  res: Response,
  assets: Assets,
  appearance: Appearance,
  title: string,
  session: Promise<ViewerSession>,
): Promise<void> {
  const nonce = setPolicy(res, assets, appearance);
  res.write(viewerHead(assets, nonce, appearance, title));
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
  const nonce = setPolicy(res, assets, appearance);
  res
    .status(code ? errorTable[code].status : 200)
    .send(noticeDocument(assets, nonce, appearance, notice));
}
