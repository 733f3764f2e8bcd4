import { testProject } from '../../packages/tooling/vitest.project.ts';

export default testProject({
  name: 'example-nextjs',
  include: ['test/**/*.test.ts'],
  globalSetup: ['test/build.setup.mjs'],
});
