import { testProject } from '../tooling/vitest.project.ts';

/** Tests on ClickHouse as a library, which `npm run test:deep` installs. */
export default testProject({
  setupFiles: ['../tooling/children.setup.ts'],
  testTimeout: 600_000,
  hookTimeout: 120_000,
  name: 'report-engine-chdb',
  include: ['test/**/*.chdb.test.ts'],
});
