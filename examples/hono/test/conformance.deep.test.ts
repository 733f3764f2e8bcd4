import type { Server } from 'node:http';

import { createAdaptorServer } from '@hono/node-server';
import { testHostConformance } from 'test-support/host-conformance';
import { serve } from 'test-support/host-example';

testHostConformance(async () => {
  const { app } = await import('../src/app.ts');
  return serve(createAdaptorServer(app) as Server);
});
