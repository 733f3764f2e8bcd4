import { defineProject } from 'vitest/config';

import { patience } from '../../packages/tooling/vitest.patience.ts';

export default defineProject({
  test: {
    ...patience,
    name: 'example-custom-element',
    include: ['test/**/*.test.ts'],
    globalSetup: '../../packages/tooling/vitest.build.mjs',
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
