import { testProject } from '../tooling/vitest.project.ts';

export default testProject({
  name: 'client',
  include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
});
