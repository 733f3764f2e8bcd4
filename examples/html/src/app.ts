import { fileURLToPath } from 'node:url';

import { createHostApp, readHostConfig } from 'example-express-react';
import express, { type Express } from 'express';

const script = fileURLToPath(import.meta.resolve('@portal-embed/react/element.global.js'));
const page = fileURLToPath(new URL('../page', import.meta.url));

/** Creates the host application of `examples/express-react` with a page of plain HTML. */
export const createApp = (env: NodeJS.ProcessEnv): Express =>
  express()
    .use('/portal-embed.js', express.static(script))
    .use(createHostApp(readHostConfig(env), page));
