import { testProject } from '../tooling/vitest.project.ts';

/** The service against its own OpenAPI document; needs Java. */
export default testProject({
  setupFiles: ['../tooling/children.setup.ts'],
  name: 'portal-specmatic',
  include: ['test/**/*.specmatic.test.ts'],
  globalSetup: ['test/support/embedded.setup.ts', 'test/support/versions.setup.ts'],
});
