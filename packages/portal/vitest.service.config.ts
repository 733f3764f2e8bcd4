import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

/** The promises of the whole service and its pages, on a PostgreSQL server, and of the embedded database. */
export default testProject({
  env: typescriptChildren,
  name: 'portal-service',
  // Optimizing WebAssembly takes longer than the databases of these tests live.
  execArgv: ['--liftoff-only'],
  include: ['test/**/*.test.ts'],
  exclude: ['test/**/*.{specmatic,chdb,deep}.test.ts'],
  globalSetup: ['test/support/postgres.setup.ts', 'test/support/embedded.setup.ts'],
});
