import { expect, it } from 'vitest';

import { expectReport, mount, setUpEngine } from './stage.ts';

const react = setUpEngine();

it.each([
  'height: auto',
  'width: auto',
  'width: 10px',
  'min-width: 2000px',
  'min-height: 2000px',
  'max-width: 50%',
  'max-height: 10px',
  'display: none',
  'display: inline',
  'visibility: hidden',
  'position: static',
  'inset: 50px',
  'margin: 40px',
  'padding: 40px',
  'border: 9px solid',
  'transform: scale(0.5)',
  'opacity: 0',
  'all: unset',
])('the rule iframe { %s !important } of a host changes nothing', async (rule) => {
  const { page } = react;
  const measure = () =>
    page.evaluate(() => {
      const frame = document.querySelector('iframe')!;
      const { x, y, width, height } = frame.getBoundingClientRect();
      const { visibility, opacity, display } = getComputedStyle(frame);
      return { x, y, width, height, visibility, opacity, display, inner: frame.clientHeight };
    });
  await mount(react);
  await expectReport(react, 1);
  const before = await measure();
  expect(before.height).toBeGreaterThan(300);
  await page.evaluate((text) => {
    const style = document.createElement('style');
    style.textContent = `iframe { ${text} !important } @layer reset { iframe { ${text} !important } }`;
    document.head.append(style);
  }, rule);
  expect(await measure()).toEqual(before);
});
