import { fileURLToPath } from 'node:url';

import { defineProject } from 'vitest/config';
import type { UserWorkspaceConfig } from 'vitest/config';

import { limits } from './vitest.limits.ts';

const clockCheck = fileURLToPath(new URL('vitest.clock.ts', import.meta.url));

/** Returns a test project that runs the sources of the packages. */
export const testProject = (
  { setupFiles = [], ...test }: NonNullable<UserWorkspaceConfig['test']>,
  { resolve, ...config }: Omit<UserWorkspaceConfig, 'test'> = {},
) =>
  defineProject({
    ...config,
    test: {
      ...limits,
      // A worker loads each module once for all its files, which saves processor time.
      isolate: false,
      setupFiles: [clockCheck, setupFiles].flat(),
      ...test,
    },
    resolve: { conditions: ['source'], ...resolve },
    ssr: { resolve: { conditions: ['source'] } },
    // Vitest loads the global setup in an environment of its own.
    environments: { __vitest__: { resolve: { conditions: ['source'] } } },
  });
