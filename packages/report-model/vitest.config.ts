import { testProject } from '../tooling/vitest.project.ts';

export default testProject({ name: 'report-model', include: ['src/**/*.test.ts'] });
