import compression from 'compression';
import express, { Router, type Express } from 'express';
import type { Logger } from 'pino';

import type { Connections } from '#report-engine';

import { accessLogAdminRoutes } from './admin-api/access-log.ts';
import { activityLogAdminRoutes } from './admin-api/activity-log.ts';
import { apiKeyAdminRoutes } from './admin-api/api-keys.ts';
import { companyAdminRoutes } from './admin-api/companies.ts';
import { dataFileAdminRoutes } from './admin-api/data-files.ts';
import { datasetAdminRoutes } from './admin-api/datasets.ts';
import { contentAdminRoutes } from './admin-api/definitions.ts';
import { groupAdminRoutes } from './admin-api/groups.ts';
import { itemAdminRoutes } from './admin-api/items.ts';
import { adminRouter } from './admin-api/mount.ts';
import { oidcAdminRoutes } from './admin-api/oidc.ts';
import { organizationAdminRoutes } from './admin-api/organizations.ts';
import { platformAdminRoutes } from './admin-api/platforms.ts';
import { reportAdminRoutes } from './admin-api/reports.ts';
import { signInRoutes } from './admin-api/sign-in.ts';
import { userAdminRoutes } from './admin-api/users.ts';
import { workspaceAdminRoutes } from './admin-api/workspaces.ts';
import {
  authenticateKey,
  createKeyCache,
  invalidApiKey,
  isCheckedByStatement,
  type AuthenticateKey,
} from './api-keys/authenticate.ts';
import { auditRoutes } from './api/access-log.ts';
import { contentRoutes } from './api/apply-content.ts';
import { identityUrlRoutes } from './api/identity-urls.ts';
import { apiRouter } from './api/mount.ts';
import { docsRouter } from './api/openapi.ts';
import { reportRoutes } from './api/reports.ts';
import { rlsRoutes } from './api/rls.ts';
import { userRoutes } from './api/users.ts';
import { sessionRoutes } from './api/viewer-sessions.ts';
import { ownerOf, type ContentWorker } from './content/content-processes.ts';
import type { SharedDatabase } from './db/connection/open.ts';
import { PortalError } from './errors.ts';
import type { PortalFiles } from './files/files.ts';
import { onlyAt, separateHosts } from './http/admin-host.ts';
import { requireHost } from './http/host.ts';
import { logRequests } from './http/logging.ts';
import { allowOnly } from './http/methods.ts';
import type { Metrics } from './http/metrics.ts';
import { answerErrors, sendNotFound } from './http/problems.ts';
import { securityHeaders } from './http/security-headers.ts';
import { createAuthorLimit } from './limits/author-limit.ts';
import { createRateLimiter, type RateLimit } from './limits/rate-limit.ts';
import { createRefusalLimit } from './limits/refusal-limit.ts';
import { limits } from './limits/table.ts';
import { createViewLimit } from './limits/view-limit.ts';
import { adminPagesRouter } from './pages/admin.ts';
import type { Assets } from './pages/assets.ts';
import { errorPagesRouter } from './pages/error-pages.ts';
import { pagesRouter } from './pages/routes.ts';
import type { Platforms } from './platforms/registry.ts';
import type { ReportMetrics } from './platforms/report-metrics.ts';
import { ReportTimes } from './platforms/report-times.ts';
import { viewerRouter } from './viewer-api/mount.ts';
import { sessionEnded } from './viewer-sessions/service.ts';

export interface AppOptions {
  database: SharedDatabase;
  /** Whether the service is about to stop. Default: never. */
  isDraining?: () => boolean;
  /** What `/readyz` answers while this instance is ready. Default: `ok`. */
  describeReadiness?: () => object;
  platforms: Platforms;
  /** Folder of all dataset files. */
  datasetFolder: string;
  /** The data files of all organizations. Default: those in `datasetFolder`. */
  files?: PortalFiles | undefined;
  /** Databases that hold rows of datasets. Default: none. */
  connections?: Connections | undefined;
  /** Parses and checks what authors write. */
  contentWorker: ContentWorker;
  logger: Logger;
  /** Whether log lines of refused requests have the client's address. Default: false. */
  logClientAddress?: boolean;
  /** Origin at which the service itself is reached. */
  publicUrl: string;
  /** Origin of the administration pages. Default: there are none. */
  adminUrl?: string | undefined;
  /** Secrets at the identity providers of organizations, by their slugs. Default: none. */
  oidcSecrets?: ReadonlyMap<string, string> | undefined;
  /** Express's `trust proxy`; by default no proxy is trusted. */
  trustProxy?: boolean | number | string | undefined;
  /** What one API key may ask. */
  rateLimit: RateLimit;
  /** Refused requests of one client address in ten seconds; 0 for no limit. */
  refusalLimit: number;
  /** Requests that the pages of one user may make. */
  viewerRateLimit: RateLimit;
  /** Checks, previews, saves and applies of one user or API key in a minute; 0 for no limit. */
  authorRateLimit: number;
  /** Measures requests and reports. Default: nothing is measured. */
  metrics?: (ReportMetrics & Pick<Metrics, 'observeRequests'>) | undefined;
  /** The files of the pages. */
  assets: Assets;
}

