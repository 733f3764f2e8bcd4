import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

import { createLogCollector, findFreePort, send, type Answer } from 'test-support';

import type { ReportPlatform } from '#platform';
import { type Connections, builtinPlatform } from '#report-engine';

import { sourceAssets } from '../../dev/assets.ts';
import { createApp } from '../../src/app.ts';
import { ContentProcesses } from '../../src/content/content-processes.ts';
import {
  openDatabase,
  type Database,
  type OpenOptions,
  type PoolUsage,
} from '../../src/db/connection/open.ts';
import type { PortalFiles } from '../../src/files/files.ts';
import { folderStorage } from '../../src/files/folder.ts';
import type { Metrics } from '../../src/http/metrics.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { RateLimit } from '../../src/limits/rate-limit.ts';
import { createLogger } from '../../src/logger.ts';
import type { Assets } from '../../src/pages/assets.ts';
import { Platforms } from '../../src/platforms/registry.ts';
import { catalogueAccess } from '../../src/readings/catalogue-access.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestOrganization, type TestOrganization } from './organization.ts';
import { watchPlatform, type WatchedTiles } from './watched-platform.ts';

/** A portal on a loopback port, with two organizations of the same structure. */
export interface TestPortal {
  db: Database;
  /** Connections in use and waiting requests. */
  usage: () => PoolUsage;
  publicUrl: string;
  /** Origin of the administration pages: a host name of its own. */
  adminUrl: string;
  acme: TestOrganization;
  globex: TestOrganization;
  dataDir: string;
  /** Folder of all dataset files. */
  datasetFolder: string;
  platforms: Platforms;
  /** The computations of the platform `builtin`. */
  tiles: WatchedTiles;
  /** All log lines. */
  log: string[];
  /** Calls the API with a key: Acme's by default, none for `null`. */
  api: (
    method: string,
    pathAndQuery: string,
    options?: { key?: string | null; json?: unknown; headers?: Record<string, string> },
  ) => Promise<Answer>;
  close: () => Promise<void>;
}

/** One process, because each takes longer to start than all queries of most tests. */
const engineSettings = { queries: 1, userQueries: 1, threads: 1, memoryMb: 256, cacheMb: 16 };

export async function startTestPortal(
  options: {
    rateLimit?: RateLimit;
    refusalLimit?: number;
    trustProxy?: boolean | string;
    logClientAddress?: boolean;
    oidcSecrets?: ReadonlyMap<string, string>;
    viewerRateLimit?: RateLimit;
    authorRateLimit?: number;
    database?: TestDatabase;
    metrics?: Metrics;
    /** Files of the pages. Default: the sources. */
    assets?: Assets;
    /** More options for openDatabase. */
    openOptions?: Partial<OpenOptions>;
    /** Databases that hold rows of datasets. Default: none. */
    connections?: Connections;
    /** Where data files are stored. Default: in the folder. */
    files?: (db: Database, dataDir: string) => PortalFiles;
    /** Platforms beside `builtin`. Default: none. */
    platforms?: readonly ReportPlatform[];
  } = {},
): Promise<TestPortal> {
  const database = options.database ?? (await createTestDatabase());
  const datasets = path.join(database.dataDir, 'datasets');
  fs.mkdirSync(datasets);
  const opened = await openDatabase({ ...database, ...options.openOptions });
  const { db, close } = opened;
  const { log, destination } = createLogCollector();
  const port = await findFreePort();
  const publicUrl = `http://localhost:${port}`;
  const adminUrl = `http://admin.localhost:${port}`;
  const logger = createLogger('debug', destination);
  const files = options.files?.(db, database.dataDir) ?? folderStorage(db, datasets);
  const { platform, tiles } = watchPlatform(
    builtinPlatform({
      files,
      connections: options.connections,
      ...catalogueAccess(opened),
      ...engineSettings,
      logger,
    }),
  );
  const platforms = new Platforms([platform, ...(options.platforms ?? [])]);
  const unlimited = { limit: 0, windowSeconds: 10 };
  const { rateLimit = unlimited, viewerRateLimit = unlimited, refusalLimit = 0 } = options;
  const { metrics, trustProxy } = options;
  const contentWorker = new ContentProcesses();
  const app = createApp({
    database: opened,
    platforms,
    datasetFolder: datasets,
    files,
    connections: options.connections,
    contentWorker,
    logger,
    publicUrl,
    adminUrl,
    assets: options.assets ?? sourceAssets,
    rateLimit,
    viewerRateLimit,
    refusalLimit,
    authorRateLimit: options.authorRateLimit ?? 0,
    trustProxy,
    logClientAddress: options.logClientAddress ?? false,
    oidcSecrets: options.oidcSecrets,
    metrics,
  });
  const server = createHttpServer(app, logger);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  const scope = { db, publicUrl, dataDir: database.dataDir };
  const acme = await createTestOrganization(scope, 'acme');
  const globex = await createTestOrganization(scope, 'globex');
  return {
    db,
    usage: opened.usage,
    publicUrl,
    adminUrl,
    acme,
    globex,
    dataDir: database.dataDir,
    datasetFolder: datasets,
    platforms,
    tiles,
    log,
    api: (method, pathAndQuery, { key = acme.apiKey, json, headers = {} } = {}) =>
      send(publicUrl + pathAndQuery, {
        method,
        json,
        headers: key === null ? headers : { 'x-api-key': key, ...headers },
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await Promise.all([platforms.close(), contentWorker.close()]);
      await close();
      await database.remove();
    },
  };
}
