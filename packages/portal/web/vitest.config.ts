import react from '@vitejs/plugin-react';
import { defineProject } from 'vitest/config';

import { patience } from '../../tooling/vitest.patience.ts';

export default defineProject({
  plugins: [react()],
  test: {
    ...patience,
    name: 'portal-pages',
    environment: 'jsdom',
    include: ['**/*.test.{ts,tsx}'],
    setupFiles: ['./test-setup.ts'],
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
