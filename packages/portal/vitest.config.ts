import { testProject } from '../tooling/vitest.project.ts';
import { typescriptChildren } from './vitest.children.ts';

export default testProject({
  env: typescriptChildren,
  name: 'portal',
  include: ['src/**/*.test.ts'],
});
