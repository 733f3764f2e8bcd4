import {
  Router,
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import serveCompressed from 'express-static-gzip';

import { PortalError } from '../errors.ts';
import { allowOnly } from '../http/methods.ts';
import { requestOrigin } from '../http/origin.ts';
import { toPortalError } from '../http/problems.ts';
import { noteCaller, noteHint } from '../http/refusals.ts';
import { redeemIdentityUrl } from '../identity-urls/service.ts';
import { createViewScope, type ViewerScope } from '../report-views/routes.ts';
import { viewFirst } from '../report-views/service.ts';
import { presentViewerSession } from '../viewer-sessions/presenter.ts';
import { defaultAppearance, findAppearance } from './appearance.ts';
import type { Assets } from './assets.ts';
import type { Appearance } from './documents.ts';
import {
  failedNotice,
  limitedNotice,
  refusedNotices,
  reloadedNotice,
  rootNotice,
  unknownAddressNotice,
} from './notices.ts';
import { sendNotice, sendViewer } from './send.ts';

interface PagesScope extends ViewerScope {
  assets: Assets;
  /** Origin of the service itself. */
  publicUrl: string;
}

/** Pages for browsers: the viewer of a redeemed URL, notices, and the files of both. */
export function pagesRouter(scope: PagesScope): Router {
  const { hot, assets, refusalLimit } = scope;
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/identity', async (req, res) => {
    requireNavigation(req);
    const address = requestOrigin(req) ?? '';
    const redemption = await refusalLimit.check(
      req.ip,
      undefined,
      () => redeemIdentityUrl(hot, { token: req.query['token'], address }),
      // A spent URL is no guess, so it does not count.
      (result) => 'refused' in result && result.refused === 'unknown',
    );
    if ('refused' in redemption) {
      const { organizationId } = redemption;
      const appearance = await findAppearance(hot, req, organizationId);
      if (organizationId) noteCaller(res, { organizationId });
      else addProxyHint(scope, req, res, appearance);
      const notice = refusedNotices[redemption.refused];
      sendNotice(res, assets, appearance, 'identity_url_spent', notice);
      return;
    }
    const { bearer, session, reports, ...appearance } = redemption;
    refusalLimit.accept(bearer);
    noteCaller(res, { organizationId: session.organizationId });
    const [report] = session.reportId === null ? [] : reports;
    const complete = async () => {
      const view = report
        ? await viewFirst(createViewScope(scope, session, req, res), session, report.id)
        : null;
      return presentViewerSession(redemption, view);
    };
    await sendViewer(res, assets, appearance, report?.name ?? 'Reports', complete());
  });

  const sendReloaded: RequestHandler = async (req, res) => {
    // Anyone can open this page as often as they like, and the appearance costs a query.
    if (await refusalLimit.admitPage(req.ip)) {
      const appearance = await findAppearance(hot, req);
      addProxyHint(scope, req, res, appearance);
      sendNotice(res, assets, appearance, 'session_required', reloadedNotice);
    } else sendNotice(res, assets, defaultAppearance, 'session_required', reloadedNotice);
  };
  router.get('/organizations/:organizationId', sendReloaded);
  router.get('/organizations/:organizationId/reports/:reportId', sendReloaded);
  for (const page of [
    '/identity',
    '/organizations/:organizationId',
    '/organizations/:organizationId/reports/:reportId',
  ])
    router.all(page, allowOnly('GET'));

  router.use(
    '/assets',
    serveCompressed(assets.folder, {
      index: false,
      enableBrotli: true,
      orderPreference: ['br', 'gzip'],
      serveStatic: { immutable: true, maxAge: '1y' },
    }),
  );

  router.use((req, res, next) => {
    const isBrowser = /^(GET|HEAD)$/.test(req.method) && req.accepts(['json', 'html']) === 'html';
    // The organization's appearance would cost a query for each unknown address.
    if (!isBrowser) next();
    else if (req.path === '/') sendNotice(res, assets, defaultAppearance, undefined, rootNotice);
    else sendNotice(res, assets, defaultAppearance, 'not_found', unknownAddressNotice);
  });

  // A page tells the host frame that a fresh URL is needed, which a JSON body could not.
  const sendFailure: ErrorRequestHandler = (error, req, res, next) => {
    const isLimited = error instanceof PortalError && error.code === 'rate_limited';
    const isOverload = error instanceof PortalError && error.code === 'overloaded';
    if (res.headersSent || (error instanceof PortalError && !isLimited && !isOverload)) {
      next(error);
      return;
    }
    const { code, reason, retryAfter } = toPortalError(error, req);
    if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter));
    const notice = isLimited ? limitedNotice : failedNotice;
    sendNotice(res, assets, defaultAppearance, code, notice, reason);
  };
  router.use(sendFailure);
  return router;
}

/** Refuses HEAD, prefetch and fetch requests, which would spend the URL before the reader opens it. */
function requireNavigation(req: Request): void {
  const mode = req.get('Sec-Fetch-Mode');
  const navigates = mode === undefined || mode === 'navigate';
  const isAhead = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'].some(
    (name) => req.get(name) !== undefined,
  );
  if (req.method === 'GET' && navigates && !isAhead) return;
  throw new PortalError(
    'navigation_required',
    'This address opens the portal once, in a browser. It was not spent; open it in a browser.',
  );
}

/** Adds a hint to the log: behind an untrusted proxy, the portal gets a wrong address. */
function addProxyHint(
  { publicUrl }: PagesScope,
  req: Request,
  res: Response,
  { organizationName }: Appearance,
): void {
  const address = requestOrigin(req);
  if (organizationName !== undefined || address === publicUrl) return;
  noteHint(
    res,
    `No organization has the address ${address}. Register it with \`portal organizations set-addresses\`, or, behind a proxy, set PORTAL_TRUST_PROXY.`,
  );
}
