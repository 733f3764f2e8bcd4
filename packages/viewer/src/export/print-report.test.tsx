import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ServiceError } from 'page-kit/service-error';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createSampleApi, openViewer, resetWindow } from '../test/open-viewer.tsx';
import { portalSession, reportSession, sales, salesView, totalSales } from '../test/samples.ts';

const root = document.documentElement;
const print = vi.fn<() => void>();
let target: EventTarget;

beforeEach(() => {
  resetWindow();
  root.lang = 'en';
  root.dataset['theme'] = 'dark';
  // jsdom has no constructed style sheets, and does not print.
  document.adoptedStyleSheets = [];
  CSSStyleSheet.prototype.replaceSync = () => {};
  print.mockReset();
  vi.stubGlobal('print', print);
  // The pages of other tests listen to the window.
  target = new EventTarget();
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
});
afterEach(() => {
  vi.unstubAllGlobals();
  delete root.dataset['theme'];
});

async function openPage(session = reportSession, api = createSampleApi()) {
  const page = openViewer(session, api);
  await page.start();
  // The page loads this module itself, then listens for keys.
  await act(() => import('./print-report.ts'));
  return page;
}

const fire = (type: string) => act(async () => target.dispatchEvent(new Event(type)));
const exported = { type: 'exported', format: 'print', reportId: sales.id };
const expectLogged = (api: ReturnType<typeof createSampleApi>) =>
  expect(api.send.mock.calls).toEqual([[sales.id, 'print', {}]]);

it('the Print button logs, prints in light colors, and then restores the theme', async () => {
  const { api, sent } = await openPage();
  print.mockImplementation(() => {
    expect(root.dataset['theme']).toBe('light');
    expect(document.adoptedStyleSheets).toHaveLength(1);
    expectLogged(api);
  });
  await userEvent.click(screen.getByRole('button', { name: 'Print' }));
  await vi.waitFor(() => expect(sent).toContainEqual(exported));
  expect(print).toHaveBeenCalledOnce();
  await fire('afterprint');
  expect(root.dataset['theme']).toBe('dark');
  expect(document.adoptedStyleSheets).toEqual([]);
});

it('the report is printed one frame after its drawings have followed the width of the sheet', async () => {
  const frames: FrameRequestCallback[] = [];
  const { sent } = await openPage();
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) => frames.push(draw));
  const drawFrame = async () => {
    await vi.waitFor(() => expect(frames).toHaveLength(1));
    expect(print).not.toHaveBeenCalled();
    await act(async () => frames.pop()!(0));
  };
  await userEvent.click(screen.getByRole('button', { name: 'Print' }));
  await drawFrame();
  await drawFrame();
  await vi.waitFor(() => expect(sent).toContainEqual(exported));
  expect(print).toHaveBeenCalledOnce();
  await fire('afterprint');
});

it('a failed log entry cancels the print, and the reader sees the reason', async () => {
  const api = createSampleApi();
  api.send.mockRejectedValue(new ServiceError('overloaded'));
  const { sent } = await openPage(reportSession, api);
  await userEvent.click(screen.getByRole('button', { name: 'Print' }));
  expect(await screen.findByText('Too many reports are being computed')).toBeVisible();
  expect(print).not.toHaveBeenCalled();
  expect(root.dataset['theme']).toBe('dark');
  expect(sent).not.toContainEqual(exported);
});

const press = (init: KeyboardEventInit) => {
  const event = new KeyboardEvent('keydown', { ...init, cancelable: true });
  act(() => void target.dispatchEvent(event));
  return event.defaultPrevented;
};

it.each([
  { key: 'p', ctrlKey: true },
  { key: 'P', metaKey: true },
])('the keys of the browser’s print command print the report as designed: %j', async (init) => {
  const { api, sent } = await openPage();
  expect(press(init)).toBe(true);
  await vi.waitFor(() => expect(sent).toContainEqual(exported));
  expectLogged(api);
  await fire('afterprint');
});

it('only Ctrl+P or ⌘P prints, and only with a report open', async () => {
  const { api, viewer } = await openPage(portalSession);
  expect(press({ key: 'p', ctrlKey: true })).toBe(false);
  await act(async () => viewer.open(sales.id));
  await screen.findByText('$725,458');
  for (const init of [
    { key: 'p' },
    { key: 'o', ctrlKey: true },
    { key: 'p', ctrlKey: true, metaKey: true },
    { key: 'p', ctrlKey: true, altKey: true },
    { key: 'p', ctrlKey: true, shiftKey: true },
  ])
    expect(press(init)).toBe(false);
  expect(api.send).not.toHaveBeenCalled();
  expect(press({ key: 'p', ctrlKey: true })).toBe(true);
  await vi.waitFor(() => expect(print).toHaveBeenCalledOnce());
  await fire('afterprint');
});

