import react from '@vitejs/plugin-react';

import { testProject } from '../../tooling/vitest.project.ts';

export default testProject(
  {
    name: 'portal-pages',
    environment: 'jsdom',
    include: ['**/*.test.{ts,tsx}'],
    setupFiles: ['./test-setup.ts'],
  },
  { plugins: [react()] },
);
