import { fileURLToPath } from 'node:url';

import { quickStart } from '../admin/dev/quick-start.ts';
import { testProject } from './vitest.project.ts';

/** The tests beside the sources of the pages. One project, so that they share workers. */
export default testProject(
  {
    name: 'pages',
    root: fileURLToPath(new URL('../', import.meta.url)),
    environment: 'jsdom',
    include: ['{page-kit,viewer,admin}/src/**/*.test.{ts,tsx}'],
    setupFiles: ['./page-kit/test-setup.ts'],
  },
  { plugins: [quickStart] },
);
