import { testProject } from '../../packages/tooling/vitest.project.ts';

export default testProject({ name: 'example-node', include: ['test/**/*.test.ts'] });
