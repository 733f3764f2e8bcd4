import { testProject } from './vitest.project.ts';

export default testProject({
  name: 'tooling',
  include: ['*.test.mjs'],
  exclude: ['*.deep.test.mjs'],
});
