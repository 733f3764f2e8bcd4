import { testProject } from '../tooling/vitest.project.ts';

export default testProject({
  setupFiles: ['test/support/children.setup.ts'],
  name: 'portal',
  include: ['src/**/*.test.ts'],
});
