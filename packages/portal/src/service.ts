import { once } from 'node:events';
import fs from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Logger } from 'pino';

import { openConnections, builtinPlatform } from '#report-engine';
import { isNotPermitted } from '#server-kit';

import { listFormerAdministratorKeys } from './api-keys/store.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { ContentProcesses } from './content/content-processes.ts';
import { watchDataFiles, type DataFileWatch } from './content/data-file-watch.ts';
import { logRoundedRoles } from './content/rounded-roles.ts';
import { describeAddress } from './database-address.ts';
import type { BrokenDatabaseError } from './db/connection/broken.ts';
import { databaseLimits } from './db/connection/limits.ts';
import { openDatabase, type Database } from './db/connection/open.ts';
import { readRights, requireRights } from './db/connection/role-rights.ts';
import { ConfigurationError, PortTakenError } from './errors.ts';
import { datasetFolderOf, openFiles } from './files/open.ts';
import { sweepChunks } from './files/store.ts';
import { makeDrainable, type Drain } from './http/drain.ts';
import { createMetrics, createMetricsServer, type Metrics } from './http/metrics.ts';
import { describeReadiness } from './http/readiness.ts';
import { createHttpServer } from './http/server.ts';
import { watchDisks, type DiskWatch } from './jobs/disk-watch.ts';
import { createSweepTasks, startSweeper, type SweepTask } from './jobs/sweeper.ts';
import { limits } from './limits/table.ts';
import { packageFolder } from './package-folder.ts';
import { loadAssets, type Assets } from './pages/assets.ts';
import { Platforms } from './platforms/registry.ts';
import { catalogueAccess } from './readings/catalogue-access.ts';
import { openPowerbi } from './remote-platforms/open-powerbi.ts';
import { startSyncs } from './remote-platforms/sync-job.ts';
import { logStartWarnings, warnOfArchived } from './start-warnings.ts';
import { version } from './version.ts';

const builtWeb = fileURLToPath(new URL('dist/web', packageFolder));

/** Time limit of a stop after the database broke: enough to answer pending requests with errors. */
const brokenDrainLimitMs = 1_000;

const noFiles = { missing: 0, unreadable: 0, notFetched: 0 };

/** A chunk has a megabyte, and its deletion takes longer than that of a row. */
const sweepFiles: SweepTask = { name: 'file_chunks', sweep: sweepChunks, batchSize: 32 };

export interface RunningService {
  db: Database;
  /** Resolves with the reason if the database breaks. The service can then answer only errors. */
  broken: Promise<BrokenDatabaseError>;
  /**
   * Answers 503 at `/readyz` for the drain notice, then finishes the requests in flight and closes
   * everything. Skips the notice with `now`, or if the database is broken.
   */
  stop: (options: { now: boolean }) => Promise<void>;
}

/**
 * Opens the database, listens and sweeps. `config.migrate` decides whether an older schema is migrated.
 *
 * @param assets the files of the pages; default: the built ones
 * @throws if the database cannot be opened; `PortTakenError`; `ConfigurationError` if the listen address
 *   does not belong to this machine
 */
