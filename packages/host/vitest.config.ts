import { testProject } from '../tooling/vitest.project.ts';

export default testProject({
  name: 'host',
  include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/*.test.ts'],
});
