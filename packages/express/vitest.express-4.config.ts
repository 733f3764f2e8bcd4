import { defineProject } from 'vitest/config';

import { patience } from '../tooling/vitest.patience.ts';

// This package's own tests once more on Express 4, except slow ones that do not depend on it.
export default defineProject({
  test: {
    ...patience,
    name: 'express-4',
    exclude: ['test/packed.test.ts', 'test/guide.test.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/*.test.ts'],
  },
  resolve: { conditions: ['source'], alias: { express: 'express-4' } },
  ssr: { resolve: { conditions: ['source'] } },
});
