import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

/** Tests that take minutes: `npm run test:deep`. */
export default testProject({
  env: typescriptChildren,
  testTimeout: 1_200_000,
  hookTimeout: 600_000,
  name: 'portal-deep',
  include: ['test/**/*.deep.test.ts'],
  globalSetup: ['../tooling/vitest.build.mjs', 'test/support/embedded.setup.ts'],
});
