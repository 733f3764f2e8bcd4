import { testProject } from '../tooling/vitest.project.ts';

/** Tests that take minutes: `npm run test:deep`. */
export default testProject({
  setupFiles: ['../tooling/children.setup.ts'],
  testTimeout: 1_200_000,
  hookTimeout: 600_000,
  name: 'portal-deep',
  include: ['test/**/*.deep.test.ts'],
  globalSetup: [
    '../tooling/vitest.build.mjs',
    'test/support/embedded.setup.ts',
    'test/support/versions.setup.ts',
  ],
});