it('a report that is opened again is printed once', async () => {
  const { api, sent, viewer } = await openPage(portalSession);
  for (const id of [sales.id, null, sales.id]) await act(async () => viewer.open(id));
  await screen.findByText('$725,458');
  await act(() => import('./print-report.ts'));
  expect(press({ key: 'p', ctrlKey: true })).toBe(true);
  await vi.waitFor(() => expect(sent).toContainEqual(exported));
  expectLogged(api);
  await fire('afterprint');
});

it('a print from the browser menu uses the print layout and is logged once', async () => {
  const { api, sent } = await openPage();
  await fire('beforeprint');
  expect(root.dataset['theme']).toBe('light');
  await fire('beforeprint');
  expectLogged(api);
  expect(sent.filter(({ type }) => type === 'exported')).toEqual([exported]);
  await fire('afterprint');
  expect(root.dataset['theme']).toBe('dark');
  await fire('beforeprint');
  expect(api.send).toHaveBeenCalledTimes(2);
  await fire('afterprint');
});

it('a print from the browser menu that cannot be logged shows the reason', async () => {
  const api = createSampleApi();
  api.send.mockRejectedValue(new ServiceError('overloaded'));
  const { sent } = await openPage(reportSession, api);
  await fire('beforeprint');
  expect(screen.getByText('Too many reports are being computed')).toBeVisible();
  expect(sent).not.toContainEqual(exported);
  await fire('afterprint');
});

it('the menu of the browser prints the list of reports as it is', async () => {
  const { api } = await openPage(portalSession);
  await fire('beforeprint');
  expect(root.dataset['theme']).toBe('dark');
  expect(api.send).not.toHaveBeenCalled();
});

describe('a report of several pages', () => {
  const names = ['Overview', 'Products', 'People'];
  const pageOf = (index: number) => ({
    ...salesView,
    pages: names,
    page: {
      index,
      name: names[index]!,
      rows: [[{ ...totalSales, id: `${index}.0.0`, title: `Total of ${names[index]}` }]],
    },
  });
  const openPages = async () => {
    const api = createSampleApi();
    api.viewReport.mockImplementation(async (_id, { page = 0 }) => pageOf(page));
    const opened = await openPage({ ...reportSession, view: null }, api);
    await act(async () => opened.viewer.selectPage(1));
    api.viewReport.mockClear();
    return opened;
  };
  const headings = () => screen.queryAllByRole('heading', { level: 2 }).map((h) => h.textContent);

  it('is printed with all of them in their order, each computed once', async () => {
    const { api, sent } = await openPages();
    const printed: (string | null)[] = [];
    print.mockImplementation(() => void printed.push(...headings()));
    await userEvent.click(screen.getByRole('button', { name: 'Print' }));
    await vi.waitFor(() => expect(sent).toContainEqual(exported));
    expect(printed).toEqual(names.flatMap((name) => [name, `Total of ${name}`]));
    expect(api.viewReport.mock.calls.map(([, { page, intent }]) => [page, intent])).toEqual([
      [0, 'refresh'],
      [2, 'refresh'],
    ]);
    await fire('afterprint');
    expect(headings()).toEqual(['Total of Products']);
  });

  it('is not printed if a page cannot be computed, and the reader sees the reason', async () => {
    const { api } = await openPages();
    api.viewReport.mockRejectedValue(new ServiceError('overloaded'));
    await userEvent.click(screen.getByRole('button', { name: 'Print' }));
    expect(await screen.findByText('Too many reports are being computed')).toBeVisible();
    expect(print).not.toHaveBeenCalled();
    expect(screen.getByRole('button', { name: 'Print' })).toBeEnabled();
  });

  it('is not printed if the reader goes to another page meanwhile', async () => {
    const { api, viewer } = await openPages();
    let answer = () => {};
    api.viewReport.mockImplementationOnce(
      () => new Promise((resolve) => (answer = () => resolve(pageOf(0)))),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Print' }));
    await act(async () => viewer.selectPage(2));
    await act(async () => answer());
    expect(await screen.findByText('Total of People')).toBeVisible();
    expect(print).not.toHaveBeenCalled();
  });

  it('is printed by the menu of the browser as far as it is shown', async () => {
    const { api } = await openPages();
    await fire('beforeprint');
    expect(headings()).toEqual(['Total of Products']);
    expect(api.viewReport).not.toHaveBeenCalled();
    await fire('afterprint');
  });
});
