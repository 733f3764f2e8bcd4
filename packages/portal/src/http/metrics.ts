import type { Server } from 'node:http';

import express, { type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { FileCounts } from '../content/data-file-watch.ts';
import type { FailureCause } from '../db/connection/database-failures.ts';
import type { PoolUsage } from '../db/connection/open.ts';
import { createReportMetrics, type ReportMetrics } from '../platforms/report-metrics.ts';
import { commit, version } from '../version.ts';
import { logRequests } from './logging.ts';
import { allowOnly } from './methods.ts';
import { answerErrors, sendNotFound } from './problems.ts';
import { readRefusal } from './response-notes.ts';
import { readRoute } from './route-label.ts';
import { createHttpServer } from './server.ts';

/** Metrics of this instance for Prometheus. */
export interface Metrics extends ReportMetrics {
  /** Middleware that measures every request. */
  observeRequests: RequestHandler;
  /** Counts the rows that the sweeper processed. */
  countSwept: (task: string, count: number) => void;
  /** Records the time of a complete sweep. */
  noteSweep: () => void;
  /** Records how many data files this instance cannot read. */
  noteDataFiles: (counts: FileCounts) => void;
  /** Counts a failure of the database. */
  countDatabaseFailure: (cause: FailureCause) => void;
  /** Returns all metrics in Prometheus's text format. */
  read: () => Promise<string>;
}

export function createMetrics(usage: () => PoolUsage): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Process and event loop: nodejs_eventloop_lag_…, process_resident_memory_bytes, …
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'portal_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60],
    registers,
  });
  const minted = new Counter({
    name: 'portal_identity_urls_minted_total',
    help: 'Identity URLs issued.',
    registers,
  });
  const redeemed = new Counter({
    name: 'portal_identity_urls_redeemed_total',
    help: 'Identity URLs that opened a portal session.',
    registers,
  });
  const refusals = new Counter({
    name: 'portal_refusals_total',
    help: 'Requests that were refused or failed, by the code of the error.',
    labelNames: ['code', 'reason'],
    registers,
  });
  const swept = new Counter({
    name: 'portal_swept_rows_total',
    help: 'Rows that the sweeper processed.',
    labelNames: ['task'],
    registers,
  });

  const sweptAt = new Gauge({
    name: 'portal_sweeper_last_success_timestamp_seconds',
    help: 'When the sweeper last completed a sweep, or found another instance sweeping.',
    registers,
  });
  const missingFiles = new Gauge({
    name: 'portal_missing_data_files',
    help: 'Data files that datasets name and this instance does not have.',
    registers,
  });
  const unreadableFiles = new Gauge({
    name: 'portal_unreadable_data_files',
    help: 'Data files that datasets name and this instance has, but cannot read.',
    registers,
  });
  const notFetchedFiles = new Gauge({
    name: 'portal_not_fetched_data_files',
    help: 'Data files that datasets name and this instance could not fetch from the database.',
    registers,
  });
  const databaseErrors = new Counter({
    name: 'portal_database_errors_total',
    help: 'Failures of the database, by cause.',
    labelNames: ['cause'],
    registers,
  });
  const build = new Gauge({
    name: 'portal_build_info',
    help: 'Always 1; the labels name the release, its commit and the version of Node.',
    labelNames: ['version', 'commit', 'node'],
    registers,
  });
  build.set({ version, ...(commit && { commit }), node: process.versions.node }, 1);

  const connections = new Gauge({
    name: 'portal_database_connections',
    help: 'Connections to the database.',
    labelNames: ['state'],
    registers,
    collect: () => {
      const { total, idle } = usage();
      connections.set({ state: 'idle' }, idle);
      connections.set({ state: 'in_use' }, total - idle);
    },
  });
  const maxConnections: Gauge = new Gauge({
    name: 'portal_database_connections_max',
    help: 'Connections to the database that this instance may open for requests.',
    registers,
    collect: () => {
      maxConnections.set(usage().max);
    },
  });
  const waiting: Gauge = new Gauge({
    name: 'portal_database_waiting',
    help: 'Requests that wait for a connection.',
    registers,
    collect: () => {
      waiting.set(usage().waiting);
    },
  });

  const observeRequests: RequestHandler = (req, res, next) => {
    const startedAt = performance.now();
    res.once('close', () => {
      const route = readRoute(req);
      const status = res.writableFinished ? res.statusCode : 'aborted';
      durations.observe(
        { method: normalizeMethod(req.method), route, status },
        (performance.now() - startedAt) / 1_000,
      );
      if (status === 200 && route === '/api/identity/url') minted.inc();
      if (status === 200 && route === '/identity') redeemed.inc();
      const refusal = readRefusal(res);
      if (refusal) refusals.inc({ ...refusal });
    });
    next();
  };

  return {
    ...createReportMetrics(registry),
    observeRequests,
    countSwept: (task, count) => swept.inc({ task }, count),
    noteSweep: () => sweptAt.setToCurrentTime(),
    noteDataFiles: ({ missing, unreadable, notFetched }) => {
      missingFiles.set(missing);
      unreadableFiles.set(unreadable);
      notFetchedFiles.set(notFetched);
    },
    countDatabaseFailure: (cause) => databaseErrors.inc({ cause }),
    read: () => registry.metrics(),
  };
}

const normalizeMethod = (method: string): string =>
  /^(GET|HEAD|POST|PUT|DELETE|OPTIONS)$/.test(method) ? method : 'other';

/** Serves only `/metrics`. Its listen address decides who can reach it. */
export function createMetricsServer(metrics: Metrics, logger: Logger): Server {
  const app = express();
  app.set('env', 'production');
  app.disable('x-powered-by');
  app.use(logRequests(logger));
  app
    .route('/metrics')
    .get(async (_req, res) => {
      res.type('text/plain; version=0.0.4').send(await metrics.read());
    })
    .all(allowOnly('GET'));
  app.use(sendNotFound);
  app.use(answerErrors);
  return createHttpServer(app, logger);
}
