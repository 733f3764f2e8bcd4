import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll } from 'vitest';

import { limits } from '../../tooling/vitest.limits.ts';
import { isolated, portals, shells } from '../src/core/known-portals.ts';

configure({ asyncUtilTimeout: limits.expect.poll.timeout });
// Test files share a worker, and with it what embeds have learned about portals.
beforeAll(() => {
  for (const known of [isolated, portals, shells]) known.clear();
});
afterEach(cleanup);
