import { testProject } from '../../packages/tooling/vitest.project.ts';

export default testProject({ name: 'example-express', include: ['test/**/*.test.ts'] });
