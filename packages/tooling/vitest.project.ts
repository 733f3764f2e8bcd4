import { fileURLToPath } from 'node:url';

import { configDefaults, defineProject } from 'vitest/config';
import type { UserWorkspaceConfig } from 'vitest/config';

import { limits } from './vitest.limits.ts';

const clockCheck = fileURLToPath(new URL('vitest.clock.ts', import.meta.url));

/** Set by `npm test` if there is no Chromium. */
const browserTests = process.env['PORTAL_TEST_WITHOUT_BROWSER']
  ? ['**/*.browser.test.ts', '**/test/browser/**']
  : [];

/** Returns a test project that runs the sources of the packages. */
export const testProject = (
  {
    setupFiles = [],
    exclude = configDefaults.exclude,
    ...test
  }: NonNullable<UserWorkspaceConfig['test']>,
  { resolve, ...config }: Omit<UserWorkspaceConfig, 'test'> = {},
) =>
  defineProject({
    ...config,
    test: {
      ...limits,
      // A worker loads each module once for all its files, which saves processor time.
      isolate: false,
      setupFiles: [clockCheck, setupFiles].flat(),
      exclude: [...exclude, ...browserTests],
      ...test,
    },
    resolve: { conditions: ['source'], ...resolve },
    ssr: { resolve: { conditions: ['source'] } },
    // Vitest loads the global setup in an environment of its own.
    environments: { __vitest__: { resolve: { conditions: ['source'] } } },
  });
