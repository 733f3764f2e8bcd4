import fs from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';

import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';

import { createApp } from './app.ts';
import { readConfig, type Config } from './config.ts';
import { openDatabase } from './db/open.ts';
import { builtinPlatform } from './platforms/builtin/platform.ts';

async function serve(config: Config): Promise<void> {
  const logger = pino({ name: 'portal', level: config.logLevel });
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
    pagesFolder: new URL('pages', import.meta.url).pathname,
  });
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.port, config.host, resolve);
  });
  logger.info({ port: config.port, publicUrl: config.publicUrl }, 'listening');

  const { close } = closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'stopping after an error');
    server.closeIdleConnections();
    await new Promise((resolve) => server.close(resolve));
    await platform.close();
    await database.close();
    logger.info('stopped');
  });
  // Whoever started us with a channel is gone: nobody would stop us otherwise.
  process.once('disconnect', close);
}

try {
  await serve(readConfig(process.env));
} catch (error) {
  const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const { message } = error as Error;
  process.stderr.write(
    taken ? 'portal: the port is taken. Set PORTAL_PORT to a free one.\n' : `portal: ${message}\n`,
  );
  process.exit(1);
}