/** The whole service as an Express application; it listens nowhere by itself. */
export function createApp({
  database,
  platforms,
  logger,
  publicUrl,
  assets,
  ...options
}: AppOptions): Express {
  const { hotPathDb, ofOrganization } = database;
  const app = express();
  // Otherwise, Express would answer errors of its own with a stack.
  app.set('env', 'production');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  if (options.trustProxy !== undefined) app.set('trust proxy', options.trustProxy);

  if (options.metrics) app.use(options.metrics.observeRequests);
  app.use(logRequests(logger, { hasClientAddress: options.logClientAddress }));
  app.use(securityHeaders(publicUrl));
  app.use(requireHost);
  if (options.adminUrl !== undefined) app.use(separateHosts(options.adminUrl, publicUrl));
  app
    .route('/livez')
    .get((_req, res) => {
      res.json({ status: 'ok' });
    })
    .all(allowOnly('GET'));
  app
    .route('/readyz')
    .get(async (_req, res) => {
      if (options.isDraining?.())
        throw new PortalError(
          'draining',
          'This instance is stopping. Send requests to another one.',
        );
      const { isEmpty } = await database.checkReady();
      // The database is probably the wrong one.
      if (isEmpty) res.status(503).json({ status: 'empty' });
      else res.json(options.describeReadiness?.() ?? { status: 'ok' });
    })
    .all(allowOnly('GET'));
  app.use(docsRouter(assets));
  app.use(errorPagesRouter());

  const data = {
    datasetFolder: options.datasetFolder,
    files: options.files,
    connections: options.connections,
    worker: options.contentWorker,
    onFailure: (err: unknown) => logger.error({ err }, 'connection failed'),
  };
  const preview = {
    platforms,
    worker: options.contentWorker,
    onFailure: (err: unknown) => logger.error({ err }, 'preview failed'),
  };
  const reportTimes = new ReportTimes();
  const handlers = {
    ...userRoutes,
    ...reportRoutes,
    ...rlsRoutes,
    ...auditRoutes,
    ...identityUrlRoutes,
    ...sessionRoutes,
    ...contentRoutes(data),
  };
  const adminHandlers = {
    ...signInRoutes,
    ...oidcAdminRoutes({
      adminUrl: options.adminUrl,
      secrets: options.oidcSecrets ?? new Map(),
      onFailure: (reason) => logger.warn({ reason }, 'sign-in with an identity provider failed'),
    }),
    ...organizationAdminRoutes(assets.languages, reportTimes),
    ...apiKeyAdminRoutes,
    ...accessLogAdminRoutes,
    ...activityLogAdminRoutes(platforms),
    ...userAdminRoutes(options.adminUrl),
    ...groupAdminRoutes,
    ...companyAdminRoutes,
    ...reportAdminRoutes({ ...data, platforms }),
    ...contentAdminRoutes(data, preview),
    ...datasetAdminRoutes(data, preview),
    ...dataFileAdminRoutes(data, preview),
    ...itemAdminRoutes(data, platforms),
    ...platformAdminRoutes(platforms),
    ...workspaceAdminRoutes,
  };
  const authenticateCached = createKeyCache();
  const takePermit = createRateLimiter(hotPathDb, options.rateLimit, {
    limit: limits.apiRequests,
    subject: 'This API key has',
    gone: invalidApiKey,
  });
  const refusalLimit = createRefusalLimit(options.refusalLimit);
  const limitAuthors = createAuthorLimit(options.authorRateLimit);
  app.use(
    apiRouter(handlers, async (req, name) => {
      const isCached = isCheckedByStatement(name);
      const key = req.get('X-API-Key');
      // Any web site can make its visitors send a request without a key, so it must not count.
      if (key === undefined) throw invalidApiKey();
      const checkKey = (authenticate: AuthenticateKey) =>
        refusalLimit.check(req.ip, key, () => authenticate({ db: hotPathDb, publicUrl }, key));
      const ctx = {
        ...(await checkKey(isCached ? authenticateCached : authenticateKey)),
        confirmKey: () => checkKey(authenticateKey),
      };
      await takePermit({ kind: 'api-key', id: ctx.actor.id });
      if (name === 'applyContent' || name === 'putDataFile') await limitAuthors(ownerOf(ctx));
      return isCached ? ctx : { ...ctx, db: ofOrganization(ctx.organizationId) };
    }),
  );
  const scope = {
    hotPathDb,
    ofOrganization,
    publicUrl,
    adminUrl: options.adminUrl,
    platforms: reportTimes.watch(options.metrics?.measureReports(platforms) ?? platforms),
    assets,
    refusalLimit,
    limitViews: createViewLimit(),
    takePermit: createRateLimiter(hotPathDb, options.viewerRateLimit, {
      limit: limits.pageRequests,
      subject: 'You have',
      gone: sessionEnded,
    }),
    onFirstDataMissing: options.metrics?.countFirstDataMissing ?? (() => {}),
  };
  if (options.adminUrl !== undefined) {
    const { adminUrl } = options;
    const admin = Router().use(onlyAt(adminUrl));
    admin.use(
      adminRouter({ hotPathDb, ofOrganization, publicUrl, adminUrl, limitAuthors }, adminHandlers),
    );
    admin.use(adminPagesRouter({ hotPathDb, assets, adminUrl }));
    app.use(admin);
  }
  // Compressed sizes reveal nothing, because no secret is in two answers.
  app.use(['/identity', '/viewer', '/frames'], compression());
  app.use(viewerRouter(scope));
  app.use(pagesRouter(scope));
  app.use(sendNotFound);
  app.use(answerErrors);
  return app;
}
