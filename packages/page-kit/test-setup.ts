import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

import { limits } from '../tooling/vitest.limits.ts';

afterEach(cleanup);

configure({ asyncUtilTimeout: limits.expect.poll.timeout });

// jsdom has no layout, so it never reports a size; sizes are tested in a browser.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
if (globalThis.window) {
  window.scrollTo = () => {};
  const hidden = document.createElement('i').style;
  hidden.display = 'none';
  // jsdom compares every element with every rule, which took a quarter of the tests' time.
  window.getComputedStyle = (element) =>
    element.matches('dialog:not([open])') ? hidden : (element as HTMLElement).style;
}

// jsdom has no modal dialogs; focus and the backdrop are tested in a browser.
function showModal(this: HTMLDialogElement) {
  this.open = true;
}
function close(this: HTMLDialogElement) {
  this.open = false;
}
if (globalThis.HTMLDialogElement) Object.assign(HTMLDialogElement.prototype, { showModal, close });
