/** `npm start`: the built portal and the built host application. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { portalFolder, runDemo } from './start/run.ts';
import { startService } from './start/services.ts';

await runDemo('npm start', ({ portal, host }) => [
  startService({ ...portal, script: path.join(portalFolder, 'bin/portal.js'), args: ['serve'] }),
  startService({ ...host, script: fileURLToPath(new URL('server.js', import.meta.url)) }),
]);
