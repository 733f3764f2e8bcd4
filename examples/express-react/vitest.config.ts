import { defineProject } from 'vitest/config';

/** The main job in a real browser, against the processes that `npm start` starts. */
export default defineProject({
  test: {
    name: 'example-express-react',
    include: ['test/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
