import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

import { engineProjects } from './vitest.engines.ts';

export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    // One at a time, since each test puts the machine under load.
    maxWorkers: 1,
    projects: [
      'packages/portal/vitest.deep.config.ts',
      'packages/portal/vitest.specmatic.config.ts',
      'packages/report-engine/vitest.chdb.config.ts',
      'packages/react/vitest.deep.config.ts',
      'packages/react-18/vitest.deep.config.ts',
      'packages/express/vitest.express-4.config.ts',
      'packages/tooling/vitest.packaging.config.ts',
      'examples/*/vitest.deep.config.ts',
      ...engineProjects,
    ],
  },
});
