import { testProject } from '../tooling/vitest.project.ts';

/** The tests in Chromium. */
export default testProject({
  name: 'react-browser',
  include: ['test/browser/**/*.test.ts'],
});
