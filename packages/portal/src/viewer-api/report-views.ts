import { idSchema, type ErrorCode } from '@portal-embed/contract';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';

import type { ValuesRequest, FavoriteRequest, ReportList, ViewRequest } from '#viewer/requests';

import { presentReportSummary } from '../catalogue/presenter.ts';
import type { SharedDatabase } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import { jsonReader, parseBody } from '../http/body.ts';
import { sendJson } from '../http/json-parts.ts';
import { allowOnly } from '../http/methods.ts';
import { requestOrigin } from '../http/origin.ts';
import type { RefusalLimit } from '../http/refusal-limit.ts';
import { noteCaller } from '../http/response-notes.ts';
import type { Platforms } from '../platforms/registry.ts';
import type { TakePermit } from '../rate-limits/service.ts';
import { findMarks, setFavorite } from '../report-marks/service.ts';
import { requireSession, sessionEnded } from '../viewer-sessions/service.ts';
import type { Session } from '../viewer-sessions/session.ts';
import { readerFieldSchema, readerViewSchema } from '../viewing/reader-view.ts';
import {
  listFieldValues,
  listSessionReports,
  viewReport,
  type FirstViewScope,
} from '../viewing/report.ts';
import type { LimitViews } from '../viewing/view-limit.ts';

export interface ViewerScope extends Pick<SharedDatabase, 'hot' | 'ofOrganization'> {
  platforms: Platforms;
  refusalLimit: RefusalLimit;
  limitViews: LimitViews;
  takePermit: TakePermit;
  /** Counts a page that is sent without its report's data. */
  onFirstDataMissing: (cause: ErrorCode) => void;
}

/** Maximum bytes of a view request: a thousand values of filters, with room to spare. */
const viewRequestLimit = 200_000;

/** Reads the body of a request for a report. */
export const readViewBody = jsonReader(viewRequestLimit);

/** Fields that requests for a report, for values and for an export share. */
export const viewFields = {
  view: readerViewSchema.optional(),
  page: z.int().min(0).max(1_000).optional(),
};

const viewRequestSchema: z.ZodType<ViewRequest> = z.strictObject({
  intent: z.enum(['open', 'refresh']),
  held: z.strictObject({ key: z.string().min(1).max(200), secondsLeft: z.number() }).optional(),
  ...viewFields,
});

const valuesRequestSchema: z.ZodType<ValuesRequest> = z.strictObject({
  field: readerFieldSchema,
  search: z.string().max(200).optional(),
  ...viewFields,
});

/** One flag, with room to spare. */
const favoriteRequestLimit = 1_000;

const favoriteRequestSchema: z.ZodType<FavoriteRequest> = z.strictObject({
  isFavorite: z.boolean(),
});

/** Data requests of the viewer page, with the bearer of its session. */
export function viewerRouter(scope: ViewerScope): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/viewer/reports', async (req, res) => {
    const session = await authorizeRequest(scope, req, res);
    const db = scope.ofOrganization(session.organizationId);
    const reports = await listSessionReports(db, session);
    await sendData(res, {
      reports: reports.map(presentReportSummary),
      ...(await findMarks(db, session)),
    } satisfies ReportList);
  });
  router.all('/viewer/reports', allowOnly('GET'));

  router.post('/viewer/reports/:reportId/view', async (req, res) => {
    const session = await authorizeRequest(scope, req, res);
    await readViewBody(req, () => authenticate(scope, req, res));
    const reportId = readReportId(req);
    const request = parseBody(req, viewRequestSchema, 'request for a report');
    const view = () =>
      viewReport(createViewScope(scope, session, req, res), session, reportId, request);
    await sendData(res, await scope.limitViews(session, view));
  });
  router.all('/viewer/reports/:reportId/view', allowOnly('POST'));

  router.post('/viewer/reports/:reportId/values', async (req, res) => {
    const session = await authorizeRequest(scope, req, res);
    await readViewBody(req, () => authenticate(scope, req, res));
    const reportId = readReportId(req);
    const request = parseBody(req, valuesRequestSchema, 'request for values');
    const list = () =>
      listFieldValues(createViewScope(scope, session, req, res), session, reportId, request);
    await sendData(res, await scope.limitViews(session, list));
  });
  router.all('/viewer/reports/:reportId/values', allowOnly('POST'));

  const readFavorite = jsonReader(favoriteRequestLimit);
  router.put('/viewer/reports/:reportId/favorite', async (req, res) => {
    const session = await authorizeRequest(scope, req, res);
    await readFavorite(req, () => authenticate(scope, req, res));
    const reportId = readReportId(req);
    const { isFavorite } = parseBody(req, favoriteRequestSchema, 'request for a favorite');
    const db = scope.ofOrganization(session.organizationId);
    await setFavorite(db, session, { reportId, isFavorite });
    await sendData(res, {});
  });
  router.all('/viewer/reports/:reportId/favorite', allowOnly('PUT'));
  return router;
}

export function readReportId(req: Request): string {
  const reportId = idSchema.safeParse(req.params['reportId']);
  if (reportId.success) return reportId.data;
  throw new PortalError(
    'invalid_request',
    'The report id in the address is not a UUID. Check the address.',
  );
}

/** The scope of one request: the computation stops when its connection closes. */
export function createViewScope(
  scope: ViewerScope,
  session: Pick<Session, 'organizationId'>,
  req: Request,
  res: Response,
): FirstViewScope {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return {
    ...scope,
    db: scope.ofOrganization(session.organizationId),
    signal: gone.signal,
    onFailure: (error) => req.logFailure(error, 'report failed'),
  };
}

/** Authenticates the session and takes a permit of its user's rate limit. */
export async function authorizeRequest(
  scope: ViewerScope,
  req: Request,
  res: Response,
): Promise<Session> {
  const session = await authenticate(scope, req, res);
  await scope.takePermit({
    kind: 'user',
    organizationId: session.organizationId,
    id: session.userId,
  });
  return session;
}

export async function authenticate(
  { hot, refusalLimit }: ViewerScope,
  req: Request,
  res: Response,
): Promise<Session> {
  const [scheme, token] = (req.get('Authorization') ?? '').split(' ');
  const bearer = scheme === 'Bearer' ? token : undefined;
  // Any web site can make its visitors send this request, so it must not count against them.
  if (bearer === undefined) throw sessionEnded();
  const session = await refusalLimit.check(req.ip, bearer, () =>
    requireSession(hot, { bearer, address: requestOrigin(req) ?? '' }),
  );
  noteCaller(res, { organizationId: session.organizationId });
  return session;
}

export const sendData = (res: Response, data: object): Promise<void> =>
  sendJson(res.set('Cache-Control', 'no-store'), data);
