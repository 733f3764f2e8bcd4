import { defineProject } from 'vitest/config';

import { patience } from '../../packages/tooling/vitest.patience.ts';

/** The main job in a real browser, against the processes that `npm start` starts. */
export default defineProject({
  test: {
    ...patience,
    name: 'example-express-react',
    include: ['test/**/*.test.ts'],
    fileParallelism: false,
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
