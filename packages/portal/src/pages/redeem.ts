import type { Request, Response } from 'express';

import type { ViewerSession } from '#viewer/requests';

import { requestOrigin } from '../http/origin.ts';
import { noteCaller } from '../http/response-notes.ts';
import { redeemIdentityUrl, type Redemption } from '../identity-urls/service.ts';
import { createReadingScope, type ViewerServices } from '../viewer-api/report-views.ts';
import { presentViewerSession } from '../viewer-sessions/presenter.ts';
import { viewFirst } from '../viewing/report.ts';

/** Redeems a token at the address of the request. */
export async function redeem(
  { hotPathDb, refusalLimit }: Pick<ViewerServices, 'hotPathDb' | 'refusalLimit'>,
  req: Request,
  res: Response,
  request: { token: unknown; embedOrigin?: string; framed: readonly string[] },
): Promise<Redemption> {
  const address = requestOrigin(req) ?? '';
  const redemption = await refusalLimit.check(
    req.ip,
    undefined,
    () => redeemIdentityUrl(hotPathDb, { ...request, address }),
    // Only unknown tokens may be guesses, so spent URLs do not count.
    (result) => 'refused' in result && result.refused === 'unknown',
  );
  if ('refused' in redemption) {
    const { organizationId } = redemption;
    if (organizationId) noteCaller(res, { organizationId });
  } else {
    refusalLimit.accept(redemption.bearer);
    noteCaller(res, { organizationId: redemption.session.organizationId });
  }
  return redemption;
}

/** Computes the first data of a session for one report. */
export async function completeSession(
  scope: ViewerServices,
  req: Request,
  res: Response,
  redemption: Exclude<Redemption, { refused: unknown }>,
): Promise<ViewerSession> {
  const { session, reports, source } = redemption;
  const [report] = session.reportId === null ? [] : reports;
  const view = report
    ? await viewFirst(
        createReadingScope(scope, session, req, res),
        session,
        { report, source },
        scope,
      )
    : null;
  return presentViewerSession(redemption, view);
}
