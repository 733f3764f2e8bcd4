import { fileURLToPath } from 'node:url';

import { testProject } from './vitest.project.ts';

/** Tests that install packages. */
export default testProject(
  {
    name: 'packaging',
    include: ['packages/tooling/*.deep.test.mjs', 'examples/*/test/*.deep.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
  { root: fileURLToPath(new URL('../../', import.meta.url)) },
);
