import { defineProject } from 'vitest/config';

export default defineProject({
  test: {
    name: 'example-nextjs',
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 240_000,
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
