import { testProject } from '../tooling/vitest.project.ts';

export default testProject({ name: 'contract', include: ['src/**/*.test.ts'] });
