import { once } from 'node:events';
import fs from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';

import type { Logger } from 'pino';

import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/open.ts';
import { makeDrainable } from './http/drain.ts';
import { builtinPlatform } from './platforms/builtin/platform.ts';

/** How long a stop waits for the requests in flight. */
const drainLimitMs = 10_000;

export interface RunningService {
  /** Finishes the requests in flight, at most ten seconds long, then closes everything. */
  stop: () => Promise<void>;
}

/**
 * Opens the database and listens.
 *
 * @throws when the database cannot be opened, or the port is taken (`EADDRINUSE`).
 */
export async function startService(config: Config, logger: Logger): Promise<RunningService> {
  const datasetFolder = path.join(config.dataDir, 'datasets');
  await fs.mkdir(datasetFolder, { recursive: true });
  const database = await openDatabase(config);
  const platform = builtinPlatform(datasetFolder);
  const app = createApp({
    db: database.db,
    platform,
    logger,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    // Short windows: a client that waits as long as Retry-After says is served within seconds.
    rateLimit: { limit: config.rateLimit, windowSeconds: 10 },
    pagesFolder: new URL('pages', import.meta.url).pathname,
  });
  // Longer than a load balancer keeps an idle connection, so that it is never the one surprised.
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 30_000 }, app);
  const drain = makeDrainable(server);
  const stop = async () => {
    if (server.listening) await drain(drainLimitMs);
    await platform.close();
    await database.close();
  };
  try {
    await listen(server, config.port, config.host);
  } catch (error) {
    await stop();
    throw error;
  }
  logger.info({ port: config.port, publicUrl: config.publicUrl }, 'listening');
  return { stop };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}
