import react from '@vitejs/plugin-react';

import { testProject } from '../../tooling/vitest.project.ts';
import { quickStart } from '../dev/quick-start.ts';

export default testProject(
  {
    name: 'portal-pages',
    environment: 'jsdom',
    include: ['**/*.test.{ts,tsx}'],
    setupFiles: ['./test-setup.ts'],
  },
  { plugins: [react(), quickStart] },
);
