import { serve, testHostExample } from 'testing/host-example';

testHostExample(async () => serve((await import('../src/app.ts')).app));
