import { testProject } from '../../packages/tooling/vitest.project.ts';

export default testProject({ name: 'example-hono', include: ['test/**/*.test.ts'] });
