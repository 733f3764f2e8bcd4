import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

import { limits } from '../../tooling/vitest.limits.ts';

afterEach(cleanup);

configure({ asyncUtilTimeout: limits.expect.poll.timeout });

// jsdom has no layout, so it never reports a size; sizes are tested in a browser.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
if (globalThis.window) window.scrollTo = () => {};
