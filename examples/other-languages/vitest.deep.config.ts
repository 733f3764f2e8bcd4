import { testProject } from '../../packages/tooling/vitest.project.ts';

export default testProject({ name: 'example-other-languages', include: ['test/**/*.test.ts'] });