export async function startService(
  config: Config,
  logger: Logger,
  assets: Assets = loadAssets(builtWeb),
): Promise<RunningService> {
  const datasetFolder = datasetFolderOf(config);
  await fs.mkdir(datasetFolder, { recursive: true, mode: 0o700 });
  let metrics: Metrics | undefined;
  let disks: DiskWatch | undefined;
  const database = await openDatabase({
    ...config,
    statementTimeoutMs: databaseLimits.statement.ms,
    observer: {
      onLost: (err) => logger.error({ err }, 'database lost'),
      onReturned: () => logger.info('database returned'),
      onFailure: (cause) => {
        if (cause === 'disk_full' && config.databaseUrl) disks?.noteDatabaseFull();
        metrics?.countDatabaseFailure(cause);
      },
    },
  });
  const { db } = database;
  try {
    if (config.databaseUrl) requireRights(await readRights(db));
  } catch (error) {
    await database.close();
    throw error;
  }
  disks = watchDisks({ dataDir: config.dataDir, logger, intervalMs: 10_000 });
  if (database.applied.length > 0) {
    await warnOfFormerAdministratorKeys(db, logger);
    await warnOfArchived(db, logger);
  }
  await logStartWarnings(config, db, logger);
  const connections = openConnections(config.connections, config.engine);
  const files = await openFiles(db, config, logger);
  const powerbi = openPowerbi(db, config, { webFolder: builtWeb, logger });
  const platforms = new Platforms([
    builtinPlatform({
      files,
      connections,
      ...catalogueAccess(database),
      ...config.engine,
      logger,
    }),
    powerbi,
  ]);
  metrics = config.metricsPort === undefined ? undefined : createMetrics(database.usage);
  const contentWorker = new ContentProcesses();
  let drain: Drain | undefined;
  let fileWatch: DataFileWatch | undefined;
  const app = createApp({
    database,
    isDraining: () => drain?.draining === true,
    describeReadiness: () =>
      describeReadiness(fileWatch?.count() ?? noFiles, disks?.listFull() ?? []),
    platforms,
    datasetFolder,
    files,
    connections,
    contentWorker,
    logger,
    logClientAddress: config.logClientAddress,
    publicUrl: config.publicUrl,
    adminUrl: config.adminUrl,
    oidcSecrets: config.oidcSecrets,
    trustProxy: config.trustProxy,
    // A short window keeps Retry-After short.
    rateLimit: { limit: config.rateLimit, windowSeconds: limits.apiRequests.windowSeconds },
    refusalLimit: config.refusalLimit,
    viewerRateLimit: {
      limit: config.viewerRateLimit,
      windowSeconds: limits.pageRequests.windowSeconds,
    },
    authorRateLimit: config.authorRateLimit,
    metrics,
    assets,
  });
  const server = createHttpServer(app, logger);
  drain = makeDrainable(server);
  const metricsServer = metrics && createMetricsServer(metrics, logger);

  const closeAll = async () => {
    metricsServer?.close();
    metricsServer?.closeAllConnections();
    await Promise.all([platforms.close(), contentWorker.close(), disks?.stop()]);
    await database.close();
  };
  try {
    if (metricsServer)
      await listen(metricsServer, config.metricsPort ?? 0, config.metricsHost, 'PORTAL_METRICS');
    await listen(server, config.port, config.host, 'PORTAL');
  } catch (error) {
    await closeAll();
    throw error;
  }
  logger.info(
    {
      version,
      port: (server.address() as AddressInfo).port,
      publicUrl: config.publicUrl,
      database: describeDatabase(config),
      dataDir: config.dataDir,
    },
    'listening',
  );

  const sweeper = startSweeper({
    db: database.db,
    tasks: [...createSweepTasks(config), sweepFiles],
    logger,
    intervalMs: 10_000,
    onSwept: metrics?.countSwept,
    onSuccess: metrics?.noteSweep,
  });
  fileWatch = watchDataFiles({
    db: database.db,
    files,
    logger,
    intervalMs: 30_000,
    onChecked: metrics?.noteDataFiles,
  });
  const stopSyncs = startSyncs({
    db: database.db,
    publicUrl: config.publicUrl,
    platforms: [powerbi],
    logger,
    intervalMs: 3_000,
  });
  const checked = logRoundedRoles({ db, worker: contentWorker }, logger);
  let noticeMs = config.drainNoticeSeconds * 1_000;
  let limitMs = config.drainLimitSeconds * 1_000;
  const breaking = new AbortController();
  const onBroken = () => {
    noticeMs = 0;
    limitMs = brokenDrainLimitMs;
    breaking.abort();
  };
  void database.broken.then(onBroken);
  return {
    db,
    broken: database.broken,
    stop: async ({ now }) => {
      const times = { noticeMs: now ? 0 : noticeMs, limitMs, skipNotice: breaking.signal };
      await Promise.all([
        sweeper.stop(),
        fileWatch.stop(),
        stopSyncs(),
        drain.stop(times),
        checked,
      ]);
      await closeAll();
    },
  };
}

/** Returns the location of the portal's database without user and password. */
export const describeDatabase = ({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): string =>
  databaseUrl === undefined ? path.join(dataDir, 'database') : describeAddress(databaseUrl);

/** @param prefix of the variables of the address: `PORTAL` or `PORTAL_METRICS` */
async function listen(server: Server, port: number, host: string, prefix: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [hostVariable, portVariable] = [`${prefix}_HOST`, `${prefix}_PORT`];
    if (code === 'EADDRINUSE')
      throw new PortTakenError(
        `Port ${port} is taken at ${host}. Stop the program that uses it, or set ${portVariable} to a free port.`,
      );
    throw new ConfigurationError(
      isNotPermitted(error)
        ? `This user may not listen on port ${port} (${code}). Set ${portVariable} to a port from 1024 on, to which your proxy connects.`
        : `${hostVariable} is ${host}, which is not an address of this machine (${message}). Set it to one, such as 127.0.0.1, or 0.0.0.0 for all.`,
    );
  }
}

async function warnOfFormerAdministratorKeys(db: Database, logger: Logger): Promise<void> {
  // A log of many years may exceed the time limit of a statement; `portal migrate` has none.
  const keys = await listFormerAdministratorKeys(db).catch(() => []);
  if (keys.length > 0)
    logger.warn(
      { keys },
      'these API keys have created administrators or contributors, which now needs the permission administrators:write',
    );
}
