import type { ErrorCode } from '@portal-embed/contract';
import type { Request, Response } from 'express';
import { z } from 'zod';

import { maxFrameKeyLength } from '#platform';
import type { ValuesRequest, FavoriteRequest, ReportList, ViewRequest } from '#viewer/requests';

import { presentReportSummary } from '../catalogue/presenter.ts';
import type { SharedDatabase } from '../db/connection/open.ts';
import { sendJson } from '../http/json-parts.ts';
import { requestOrigin } from '../http/origin.ts';
import { noteCaller } from '../http/response-notes.ts';
import type { TakePermit } from '../limits/rate-limit.ts';
import type { RefusalLimit } from '../limits/refusal-limit.ts';
import type { LimitViews } from '../limits/view-limit.ts';
import type { Platforms } from '../platforms/registry.ts';
import type { ReadingScope } from '../readings/reading.ts';
import { findMarks, setFavorite } from '../viewer-sessions/report-marks.ts';
import { requireSession, sessionEnded } from '../viewer-sessions/service.ts';
import type { Session } from '../viewer-sessions/session.ts';
import { readerFieldSchema, readerViewSchema } from '../viewing/reader-view.ts';
import { listFieldValues, listSessionReports, viewReport } from '../viewing/report.ts';
import type { ViewerHandlers } from './mount.ts';

export interface ViewerServices extends Pick<SharedDatabase, 'hotPathDb' | 'ofOrganization'> {
  platforms: Platforms;
  refusalLimit: RefusalLimit;
  limitViews: LimitViews;
  takePermit: TakePermit;
  /** Counts a page that is sent without its report's data. */
  onFirstDataMissing: (cause: ErrorCode) => void;
}

/** Fields that requests for a report, for values and for an export share. */
export const viewFields = {
  view: readerViewSchema.optional(),
  page: z.int().min(0).max(1_000).optional(),
};

export const viewRequestSchema: z.ZodType<ViewRequest> = z.strictObject({
  intent: z.enum(['open', 'refresh']),
  held: z
    .strictObject({ key: z.string().min(1).max(maxFrameKeyLength), secondsLeft: z.number() })
    .optional(),
  ...viewFields,
});

export const valuesRequestSchema: z.ZodType<ValuesRequest> = z.strictObject({
  field: readerFieldSchema,
  search: z.string().max(200).optional(),
  ...viewFields,
});

export const favoriteRequestSchema: z.ZodType<FavoriteRequest> = z.strictObject({
  isFavorite: z.boolean(),
});

/** Data requests of the viewer page. */
export const reportViewRoutes = {
  listReports: async ({ scope, session }) => {
    const reports = await listSessionReports(scope.db, session);
    return {
      reports: reports.map(presentReportSummary),
      ...(await findMarks(scope.db, session)),
    } satisfies ReportList;
  },
  viewReport: ({ scope, session, confirm }, { reportId, ...request }) =>
    viewReport({ ...scope, confirm }, session, reportId, request),
  listValues: ({ scope, session }, { reportId, ...request }) =>
    listFieldValues(scope, session, reportId, request),
  setFavorite: async ({ scope, session }, favorite) => {
    await setFavorite(scope.db, session, favorite);
    return {};
  },
} satisfies Partial<ViewerHandlers>;

/** The scope of one request: the computation stops when its connection closes. */
export function createReadingScope(
  scope: ViewerServices,
  session: Pick<Session, 'organizationId'>,
  req: Request,
  res: Response,
): ReadingScope {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return {
    ...scope,
    db: scope.ofOrganization(session.organizationId),
    signal: gone.signal,
    onFailure: (error, about) => req.logFailure(error, 'report failed', about),
  };
}

export async function authenticate(
  { hotPathDb, refusalLimit }: ViewerServices,
  req: Request,
  res: Response,
): Promise<Session> {
  const [scheme, token] = (req.get('Authorization') ?? '').split(' ');
  const bearer = scheme === 'Bearer' ? token : undefined;
  // Any web site can make its visitors send this request, so it must not count against them.
  if (bearer === undefined) throw sessionEnded();
  const session = await refusalLimit.check(req.ip, bearer, () =>
    requireSession(hotPathDb, { bearer, address: requestOrigin(req) ?? '' }),
  );
  noteCaller(res, { organizationId: session.organizationId });
  return session;
}

export const sendData = (res: Response, data: object): Promise<void> =>
  sendJson(res.set('Cache-Control', 'no-store'), data);
