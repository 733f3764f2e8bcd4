import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

/** The service against its own OpenAPI document; needs Java. */
export default testProject({
  env: typescriptChildren,
  name: 'portal-specmatic',
  include: ['test/**/*.specmatic.test.ts'],
  globalSetup: ['test/support/embedded.setup.ts'],
});
