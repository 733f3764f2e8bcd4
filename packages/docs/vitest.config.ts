import { testProject } from '../tooling/vitest.project.ts';

export default testProject({ name: 'docs', include: ['*.test.mjs'] });
