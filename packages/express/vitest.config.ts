import { fileURLToPath } from 'node:url';

import { testProject } from '../tooling/vitest.project.ts';

const entry = fileURLToPath(new URL('test/entry.ts', import.meta.url));

// The tests of this package, and host's promises once more behind Express.
export default testProject(
  {
    name: 'express',
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'examples/*.test.ts',
      '../host/src/*.test.ts',
      '../host/test/*.test.ts',
    ],
    exclude: ['test/*.deep.test.ts', '../host/src/{connect,csp,gate,policy,web-request}.test.ts'],
  },
  { resolve: { alias: [{ find: /^.*\/entry\.ts$/, replacement: entry }] } },
);
