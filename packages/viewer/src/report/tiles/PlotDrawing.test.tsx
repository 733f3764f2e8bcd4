import { fireEvent, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { FullHeight } from '../../full-view.tsx';
import { PlotDrawing } from './PlotDrawing.tsx';

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

const createDraw = (name: string) =>
  vi.fn<(width: number) => Element>((width) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.textContent = `${name} ${width}`;
    return svg;
  });

it('a chart is drawn again when its width changes, and only then', () => {
  const draw = createDraw('a');
  clientWidth.mockReturnValue(333);
  const { container } = render(<PlotDrawing draw={draw} />);
  const drawings = () => [...container.querySelectorAll('svg')].map((svg) => svg.textContent);
  expect(drawings()).toEqual(['a 333']);
  expect([...observed]).toEqual([container.firstElementChild]);
  resize();
  expect(draw).toHaveBeenCalledOnce();
  clientWidth.mockReturnValue(444);
  resize();
  expect(drawings()).toEqual(['a 444']);
});

it('a chart without a width yet is drawn 480 pixels wide', () => {
  const draw = createDraw('a');
  clientWidth.mockReturnValue(0);
  render(<PlotDrawing draw={draw} />);
  expect(draw).toHaveBeenCalledExactlyOnceWith(480);
});

it('a chart is drawn again for new data, and observes nothing once it is removed', () => {
  clientWidth.mockReturnValue(333);
  const { container, rerender, unmount } = render(<PlotDrawing draw={createDraw('a')} />);
  rerender(<PlotDrawing draw={createDraw('b')} />);
  expect(container.querySelector('svg')).toHaveTextContent('b 333');
  expect(observed.size).toBe(1);
  unmount();
  expect(observed.size).toBe(0);
});

it('a drawing is drawn again for print, with smaller labels', () => {
  clientWidth.mockReturnValue(300);
  const draw = createDraw('a');
  const { container, rerender } = render(<PlotDrawing draw={draw} />);
  rerender(<PlotDrawing draw={draw} isPrinting />);
  expect(draw.mock.calls).toEqual([[300], [400]]);
  expect(container.querySelector('svg')).toHaveAttribute('width', '300');
});

it('a drawing has the size of the reader’s font', () => {
  const { style } = document.documentElement;
  onTestFinished(() => {
    style.fontSize = '';
  });
  style.fontSize = '24px';
  clientWidth.mockReturnValue(300);
  const draw = vi.fn<(width: number) => Element>((width) => {
    const svg = createDraw('a')(width);
    svg.setAttribute('width', String(width));
    svg.setAttribute('height', '100');
    return svg;
  });
  const { container } = render(<PlotDrawing draw={draw} />);
  expect(draw).toHaveBeenCalledExactlyOnceWith(200);
  const { attributes } = container.querySelector('svg')!;
  expect([
    attributes.getNamedItem('width')?.value,
    attributes.getNamedItem('height')?.value,
  ]).toEqual(['300', '150']);
});

it('a click selects the mark at the pointer; elsewhere it selects nothing', () => {
  clientWidth.mockReturnValue(300);
  const draw = createDraw('a');
  const select = vi.fn<(place: number, toAdd: boolean) => void>();
  const { container, rerender } = render(<PlotDrawing draw={draw} onSelect={select} />);
  const svg = container.querySelector('svg')!;
  fireEvent.click(svg);
  Object.assign(svg, { value: { place: 0 } });
  fireEvent.click(svg);
  expect(select.mock.calls).toEqual([[0, false]]);
  expect(container.firstElementChild).toHaveAttribute('data-selectable', 'true');
  rerender(<PlotDrawing draw={draw} />);
  fireEvent.click(svg);
  expect(select).toHaveBeenCalledOnce();
  expect(container.firstElementChild).toHaveAttribute('data-selectable', 'false');
});

it.each(['ctrlKey', 'metaKey', 'shiftKey'])('a click with %s adds to the selection', (key) => {
  clientWidth.mockReturnValue(300);
  const select = vi.fn<(place: number, toAdd: boolean) => void>();
  const { container } = render(<PlotDrawing draw={createDraw('a')} onSelect={select} />);
  const svg = Object.assign(container.querySelector('svg')!, { value: { place: 0 } });
  fireEvent.click(svg, { [key]: true });
  expect(select.mock.calls).toEqual([[0, true]]);
});

it.each([
  ['a drawing in full view fills the height of the window', 900, 900 - 120],
  ['a drawing in full view is not lower than 240 pixels', 300, 240],
])('%s', (_name, windowHeight, height) => {
  clientWidth.mockReturnValue(1_600);
  const draw = vi.fn<(width: number, height?: number) => Element>(createDraw('a'));
  const { rerender } = render(
    <FullHeight.Provider value={windowHeight}>
      <PlotDrawing draw={draw} />
    </FullHeight.Provider>,
  );
  expect(draw).toHaveBeenCalledExactlyOnceWith(1_600, height);
  rerender(
    <FullHeight.Provider value={undefined}>
      <PlotDrawing draw={draw} />
    </FullHeight.Provider>,
  );
  expect(draw).toHaveBeenLastCalledWith(1_600);
});
