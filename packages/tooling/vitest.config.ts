import { defineProject } from 'vitest/config';

import { patience } from './vitest.patience.ts';

export default defineProject({
  test: { ...patience, name: 'tooling', include: ['*.test.mjs'] },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
