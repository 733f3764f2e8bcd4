import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

/** The pages that the service itself shows, in Chromium. */
export default testProject({
  env: typescriptChildren,
  name: 'portal-browser',
  // Optimizing WebAssembly takes longer than the databases of these tests live.
  execArgv: ['--liftoff-only'],
  include: ['test/**/*.browser.test.ts'],
  globalSetup: ['../tooling/vitest.build.mjs', 'test/support/embedded.setup.ts'],
});
