import { testProject } from '../tooling/vitest.project.ts';

/** Tests that take minutes: `npm run test:deep`. */
export default testProject({
  testTimeout: 1_200_000,
  hookTimeout: 600_000,
  name: 'portal-deep',
  include: ['test/**/*.deep.test.ts'],
});
