import { defineProject } from 'vitest/config';

import { patience } from '../tooling/vitest.patience.ts';
import { typescriptChildren } from './vitest.children.ts';

/** The promises of the whole service, on the embedded database. */
export default defineProject({
  test: {
    ...patience,
    env: typescriptChildren,
    name: 'portal-embedded',
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.{postgres,specmatic,browser,deep}.test.ts'],
    globalSetup: ['test/support/embedded.setup.ts'],
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
