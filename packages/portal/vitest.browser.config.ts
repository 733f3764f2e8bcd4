import { defineProject } from 'vitest/config';

/** The pages that the service itself shows, in Chromium. */
export default defineProject({
  test: {
    name: 'portal-browser',
    include: ['test/**/*.browser.test.ts'],
    globalSetup: 'test/support/embedded.setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
