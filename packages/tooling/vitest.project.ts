import { defineProject } from 'vitest/config';
import type { UserWorkspaceConfig } from 'vitest/config';

import { limits } from './vitest.limits.ts';

/** Returns a test project that runs the sources of the packages. */
export const testProject = (
  test: NonNullable<UserWorkspaceConfig['test']>,
  { resolve, ...config }: Omit<UserWorkspaceConfig, 'test'> = {},
) =>
  defineProject({
    ...config,
    test: {
      ...limits,
      // A worker loads each module once for all its files, which saves a third of the processor time.
      isolate: false,
      ...test,
    },
    resolve: { conditions: ['source'], ...resolve },
    ssr: { resolve: { conditions: ['source'] } },
    // Vitest loads the global setup in an environment of its own.
    environments: { __vitest__: { resolve: { conditions: ['source'] } } },
  });
