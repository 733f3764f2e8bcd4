import { defineProject } from 'vitest/config';

import { patience } from '../tooling/vitest.patience.ts';
import { typescriptChildren } from './vitest.children.ts';

/** The service against its own OpenAPI document; needs Java. */
export default defineProject({
  test: {
    ...patience,
    env: typescriptChildren,
    name: 'portal-specmatic',
    include: ['test/**/*.specmatic.test.ts'],
    globalSetup: ['test/support/embedded.setup.ts'],
  },
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
});
