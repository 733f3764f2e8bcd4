import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { showTips } from './tips.ts';

const [tipWidth, tipHeight] = [200, 100];
let point = new DOMRect();
let end: () => void;

beforeEach(() => {
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(400);
  vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(300);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return this.id === 'tip' ? new DOMRect(0, 0, tipWidth, tipHeight) : point;
  });
  end = showTips();
});
afterEach(() => {
  end();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

/** Shows the tooltip of a chart whose mark is at a point. */
function pointAt(x: number, y: number): HTMLElement {
  point = new DOMRect(x, y, 0, 0);
  document.body.innerHTML =
    '<svg class="plot" data-tip="Nov 2017"><g class="plot-tip"><circle /></g></svg>';
  document.querySelector('svg')!.dispatchEvent(new Event('input', { bubbles: true }));
  return document.querySelector<HTMLElement>('.tip')!;
}

it.each([
  ['to the right of its mark', 50, 150, '62px', '100px'],
  ['to the left of a mark without room to the right', 350, 150, '138px', '100px'],
  ['below the top of the window', 50, 10, '62px', '6px'],
  ['above the bottom of the window', 50, 290, '62px', '194px'],
  ['inside the window if neither side has room', 200, 150, '194px', '100px'],
])('the tooltip of a chart is %s', (_name, x, y, left, top) => {
  const tip = pointAt(x, y);
  expect(tip).toHaveTextContent('Nov 2017');
  expect([tip.style.left, tip.style.top]).toEqual([left, top]);
});

it('the tooltip disappears with its chart', async () => {
  const tip = pointAt(50, 150);
  document.querySelector('svg')!.remove();
  await vi.waitFor(() => expect(tip.isConnected).toBe(false));
});
