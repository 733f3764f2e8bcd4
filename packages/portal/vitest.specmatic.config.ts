import { defineProject } from 'vitest/config';

/** The service against its own OpenAPI document; needs Java. */
export default defineProject({
  test: {
    name: 'portal-specmatic',
    include: ['test/**/*.specmatic.test.ts'],
    globalSetup: 'test/support/embedded.setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
