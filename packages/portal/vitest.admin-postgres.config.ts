import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

/** The administration pages on a PostgreSQL server. `npm test` runs them on the embedded database. */
export default testProject({
  env: typescriptChildren,
  name: 'admin-postgres',
  include: ['test/admin-*.browser.test.ts'],
  globalSetup: ['../tooling/vitest.build.mjs', 'test/support/postgres.setup.ts'],
});
