import { customFiltersSchema, fieldErrors, idSchema, type ErrorCode } from '@portal-embed/contract';
import express, {
  Router,
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { z } from 'zod';

import type { ReportList, ViewRequest } from '#wire/viewer.ts';

import type { SharedDatabase } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import { jsonReader } from '../http/body.ts';
import { allowOnly } from '../http/methods.ts';
import { requestOrigin } from '../http/origin.ts';
import { describeError } from '../http/problems.ts';
import type { RefusalLimit } from '../http/refusal-limit.ts';
import { noteCaller, noteHint } from '../http/refusals.ts';
import { redeemIdentityUrl, requireSession, type Session } from '../identity-urls/service.ts';
import type { Assets } from '../pages/assets.ts';
import type { Appearance } from '../pages/documents.ts';
import {
  failedNotice,
  limitedNotice,
  refusedNotices,
  reloadedNotice,
  rootNotice,
  unknownAddressNotice,
} from '../pages/notices.ts';
import { defaultAppearance, findAppearance, sendNotice, sendViewer } from '../pages/send.ts';
import type { ReportPlatform } from '../platforms/platform.ts';
import type { TakePermit } from '../rate-limits/service.ts';
import { presentReportSummary } from '../reports/presenter.ts';
import { presentViewerSession } from '../viewer-sessions/presenter.ts';
import { listSessionReports, viewFirst, viewReport, type FirstViewScope } from './service.ts';
import type { LimitViews } from './view-limit.ts';

interface ViewerScope extends Pick<SharedDatabase, 'hot' | 'ofOrganization'> {
  /** Origin of the service itself. */
  publicUrl: string;
  platform: ReportPlatform;
  assets: Assets;
  refusalLimit: RefusalLimit;
  limitViews: LimitViews;
  takePermit: TakePermit;
  /** Counts a page that is sent without its report's data. */
  onFirstDataMissing: (cause: ErrorCode) => void;
}

/** Most bytes of a request for a report: as many filters as there may be, and room. */
const viewRequestLimit = 200_000;

const viewRequestSchema: z.ZodType<ViewRequest> = z.strictObject({
  intent: z.enum(['open', 'refresh']),
  filters: customFiltersSchema,
});

/** The pages: redeeming, and what an address that was redeemed before answers to a reload. */
export function pagesRouter(scope: ViewerScope): Router {
  const { hot, assets, refusalLimit } = scope;
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/identity', async (req, res) => {
    requireNavigation(req);
    const address = requestOrigin(req) ?? '';
    await refusalLimit.admit(req, res, undefined);
    const redemption = await redeemIdentityUrl(hot, { token: req.query['token'], address });
    if ('refused' in redemption) {
      const { organizationId } = redemption;
      const appearance = await findAppearance(hot, req, organizationId);
      if (organizationId) noteCaller(res, { organizationId });
      else addProxyHint(scope, req, res, appearance);
      const notice = refusedNotices[redemption.refused];
      sendNotice(res, assets, appearance, 'identity_url_spent', notice);
      return;
    }
    const { bearer, session } = redemption;
    refusalLimit.accept(bearer);
    const appearance = {
      organizationName: session.organization_name,
      accentColor: session.accent_color,
      embedOrigins: session.embed_origins,
    };
    const { reports } = session;
    const [report] = session.report_id === null ? [] : reports;
    const complete = async () => {
      const view = report
        ? await viewFirst(viewScope(scope, session, req, res), session, report.id)
        : null;
      return presentViewerSession(bearer, session, reports, view);
    };
    await sendViewer(res, assets, appearance, report?.name ?? 'Reports', complete());
  });

  const sendReloaded: RequestHandler = async (req, res) => {
    // Anyone can open this page as often as they like, and the appearance costs a query.
    if (await refusalLimit.admitPage(req)) {
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

  router.use('/assets', express.static(assets.folder, { immutable: true, maxAge: '1y' }));

  router.use((req, res, next) => {
    const isBrowser = /^(GET|HEAD)$/.test(req.method) && req.accepts(['json', 'html']) === 'html';
    // The organization's appearance would cost a query for each unknown address.
    if (!isBrowser) next();
    else if (req.path === '/') sendNotice(res, assets, defaultAppearance, undefined, rootNotice);
    else sendNotice(res, assets, defaultAppearance, 'not_found', unknownAddressNotice);
  });

  // A reader gets a page, and their host hears that a fresh URL is needed; JSON would be mute.
  const sendFailure: ErrorRequestHandler = (error, req, res, next) => {
    const isLimited = error instanceof PortalError && error.code === 'rate_limited';
    const isOverload = error instanceof PortalError && error.code === 'overloaded';
    if (res.headersSent || (error instanceof PortalError && !isLimited && !isOverload)) {
      next(error);
      return;
    }
    const [code] = describeError(error, req, res);
    sendNotice(res, assets, defaultAppearance, code, isLimited ? limitedNotice : failedNotice);
  };
  router.use(sendFailure);
  return router;
}

/** What the viewer page asks for, with its session's bearer. */
export function viewerRouter(scope: ViewerScope): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/viewer/reports', async (req, res) => {
    const session = await admit(scope, req, res);
    const db = scope.ofOrganization(session.organization_id);
    const reports = await listSessionReports(db, session);
    sendData(res, { reports: reports.map(presentReportSummary) } satisfies ReportList);
  });
  router.all('/viewer/reports', allowOnly('GET'));

  const readBody = jsonReader(viewRequestLimit);
  router.post('/viewer/reports/:reportId/view', async (req, res) => {
    const session = await admit(scope, req, res);
    await readBody(req, () => authenticate(scope, req, res));
    const reportId = idSchema.safeParse(req.params.reportId);
    if (!reportId.success)
      throw new PortalError(
        'invalid_request',
        'The report id in the address is not a UUID. Check the address.',
      );
    const parsed = viewRequestSchema.safeParse(req.body);
    if (!parsed.success)
      throw new PortalError(
        'invalid_request',
        'The body is not a valid request for a report. Correct the fields in errors.',
        fieldErrors(parsed.error),
      );
    const view = () =>
      viewReport(viewScope(scope, session, req, res), session, reportId.data, parsed.data);
    sendData(res, await scope.limitViews(session, view));
  });
  router.all('/viewer/reports/:reportId/view', allowOnly('POST'));
  return router;
}

