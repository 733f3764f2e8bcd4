import { testProject } from '../../packages/tooling/vitest.project.ts';

/** The main job in a real browser, against the processes that `npm start` starts. */
export default testProject({
  name: 'example-express-react',
  include: ['test/**/*.test.ts'],
  globalSetup: ['test/demo.setup.ts'],
  exclude: ['test/**/*.deep.test.ts', 'test/engines/**'],
});
