import { defineProject } from 'vitest/config';

import { patience } from '../tooling/vitest.patience.ts';
import { typescriptChildren } from './vitest.children.ts';

export default defineProject({
  test: { ...patience, env: typescriptChildren, name: 'portal', include: ['src/**/*.test.ts'] },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
