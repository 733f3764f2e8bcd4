import { defineProject } from 'vitest/config';

import { patience } from '../tooling/vitest.patience.ts';

/** Tests that take minutes: `npm run test:deep`. */
export default defineProject({
  test: {
    ...patience,
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
    name: 'portal-deep',
    include: ['test/**/*.deep.test.ts'],
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
