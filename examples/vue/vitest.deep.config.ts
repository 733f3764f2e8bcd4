import { testProject } from '../../packages/tooling/vitest.project.ts';

/** A demo of its own, because a sign-out ends the sessions of its user everywhere. */
export default testProject({
  name: 'example-vue',
  include: ['test/**/*.test.ts'],
  exclude: ['test/**/*.deep.test.ts'],
  globalSetup: ['../express-react/test/demo.setup.ts'],
});
