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

// jsdom has no modal dialogs; focus and the backdrop are tested in a browser.
function showModal(this: HTMLDialogElement) {
  this.open = true;
}
function close(this: HTMLDialogElement) {
  this.open = false;
}
if (globalThis.HTMLDialogElement) Object.assign(HTMLDialogElement.prototype, { showModal, close });
