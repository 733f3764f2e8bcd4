import { testHostConformance } from 'test-support/host-conformance';
import { serve } from 'test-support/host-example';

testHostConformance(async () => {
  const { app } = await import('../src/app.ts');
  await app.ready();
  return serve(app.server);
});
