import { fileURLToPath } from 'node:url';

import { testProject } from '../../tooling/vitest.project.ts';

type Arguments = Parameters<typeof testProject>;

/** The tests in jsdom. They run on each supported React version. */
export const unitTests = (test: Arguments[0], config?: Arguments[1]) =>
  testProject(
    {
      environment: 'jsdom',
      environmentOptions: { jsdom: { url: 'http://host.localhost/' } },
      include: ['{src,examples}/**/*.test.{ts,tsx}'],
      setupFiles: [fileURLToPath(new URL('setup.ts', import.meta.url))],
      ...test,
    },
    config,
  );
