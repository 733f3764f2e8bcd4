import { testProject } from '../../packages/tooling/vitest.project.ts';

/** The main job in a real browser, against the processes that `npm start` starts. */
export default testProject({
  name: 'example-express-react',
  // Optimizing WebAssembly takes longer than the databases of these tests live.
  execArgv: ['--liftoff-only'],
  include: ['test/**/*.test.ts'],
  globalSetup: ['test/demo.setup.ts'],
  exclude: ['test/**/*.deep.test.ts', 'test/engines/**'],
});
