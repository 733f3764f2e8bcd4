import { defineProject } from 'vitest/config';

import { patience } from '../tooling/vitest.patience.ts';

/** The tests in Chromium. */
export default defineProject({
  test: {
    ...patience,
    name: 'react-browser',
    include: ['test/browser/**/*.test.ts'],
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
