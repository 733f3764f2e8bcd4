import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { DrawSeries } from '../charts/draw-series.ts';
import { createFormats } from '../charts/format.ts';
import { byCategory, byMonth } from '../test/samples.ts';
import { SeriesChart } from './SeriesChart.tsx';

const formats = createFormats('en-US');
let resize: () => void;
const observed = new Set<Element>();
const clientWidth = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get');

beforeEach(() => {
  observed.clear();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      element: Element | undefined;
      constructor(callback: () => void) {
        resize = callback;
      }
      observe(element: Element) {
        observed.add((this.element = element));
      }
      disconnect() {
        observed.delete(this.element!);
      }
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const createDraw = () =>
  vi.fn<DrawSeries>((tile, width) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.textContent = `${tile.id} ${width}`;
    return svg;
  });

it('a chart is drawn again when its width changes, and only then', () => {
  const drawSeries = createDraw();
  clientWidth.mockReturnValue(333);
  const { container } = render(
    <SeriesChart tile={byMonth} drawSeries={drawSeries} formats={formats} />,
  );
  const drawings = () => [...container.querySelectorAll('svg')].map((svg) => svg.textContent);
  expect(drawings()).toEqual(['by-month 333']);
  expect([...observed]).toEqual([container.querySelector('[aria-hidden="true"]')]);
  resize();
  expect(drawSeries).toHaveBeenCalledOnce();
  clientWidth.mockReturnValue(444);
  resize();
  expect(drawings()).toEqual(['by-month 444']);
});

it('a chart without a width yet is drawn 480 pixels wide', () => {
  const drawSeries = createDraw();
  clientWidth.mockReturnValue(0);
  render(<SeriesChart tile={byMonth} drawSeries={drawSeries} formats={formats} />);
  expect(drawSeries).toHaveBeenCalledExactlyOnceWith(byMonth, 480, formats);
});

it('a chart is drawn again for new data or formats, and observes nothing once it is removed', () => {
  const drawSeries = createDraw();
  clientWidth.mockReturnValue(333);
  const { container, rerender, unmount } = render(
    <SeriesChart tile={byMonth} drawSeries={drawSeries} formats={formats} />,
  );
  rerender(<SeriesChart tile={byCategory} drawSeries={drawSeries} formats={formats} />);
  expect(container.querySelector('svg')).toHaveTextContent('by-category 333');
  const german = createFormats('de-DE');
  rerender(<SeriesChart tile={byCategory} drawSeries={drawSeries} formats={german} />);
  expect(drawSeries).toHaveBeenLastCalledWith(byCategory, 333, german);
  expect(observed.size).toBe(1);
  unmount();
  expect(observed.size).toBe(0);
});
