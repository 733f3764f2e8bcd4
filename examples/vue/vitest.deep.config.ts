import { testProject } from '../../packages/tooling/vitest.project.ts';

/** These tests have their own demo, because a sign-out ends all sessions of its user. */
export default testProject({
  name: 'example-vue',
  include: ['test/**/*.test.ts'],
  exclude: ['test/**/*.deep.test.ts'],
  globalSetup: ['../express-react/test/demo.setup.ts'],
});
