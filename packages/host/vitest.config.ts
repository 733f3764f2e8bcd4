import { defineProject } from 'vitest/config';

import { patience } from '../tooling/vitest.patience.ts';

export default defineProject({
  test: {
    ...patience,
    name: 'host',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/*.test.ts'],
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
