import { defineProject } from 'vitest/config';

import { patience } from '../tooling/vitest.patience.ts';

export default defineProject({
  test: { ...patience, name: 'report-model', include: ['src/**/*.test.ts'] },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
