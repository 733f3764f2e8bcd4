import { testProject } from '../../packages/tooling/vitest.project.ts';

export default testProject({
  name: 'example-custom-element',
  include: ['test/**/*.test.ts'],
  globalSetup: '../../packages/tooling/vitest.build.mjs',
});
