import { defineProject } from 'vitest/config';

/** The tests in real Chromium. */
export default defineProject({
  test: {
    name: 'react-browser',
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
