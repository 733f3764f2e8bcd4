import { testProject } from '../../packages/tooling/vitest.project.ts';

export default testProject({ name: 'example-fastify', include: ['test/**/*.test.ts'] });