/**
 * Redeeming is for a reader's navigation. A HEAD, a prefetch or a fetch would spend the URL before
 * the reader gets to it.
 */
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
  { publicUrl }: ViewerScope,
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

function viewScope(
  scope: ViewerScope,
  session: Pick<Session, 'organization_id'>,
  req: Request,
  res: Response,
): FirstViewScope {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return {
    ...scope,
    db: scope.ofOrganization(session.organization_id),
    signal: gone.signal,
    onFailure: (error) => req.logFailure(error, 'report failed'),
  };
}

/** Authenticates the session and takes a permit of its user's rate limit. */
async function admit(scope: ViewerScope, req: Request, res: Response): Promise<Session> {
  const session = await authenticate(scope, req, res);
  await scope.takePermit({
    kind: 'user',
    organizationId: session.organization_id,
    id: session.user_id,
  });
  return session;
}

async function authenticate(
  { hot, refusalLimit }: ViewerScope,
  req: Request,
  res: Response,
): Promise<Session> {
  const [scheme, token] = (req.get('Authorization') ?? '').split(' ');
  const bearer = scheme === 'Bearer' ? token : undefined;
  await refusalLimit.admit(req, res, bearer);
  const session = await requireSession(hot, { bearer, address: requestOrigin(req) ?? '' });
  noteCaller(res, { organizationId: session.organization_id });
  return session;
}

const sendData = (res: Response, data: object): void => {
  res.set('Cache-Control', 'no-store').json(data);
};
