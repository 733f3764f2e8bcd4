import { testProject } from '../tooling/vitest.project.ts';

/** The promises of the whole service and its pages, on a PostgreSQL server. */
export default testProject({
  setupFiles: ['../tooling/children.setup.ts'],
  name: 'portal-service',
  include: ['test/**/*.test.ts'],
  exclude: ['test/**/*.{embedded,specmatic,deep}.test.ts'],
  globalSetup: ['test/support/postgres.setup.ts', 'test/support/versions.setup.ts'],
});
