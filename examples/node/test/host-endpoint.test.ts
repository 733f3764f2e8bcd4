import { serve, testHostExample } from 'test-support/host-example';

testHostExample(async () => serve((await import('../src/app.ts')).app));
