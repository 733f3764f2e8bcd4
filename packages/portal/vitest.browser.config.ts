import { defineProject } from 'vitest/config';

import { patience } from '../tooling/vitest.patience.ts';
import { typescriptChildren } from './vitest.children.ts';

/** The pages that the service itself shows, in Chromium. */
export default defineProject({
  test: {
    ...patience,
    env: typescriptChildren,
    name: 'portal-browser',
    include: ['test/**/*.browser.test.ts'],
    globalSetup: ['../tooling/vitest.build.mjs', 'test/support/embedded.setup.ts'],
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
