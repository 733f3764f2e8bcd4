import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { portalFolder, runDemo } from './start/run.ts';
import { startService } from './start/services.ts';

/**
 * `npm start`: the built portal and the built host application.
 *
 * @param pages until they are built, the database is filled
 */
export const startDemo = (pages: Promise<unknown>): Promise<void> =>
  runDemo('npm start', async function* startServices({ portal, host }) {
    await pages;
    yield startService({
      ...portal,
      script: path.join(portalFolder, 'bin/portal.js'),
      args: ['serve'],
    });
    yield startService({
      ...host,
      script: fileURLToPath(new URL('server.js', import.meta.url)),
    });
  });
