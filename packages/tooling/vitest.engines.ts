import { fileURLToPath } from 'node:url';

import { testProject } from './vitest.project.ts';

const engines = ['chromium', 'firefox', 'webkit'];

/** Runs the same tests in each browser engine. A file `x.firefox.test.ts` runs only in Firefox. */
export const engineProjects = engines.map((engine) =>
  testProject({
    name: `engine-${engine}`,
    root: fileURLToPath(new URL('../../', import.meta.url)),
    include: ['{packages,examples}/*/test/engines/*.test.ts'],
    exclude: engines.filter((each) => each !== engine).map((each) => `**/*.${each}.test.ts`),
    // WebKit draws without a graphics card.
    testTimeout: 60_000,
    globalSetup: ['examples/express-react/test/demo.setup.ts'],
    env: { PORTAL_TEST_ENGINE: engine },
  }),
);
