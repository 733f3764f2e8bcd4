import { act } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';

import { openViewer } from '../test/open-viewer.tsx';
import { reportSession } from '../test/samples.ts';
import { preparePage } from './prepare-page.ts';

async function openReport() {
  document.documentElement.lang = 'en';
  // jsdom has no constructed style sheets.
  document.adoptedStyleSheets = [];
  CSSStyleSheet.prototype.replaceSync = () => {};
  const { viewer, start } = openViewer(reportSession);
  await start();
  return viewer;
}

it.each([['dark'], [undefined]])(
  'a page with the theme %s is light only while printing',
  async (theme) => {
    const { dataset } = document.documentElement;
    if (theme) dataset['theme'] = theme;
    onTestFinished(() => {
      delete dataset['theme'];
    });
    const viewer = await openReport();
    let restore = () => {};
    act(() => {
      restore = preparePage(viewer);
    });
    expect(dataset['theme']).toBe('light');
    act(() => restore());
    expect(dataset['theme']).toBe(theme);
  },
);

it('a page has the layout, the width and the head of a sheet only while printing', async () => {
  const viewer = await openReport();
  const styles = vi.spyOn(CSSStyleSheet.prototype, 'replaceSync');
  onTestFinished(() => styles.mockRestore());
  const { style } = document.body;
  let restore = () => {};
  act(() => {
    restore = preparePage(viewer);
  });
  expect(viewer.getState().isPrinting).toBe(true);
  expect(style.width).toBe('960px');
  expect(styles).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('@page{@top-left'));
  expect(document.adoptedStyleSheets).toHaveLength(1);
  act(() => restore());
  expect(viewer.getState().isPrinting).toBe(false);
  expect(style.width).toBe('');
  expect(document.adoptedStyleSheets).toEqual([]);
});

it('a wide table shrinks only while printing', async () => {
  const viewer = await openReport();
  const scroll = document.createElement('div');
  scroll.className = 'table-scroll';
  scroll.append(document.createElement('table'));
  document.body.append(scroll);
  onTestFinished(() => scroll.remove());
  // jsdom has no layout.
  Object.defineProperties(scroll, { clientWidth: { value: 400 }, scrollWidth: { value: 800 } });
  const table = scroll.querySelector('table')!;
  let restore = () => {};
  act(() => {
    restore = preparePage(viewer);
  });
  expect(Number(table.style.zoom)).toBeCloseTo(0.485);
  act(() => restore());
  expect(table.style.zoom).toBe('');
});
