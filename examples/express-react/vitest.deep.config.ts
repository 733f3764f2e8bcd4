import { testProject } from '../../packages/tooling/vitest.project.ts';

/** More tests of the running demo. */
export default testProject({
  name: 'example-express-react-deep',
  include: ['test/demo/*.deep.test.ts'],
  globalSetup: ['test/demo.setup.ts'],
});
