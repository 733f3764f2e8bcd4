import { defineProject } from 'vitest/config';

import { patience } from '../tooling/vitest.patience.ts';

export default defineProject({ test: { ...patience, name: 'docs', include: ['*.test.mjs'] } });
