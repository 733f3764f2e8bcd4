import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

import { ProjectSequencer } from './vitest.sequencer.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

export default defineConfig({
  root: repository,
  test: {
    // Many tests wait for a browser, a database or a process, so one worker per core leaves cores
    // idle. Each additional worker costs seconds, because it loads all modules: on two cores, three
    // workers took 303 s, and four 280 s.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: ProjectSequencer },
    // A missing file fails, so that a wrong path is seen; `-- -u` writes it.
    update: 'none',
    // Compiles a module again only if it has changed.
    experimental: { fsModuleCache: true },
    // The slowest files run first. At the end, one of them would keep a single worker busy.
    projects: [
      ...(process.env['PORTAL_TEST_WITHOUT_BROWSER']
        ? []
        : ['examples/express-react/vitest.config.ts']),
      // One of these two, which run the same tests.
      'packages/portal/vitest.service.config.ts',
      'packages/portal/vitest.embedded.config.ts',
      'packages/report-engine/vitest.config.ts',
      'packages/portal/vitest.config.ts',
      'packages/tooling/vitest.pages.config.ts',
      'packages/react/vitest.config.ts',
      'packages/express/vitest.config.ts',
      'packages/tooling/vitest.packages.config.ts',
    ],
  },
});
