import type { Server } from 'node:http';

import { createAdaptorServer } from '@hono/node-server';
import { serve, testHostExample } from 'test-support/host-example';

testHostExample(async () => {
  const { app } = await import('../src/app.ts');
  return serve(createAdaptorServer(app) as Server);
});
