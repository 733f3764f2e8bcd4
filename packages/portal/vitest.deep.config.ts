import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

/** Tests that take minutes: `npm run test:deep`. */
export default testProject({
  env: typescriptChildren,
  testTimeout: 1_200_000,
  hookTimeout: 600_000,
  name: 'portal-deep',
  include: ['test/**/*.deep.test.ts'],
  // `npm test` checks the same pages in one look.
  exclude: process.env['PORTAL_DEEP_BOUNDED'] ? ['**/admin-states.deep.test.ts'] : [],
  globalSetup: ['../tooling/vitest.build.mjs', 'test/support/embedded.setup.ts'],
});
