import { fileURLToPath } from 'node:url';

import { testProject } from './vitest.project.ts';

/** Tests that install packages or run a copy of the repository. */
export default testProject(
  {
    name: 'packaging',
    include: [
      'packages/tooling/*.deep.test.mjs',
      'packages/express/test/*.deep.test.ts',
      'examples/*/test/*.deep.test.ts',
    ],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
  { root: fileURLToPath(new URL('../../', import.meta.url)) },
);
