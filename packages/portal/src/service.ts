import { once } from 'node:events';
import fs from 'node:fs/promises';
import type { Server } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Logger } from 'pino';

import { createApp } from './app.ts';
import { ConfigurationError, type Config } from './config.ts';
import type { BrokenDatabaseError } from './db/broken.ts';
import { openDatabase, type Database } from './db/open.ts';
import { makeDrainable } from './http/drain.ts';
import { createMetrics, createMetricsServer } from './http/metrics.ts';
import { createHttpServer } from './http/server.ts';
import { builtinPlatform } from './platforms/builtin/platform.ts';
import { startSweeper, sweepTasks } from './sweeper/service.ts';

/** How long a stop waits for the requests in flight. */
const drainLimitMs = 10_000;

/** Likewise, once the database is broken: long enough to answer that it is. */
const brokenDrainLimitMs = 1_000;

/** What takes longer holds a connection that others wait for. */
const statementTimeoutMs = 15_000;

export interface RunningService {
  db: Database;
  /** Resolves with the reason, should the database break: nothing can be served any more. */
  broken: Promise<BrokenDatabaseError>;
  /**
   * Finishes the requests in flight, at most ten seconds long, or one when the database is broken,
   * then closes everything.
   */
  stop: () => Promise<void>;
}

/**
 * Opens the database, listens and sweeps.
 *
 * @throws when the database cannot be opened, or a port is taken (`EADDRINUSE`); a
 *   `ConfigurationError` when the address to listen on is none of this machine.
 */
export async function startService(config: Config, logger: Logger): Promise<RunningService> {
  const datasetFolder = path.join(config.dataDir, 'datasets');
  await fs.mkdir(datasetFolder, { recursive: true, mode: 0o700 });
  const database = await openDatabase({ ...config, statementTimeoutMs });
  const { db } = database;
  const platform = builtinPlatform({ folder: datasetFolder, ...config.engine, logger });
  const metrics = config.metricsPort === undefined ? undefined : createMetrics(database.usage);
  const app = createApp({
    db,
    platform,
    logger,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    // Short windows: a client that waits as long as Retry-After says is served within seconds.
    rateLimit: { limit: config.rateLimit, windowSeconds: 10 },
    refusalLimit: config.refusalLimit,
    viewerRateLimit: { limit: config.viewerRateLimit, windowSeconds: 60 },
    metrics,
    pagesFolder: fileURLToPath(new URL('pages', import.meta.url)),
  });
  const server = createHttpServer(app, logger);
  const drain = makeDrainable(server);
  const metricsServer = metrics && createMetricsServer(metrics, logger);

  const closeAll = async () => {
    metricsServer?.close();
    metricsServer?.closeAllConnections();
    await platform.close();
    await database.close();
  };
  try {
    if (metricsServer) await listen(metricsServer, config.metricsPort ?? 0, '127.0.0.1');
    await listen(server, config.port, config.host);
  } catch (error) {
    await closeAll();
    throw error;
  }
  logger.info({ port: config.port, publicUrl: config.publicUrl }, 'listening');

  const sweeper = startSweeper({
    db,
    tasks: sweepTasks,
    logger,
    intervalMs: 10_000,
    onSwept: metrics?.countSwept,
  });
  let limitMs = drainLimitMs;
  void database.broken.then(() => (limitMs = brokenDrainLimitMs));
  return {
    db,
    broken: database.broken,
    stop: async () => {
      await Promise.all([sweeper.stop(), drain(limitMs)]);
      await closeAll();
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw error;
    throw new ConfigurationError(
      `The portal cannot listen there (${message}). Check PORTAL_HOST, PORTAL_PORT and PORTAL_METRICS_PORT.`,
    );
  }
}
