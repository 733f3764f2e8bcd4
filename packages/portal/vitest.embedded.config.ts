import { testProject } from '../tooling/vitest.project.ts';

/** The promises of the whole service and its pages, on the embedded database. */
export default testProject({
  setupFiles: ['../tooling/children.setup.ts'],
  name: 'portal-embedded',
  // Optimizing WebAssembly takes longer than the databases of these tests live.
  execArgv: ['--liftoff-only'],
  include: ['test/**/*.test.ts'],
  exclude: ['test/**/*.{postgres,specmatic,deep}.test.ts'],
  globalSetup: ['test/support/embedded.setup.ts', 'test/support/versions.setup.ts'],
});
