import { defineProject } from 'vitest/config';

/** The promises of the whole service, on the embedded database. */
export default defineProject({
  test: {
    name: 'portal-embedded',
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.{postgres,specmatic,browser}.test.ts'],
    globalSetup: 'test/support/embedded.setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
