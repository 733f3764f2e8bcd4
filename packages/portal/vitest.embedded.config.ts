import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

/** With a PostgreSQL server, `npm test` runs these files, so the bounded run leaves them out. */
const tested = ['test/**/*.{embedded,browser}.test.ts'];

/** The promises of the whole service and its pages, on the embedded database. */
export default testProject({
  env: typescriptChildren,
  name: 'portal-embedded',
  // Optimizing WebAssembly takes longer than the databases of these tests live.
  execArgv: ['--liftoff-only'],
  include: ['test/**/*.test.ts'],
  exclude: [
    'test/**/*.{postgres,specmatic,chdb,deep}.test.ts',
    ...(process.env['PORTAL_DEEP_BOUNDED'] ? tested : []),
  ],
  globalSetup: ['test/support/embedded.setup.ts'],
});
