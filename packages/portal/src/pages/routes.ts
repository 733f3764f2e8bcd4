import { isPrefetch, storableText } from '@portal-embed/contract';
import { Router, type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import serveCompressed from 'express-static-gzip';
import { z } from 'zod';

import type { RedeemRequest } from '#viewer/requests';

import { PortalError } from '../errors.ts';
import { jsonReader, parseBody } from '../http/body.ts';
import { allowOnly } from '../http/methods.ts';
import { requestOrigin } from '../http/origin.ts';
import { sendNotFound, toPortalError } from '../http/problems.ts';
import { sendData, type ViewerServices } from '../viewer-api/report-views.ts';
import { defaultAppearance, findAppearance } from './appearance.ts';
import type { Assets } from './assets.ts';
import type { Appearance } from './documents.ts';
import { framesRouter } from './frames.ts';
import { sendLogo } from './logos.ts';
import { describeNotice } from './notices.ts';
import { addProxyHint } from './proxy-hint.ts';
import { completeSession, redeem } from './redeem.ts';
import { sendNotice, sendShell, sendViewer } from './send.ts';

/** Maximum bytes of a request with a token and an origin. */
const redeemRequestLimit = 4_000;

const redeemRequestSchema: z.ZodType<RedeemRequest> = z.strictObject({
  token: z.string(),
  embedOrigin: storableText(redeemRequestLimit),
});

interface PagesServices extends ViewerServices {
  assets: Assets;
  /** Origin of the service itself. */
  publicUrl: string;
  /** Origin of the administration pages, if there are any. */
  adminUrl: string | undefined;
}

/** Pages for browsers: the viewer of a redeemed URL, notices, and the files of both. */
export function pagesRouter(scope: PagesServices): Router {
  const { hotPathDb, assets, refusalLimit } = scope;
  const frames = scope.platforms.framed.map(({ name }) => name);
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/embed', async (req, res) => {
    // Embeds may use the service's own address, which has no organization and so no shell.
    if (requestOrigin(req) === scope.publicUrl) {
      sendNotice(res, assets, defaultAppearance, 'not_found', 'address');
      return;
    }
    const appearance = await refusalLimit.check(
      req.ip,
      undefined,
      () => findAppearance(hotPathDb, req, { framed: frames }),
      (found) => found.organizationName === undefined,
    );
    if (appearance.organizationName !== undefined) {
      sendShell(res, assets, appearance);
      return;
    }
    addProxyHint(scope, req, res, appearance);
    sendNotice(res, assets, defaultAppearance, 'not_found', 'address');
  });

  router.use(framesRouter(scope));

  /** Lets the administration pages frame a portal that an administrator views as a user. */
  const allowAdminFrame = <Shown extends Pick<Appearance, 'embedOrigins'>>(
    appearance: Shown,
    isViewedAs: boolean,
  ): Shown =>
    isViewedAs && scope.adminUrl !== undefined
      ? { ...appearance, embedOrigins: [...appearance.embedOrigins, scope.adminUrl] }
      : appearance;

  router.get('/identity', async (req, res) => {
    requireNavigation(req);
    const redemption = await redeem(scope, req, res, { token: req.query['token'], framed: frames });
    if ('refused' in redemption) {
      const appearance = allowAdminFrame(
        await findAppearance(hotPathDb, req, { organizationId: redemption.organizationId }),
        redemption.isViewedAs === true,
      );
      addProxyHint(scope, req, res, appearance);
      sendNotice(res, assets, appearance, 'identity_url_spent', redemption.refused);
      return;
    }
    const { session, reports, bearer: _, ...appearance } = redemption;
    const title = session.reportId === null ? undefined : reports[0]?.name;
    const framed = allowAdminFrame(appearance, session.viewedBy !== null);
    await sendViewer(res, assets, framed, title, completeSession(scope, req, res, redemption));
  });

  const readRedeemRequest = jsonReader(redeemRequestLimit);
  router.post('/identity', async (req, res) => {
    requireOwnPage(req);
    await readRedeemRequest(req);
    const request = parseBody(req, redeemRequestSchema, 'request for a session');
    const redemption = await redeem(scope, req, res, { ...request, framed: frames });
    if ('refused' in redemption) {
      const { title, text } = describeNotice(assets.languages.get('en')!, redemption.refused);
      const options = { advice: text, reason: redemption.refused };
      throw new PortalError('identity_url_spent', `${title}.`, options);
    }
    await sendData(res, await completeSession(scope, req, res, redemption));
  });

  const sendReloaded: RequestHandler = async (req, res) => {
    // Anyone can open this page as often as they like, and the appearance costs a query.
    if (await refusalLimit.admitPage(req.ip)) {
      const appearance = await findAppearance(hotPathDb, req);
      addProxyHint(scope, req, res, appearance);
      sendNotice(res, assets, appearance, 'session_required', 'reloaded');
    } else sendNotice(res, assets, defaultAppearance, 'session_required', 'reloaded');
  };
  router.get('/organizations/:organizationId', sendReloaded);
  router.get('/organizations/:organizationId/reports/:reportId', sendReloaded);
  for (const page of [
    '/embed',
    '/organizations/:organizationId',
    '/organizations/:organizationId/reports/:reportId',
  ])
    router.all(page, allowOnly('GET'));
  router.all('/identity', allowOnly('GET', 'POST'));

  router.get('/logos/:organizationId/:name', async (req, res) => {
    await sendLogo(hotPathDb, res, req.params);
  });
  router.all('/logos/:organizationId/:name', allowOnly('GET'));

  router.use(
    '/assets',
    serveCompressed(assets.folder, {
      index: false,
      enableBrotli: true,
      orderPreference: ['br', 'gzip'],
      serveStatic: { immutable: true, maxAge: '1y' },
    }),
  );

  // The component probes this path, and browsers log any error that a probe gets.
  router.get('/', (req, res, next) => {
    if (req.accepts(['html', 'json']) !== 'html') {
      sendNotFound(req, res, next);
      return;
    }
    const { adminUrl } = scope;
    const homeUrl = adminUrl === undefined ? null : `${adminUrl}/admin`;
    sendNotice(res, assets, { ...defaultAppearance, homeUrl }, undefined, 'root');
  });
  router.all('/', allowOnly('GET'));

  router.use((req, res, next) => {
    const isBrowser = /^(GET|HEAD)$/.test(req.method) && req.accepts(['json', 'html']) === 'html';
    // The organization's appearance would cost a query for each unknown address.
    if (isBrowser) sendNotice(res, assets, defaultAppearance, 'not_found', 'address');
    else next();
  });

  // A page can ask the host frame for a fresh URL; a JSON body cannot.
  const sendFailure: ErrorRequestHandler = (error, req, res, next) => {
    const isLimited = error instanceof PortalError && error.code === 'rate_limited';
    const isOverload = error instanceof PortalError && error.code === 'overloaded';
    const isForScript = req.method === 'POST';
    const isExplained = error instanceof PortalError && !isLimited && !isOverload;
    if (res.headersSent || isForScript || isExplained) {
      next(error);
      return;
    }
    const { code, reason, retryAfter } = toPortalError(error, req);
    if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter));
    const notice = isLimited ? 'limited' : 'failed';
    sendNotice(res, assets, defaultAppearance, code, notice, reason);
  };
  router.use(sendFailure);
  return router;
}

/** Refuses HEAD, prefetch and fetch requests, which would spend the URL before the reader opens it. */
function requireNavigation(req: Request): void {
  const mode = req.get('Sec-Fetch-Mode');
  const navigates = mode === undefined || mode === 'navigate';
  if (req.method === 'GET' && navigates && !isPrefetch((name) => req.get(name))) return;
  throw new PortalError(
    'navigation_required',
    'This address opens the portal once, in a browser. It was not spent; open it in a browser.',
  );
}

/** Refuses a request from any other page, before anything is spent. */
function requireOwnPage(req: Request): void {
  const site = req.get('Sec-Fetch-Site') ?? 'same-origin';
  const origin = req.get('Origin');
  if (origin !== undefined && origin === requestOrigin(req) && site === 'same-origin') return;
  throw new PortalError(
    'cross_site',
    "This request is for the portal's own page. It was refused, and the link was not spent.",
  );
}
