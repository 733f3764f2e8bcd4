import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

/** The promises of the whole service and its pages, on a PostgreSQL server. */
export default testProject({
  env: typescriptChildren,
  name: 'portal-service',
  include: ['test/**/*.test.ts'],
  exclude: ['test/**/*.{embedded,specmatic,chdb,deep}.test.ts'],
  globalSetup: ['test/support/postgres.setup.ts'],
});
