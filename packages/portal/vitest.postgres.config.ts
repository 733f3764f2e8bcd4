import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

/** The promises of the whole service, on a PostgreSQL server. */
export default testProject({
  env: typescriptChildren,
  name: 'portal-postgres',
  include: ['test/**/*.test.ts'],
  exclude: ['test/**/*.{embedded,specmatic,browser,chdb,deep}.test.ts'],
  globalSetup: ['test/support/postgres.setup.ts'],
});
