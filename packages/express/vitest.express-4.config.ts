import { testProject } from '../tooling/vitest.project.ts';

// This package's own tests once more on Express 4, except slow ones that do not depend on it.
export default testProject(
  {
    name: 'express-4',
    exclude: ['test/*.deep.test.ts', 'test/guide.test.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/*.test.ts'],
  },
  { resolve: { alias: { express: 'express-4' } } },
);
