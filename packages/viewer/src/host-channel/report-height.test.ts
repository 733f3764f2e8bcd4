import { afterEach, expect, it, vi } from 'vitest';

import { reportHeight } from './report-height.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('reportHeight sends each new height once, rounded up, until it is ended', () => {
  let resize = () => {};
  const observed = new Set<Element>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(notify: () => void) {
        resize = () => observed.size > 0 && notify();
      }
      observe = (element: Element) => observed.add(element);
      disconnect = () => observed.clear();
    },
  );
  const content = document.createElement('main');
  const sent: unknown[] = [];
  const end = reportHeight(content, (message) => sent.push(message));
  const resizeTo = (height: number) => {
    vi.spyOn(content, 'getBoundingClientRect').mockReturnValue({ height } as DOMRect);
    resize();
  };
  expect([...observed]).toEqual([content]);
  for (const height of [0, 400.25, 400.75, 600]) resizeTo(height);
  end();
  resizeTo(700);
  expect(sent).toEqual([
    { type: 'resized', height: 401 },
    { type: 'resized', height: 600 },
  ]);
});
