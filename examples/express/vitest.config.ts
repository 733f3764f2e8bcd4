import { defineProject } from 'vitest/config';

import { patience } from '../../packages/tooling/vitest.patience.ts';

export default defineProject({
  test: { ...patience, name: 'example-express', include: ['test/**/*.test.ts'] },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
