import { defineProject } from 'vitest/config';

/** The promises of the whole service, on a PostgreSQL server. */
export default defineProject({
  test: {
    name: 'portal-postgres',
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.{embedded,specmatic,browser}.test.ts'],
    globalSetup: 'test/support/postgres.setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
