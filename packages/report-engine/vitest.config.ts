import { testProject } from '../tooling/vitest.project.ts';

export default testProject({
  setupFiles: ['../tooling/children.setup.ts'],
  name: 'report-engine',
  include: ['src/**/*.test.ts'],
});
