import { testProject } from '../tooling/vitest.project.ts';

/** Tests of the component in Chromium that repeat or wait for long. */
export default testProject({
  name: 'react-deep',
  include: ['test/browser/*.deep.test.ts'],
});
