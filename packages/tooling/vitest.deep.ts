import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  // One at a time, since each test puts the machine under load.
  test: { maxWorkers: 1, projects: ['packages/portal/vitest.deep.config.ts'] },
});
