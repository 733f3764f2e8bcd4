import { defineProject } from 'vitest/config';

import { patience } from '../tooling/vitest.patience.ts';

// The same tests once more on Express 4, but for those that are slow or do not depend on it.
export default defineProject({
  test: {
    ...patience,
    name: 'express-4',
    exclude: ['test/isolation.test.ts', 'test/packed.test.ts', 'test/guide.test.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/*.test.ts'],
  },
  resolve: { conditions: ['source'], alias: { express: 'express-4' } },
  ssr: { resolve: { conditions: ['source'] } },
});
