import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

/** The promises of the whole service, on the embedded database. */
export default testProject({
  env: typescriptChildren,
  name: 'portal-embedded',
  include: ['test/**/*.test.ts'],
  exclude: ['test/**/*.{postgres,specmatic,browser,deep}.test.ts'],
  globalSetup: ['test/support/embedded.setup.ts'],
});
