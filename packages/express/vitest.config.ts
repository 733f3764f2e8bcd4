import { fileURLToPath } from 'node:url';

import { defineProject } from 'vitest/config';

import { patience } from '../tooling/vitest.patience.ts';

const entry = fileURLToPath(new URL('test/entry.ts', import.meta.url));

// The tests of this package, and host's promises once more behind Express.
export default defineProject({
  test: {
    ...patience,
    name: 'express',
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'examples/*.test.ts',
      '../host/src/*.test.ts',
      '../host/test/*.test.ts',
    ],
    exclude: ['../host/src/{csp,gate,policy,web-request}.test.ts'],
  },
  resolve: {
    conditions: ['source'],
    alias: [{ find: /^.*\/entry\.ts$/, replacement: entry }],
  },
  ssr: { resolve: { conditions: ['source'] } },
});
