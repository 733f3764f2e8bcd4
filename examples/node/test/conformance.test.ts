import { testHostConformance } from 'test-support/host-conformance';
import { serve } from 'test-support/host-example';

testHostConformance(async () => serve((await import('../src/app.ts')).app), {
  allowedOrigin: 'https://www.acme.example',
});
