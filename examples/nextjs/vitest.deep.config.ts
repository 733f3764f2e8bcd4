import { testProject } from '../../packages/tooling/vitest.project.ts';

/** These tests build the application. */
export default testProject({
  name: 'example-nextjs',
  include: ['test/**/*.test.ts'],
  hookTimeout: 300_000,
});
