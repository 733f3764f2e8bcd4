import express from 'express';
import type { Express } from 'express';

import { hostEndpoint } from './policy.ts';

export const app: Express = express();

app.use('/portal-embed', hostEndpoint);
