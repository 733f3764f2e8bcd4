import { fileURLToPath } from 'node:url';

import type { UserWorkspaceConfig } from 'vitest/config';

import { patience } from '../../tooling/vitest.patience.ts';

/** The tests in jsdom. They run on each supported React version. */
export const unitTests = (name: string, reactMajor: string) =>
  ({
    test: {
      ...patience,
      name,
      environment: 'jsdom',
      env: { REACT_MAJOR: reactMajor },
      environmentOptions: { jsdom: { url: 'http://host.localhost/' } },
      include: ['{src,examples}/**/*.test.{ts,tsx}'],
      setupFiles: [fileURLToPath(new URL('setup.ts', import.meta.url))],
    },
    resolve: { conditions: ['source'] },
    ssr: { resolve: { conditions: ['source'] } },
  }) satisfies UserWorkspaceConfig;
