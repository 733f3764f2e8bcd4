import { fileURLToPath } from 'node:url';

import { createHostApp, readHostConfig } from 'example-express-react';
import type { Express } from 'express';

const page = fileURLToPath(new URL('../dist/page', import.meta.url));

/** Creates the host application of `examples/express-react` with a page in Vue. */
export const createApp = (env: NodeJS.ProcessEnv): Express =>
  createHostApp(readHostConfig(env), page);
