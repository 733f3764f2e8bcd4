import { customFiltersSchema, fieldErrors, id } from '@portal-embed/contract';
import express, {
  Router,
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { z } from 'zod';

import type { ReportList, ViewRequest } from '#wire/viewer.ts';

import type { Database } from '../db/open.ts';
import { PortalError } from '../errors.ts';
import { jsonReader } from '../http/body.ts';
import { allowOnly } from '../http/methods.ts';
import { requestOrigin } from '../http/origin.ts';
import { describeError } from '../http/problems.ts';
import { redeemIdentityUrl, requireSession, type Session } from '../identity/service.ts';
import type { ReportPlatform } from '../platforms/platform.ts';
import { presentReportSummary } from '../reports/presenter.ts';
import type { Assets } from './assets.ts';
import type { Notice } from './documents.ts';
import { anybodys, findAppearance, sendNotice, sendViewer } from './pages.ts';
import { presentViewerSession } from './presenter.ts';
import { listSessionReports, viewFirst, viewReport, type ViewScope } from './service.ts';
import type { LimitViews } from './view-limit.ts';

interface ViewerScope {
  db: Database;
  platform: ReportPlatform;
  assets: Assets;
  limitViews: LimitViews;
}

/** Most bytes of a request for a report: as many filters as there may be, and room. */
const viewRequestLimit = 200_000;

const viewRequestSchema: z.ZodType<ViewRequest> = z.strictObject({
  intent: z.enum(['open', 'refresh']),
  filters: customFiltersSchema,
});

const refusedNotices: Record<'used' | 'expired' | 'unknown', Notice> = {
  used: {
    title: 'This link has been used already',
    text: 'A link opens the portal once. Go back to the application it came from and open the report there again.',
    sessionRequired: 'used',
  },
  expired: {
    title: 'This link has expired',
    text: 'A link works for five minutes. Go back to the application it came from and open the report there again.',
    sessionRequired: 'expired',
  },
  unknown: {
    title: 'This link does not work here',
    text: 'It may be incomplete, or long over. Go back to the application it came from and open the report there again.',
    sessionRequired: 'unknown',
  },
};

const reloadedNotice: Notice = {
  title: 'Open this from your application',
  text: 'The portal keeps nothing in the browser, so this page cannot be reloaded or opened by its address. Go back to the application that shows it.',
  sessionRequired: 'reloaded',
};

const failedNotice: Notice = {
  title: 'The portal cannot show this at the moment',
  text: 'Something went wrong on our side. Go back to the application this came from and open it there again.',
  sessionRequired: 'unknown',
};

/** The pages: redeeming, and what an address that was redeemed before answers to a reload. */
export function pagesRouter(scope: ViewerScope): Router {
  const { db, assets, limitViews } = scope;
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/identity', async (req, res) => {
    requireNavigation(req);
    const address = requestOrigin(req) ?? '';
    const redemption = await redeemIdentityUrl(db, { token: req.query['token'], address });
    if ('refused' in redemption) {
      const appearance = await findAppearance(db, req, redemption.organizationId);
      const notice = refusedNotices[redemption.refused];
      sendNotice(res, assets, appearance, 'identity_url_spent', notice);
      return;
    }
    const { bearer, session } = redemption;
    const appearance = {
      organizationName: session.organization_name,
      accentColor: session.accent_color,
      embedOrigins: session.embed_origins,
    };
    const { reports } = session;
    const [report] = session.report_id === null ? [] : reports;
    const complete = async () => {
      const first = report && (() => viewFirst(viewScope(scope, req, res), session, report.id));
      // A page that comes without data for the limit's sake asks by itself, and is told.
      const view = first ? await limitViews(session, first).catch(() => null) : null;
      return presentViewerSession(bearer, session, reports, view);
    };
    await sendViewer(res, assets, appearance, report?.name ?? 'Reports', complete());
  });

  const sendReloaded: RequestHandler = async (req, res) => {
    const appearance = await findAppearance(db, req);
    sendNotice(res, assets, appearance, 'session_required', reloadedNotice);
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

  // A reader gets a page, and their host hears that a fresh URL is needed; JSON would be mute.
  const sendFailure: ErrorRequestHandler = (error, req, res, next) => {
    if (res.headersSent || error instanceof PortalError) {
      next(error);
      return;
    }
    const [code] = describeError(error, req, res);
    sendNotice(res, assets, anybodys, code, failedNotice);
  };
  router.use(sendFailure);
  return router;
}

/** What the viewer page asks for, with its session's bearer. */
export function viewerRouter(scope: ViewerScope): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/viewer/reports', async (req, res) => {
    const session = await authenticate(scope.db, req);
    const reports = await listSessionReports(scope.db, session);
    sendData(res, { reports: reports.map(presentReportSummary) } satisfies ReportList);
  });
  router.all('/viewer/reports', allowOnly('GET'));

  const readBody = jsonReader(viewRequestLimit);
  router.post('/viewer/reports/:reportId/view', async (req, res) => {
    const requireLive = () => authenticate(scope.db, req);
    const session = await requireLive();
    await readBody(req, requireLive);
    const reportId = id.safeParse(req.params.reportId);
    if (!reportId.success)
      throw new PortalError('invalid_request', 'The report id in the address is not a UUID.');
    const parsed = viewRequestSchema.safeParse(req.body);
    if (!parsed.success)
      throw new PortalError(
        'invalid_request',
        'The body is not a valid request for a report.',
        fieldErrors(parsed.error),
      );
    const view = () => viewReport(viewScope(scope, req, res), session, reportId.data, parsed.data);
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
  const isAhead = ['Sec-Purpose', 'Purpose', 'X-Moz'].some((name) => req.get(name) !== undefined);
  if (req.method === 'GET' && navigates && !isAhead) return;
  throw new PortalError(
    'navigation_required',
    'This address opens the portal in a browser, once. Nothing was spent.',
  );
}

function viewScope(scope: ViewerScope, req: Request, res: Response): ViewScope {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return {
    ...scope,
    signal: gone.signal,
    onFailure: (error) => req.logFailure(error, 'report failed'),
  };
}

function authenticate(db: Database, req: Request): Promise<Session> {
  const [scheme, bearer] = (req.get('Authorization') ?? '').split(' ');
  return requireSession(db, {
    bearer: scheme === 'Bearer' ? bearer : undefined,
    address: requestOrigin(req) ?? '',
  });
}

const sendData = (res: Response, data: object): void => {
  res.set('Cache-Control', 'no-store').json(data);
};
