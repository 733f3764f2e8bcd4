import fs from 'node:fs';
import path from 'node:path';

import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { ServiceError } from 'page-kit/service-error';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { chartCode } from './chart-code.ts';
import type { ReportView, TilesView } from './requests/viewer.ts';
import { galleryView } from './test/gallery.ts';
import { createSampleApi, openTileMenu, openViewer, resetWindow } from './test/open-viewer.tsx';
import {
  byMonth,
  pageOf,
  portalSession,
  reportSession,
  sales,
  framedView,
  salesView,
  west,
} from './test/samples.ts';

beforeEach(resetWindow);

/** The rules of the style sheets of a folder. */
const readStyles = (name: string) => {
  const folder = path.join(import.meta.dirname, name);
  const css = fs
    .readdirSync(folder)
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8'));
  return css.join('').replace(/\/\*.*?\*\/|@import[^;]*;|url\([^)]*\)/gs, '');
};
const allStyles = () => readStyles('styles') + readStyles('../../page-kit/src/styles');

const styled = () =>
  new Set([...readStyles('styles').matchAll(/\.([a-z][a-z-]*)/g)].map((match) => match[1]!));

it('no style names a left or right side, because languages are written in both directions', () => {
  const sides =
    /\b(?:margin|padding|border)-(?:left|right)\b|\b(?:left|right)\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)/g;
  expect(allStyles().match(sides)).toBeNull();
});

it('texts have the size of the reader’s font, except for those of a drawing that is scaled', () => {
  const sized = allStyles().matchAll(/([^{}]*)\{[^{}]*font(?:-size)?: [^;]*\dpx[^{}]*\}/g);
  expect([...sized].map(([, selector]) => selector!.trim())).toEqual(['.plot']);
});

const year = { name: 'Year', field: 'Ordered', kind: 'time', grain: 'year' } as const;
/** A chart that the reader has drilled, in a report with filters of each kind. */
const chosenView = {
  filterFields: [
    { name: 'Region', type: 'text' },
    { name: 'Ordered', type: 'date' },
  ],
  page: pageOf({
    ...byMonth,
    dimensions: [{ role: 'x', dimension: { ...year, grain: 'month' } }],
    drill: { path: [{ dimension: year, key: '2017-01-01' }] },
  }),
} satisfies Partial<TilesView>;

/** jsdom has no popovers. */
const openingToggle = () => Object.assign(new Event('toggle'), { newState: 'open' });

it('each class of the style sheets is on a page', async () => {
  const used = new Set<string>();
  // An observer, because some elements are replaced as soon as code has loaded.
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes)
      for (const element of [target as Element, ...(target as Element).querySelectorAll('[class]')])
        for (const name of element.classList) used.add(name);
  });
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['class'] });
  onTestFinished(() => observer.disconnect());
  const loaded = async () => chartCode;
  const failed = async () => null;
  const pending = () => new Promise<null>(() => {});
  const answers: [ReportView, (typeof loaded | typeof failed)[]][] = [
    [{ ...galleryView, filters: [west], roleTexts: [{ kind: 'all' }] }, [loaded]],
    [{ ...salesView, filters: [west], ...chosenView }, [loaded, failed, pending]],
    [{ ...salesView, rowCount: 0, unappliedFilters: ['Planet'] }, [loaded]],
  ];
  for (const [answer, loaders] of answers) {
    const api = createSampleApi();
    api.viewReport.mockResolvedValue(answer);
    for (const loadCharts of loaders) {
      const page = openViewer(reportSession, api, loadCharts);
      await page.start();
      await waitFor(() => expect(document.querySelector('.markdown-source')).toBeNull());
      const described = document.querySelector('[data-tip]');
      if (described && !used.has('tip')) {
        fireEvent.pointerOver(described);
        act(() => document.querySelector<HTMLElement>('.sparkline input')!.focus());
      }
      const menus = document.querySelectorAll('[aria-label="More: Total sales"]');
      if (menus.length === 1) await openTileMenu('Total sales');
      if (!used.has('dialog-list')) {
        fireEvent.click(screen.getByText('Why these rows?', { selector: 'button' }));
        await screen.findByText('Shared with you');
      }
      for (const panel of document.querySelectorAll('.filter-panel')) {
        await act(async () => panel.dispatchEvent(openingToggle()));
        await waitFor(() => expect(panel.querySelector('.filter-choice')).not.toBeNull());
      }
      cleanup();
    }
  }
  const failing = createSampleApi();
  failing.viewReport.mockRejectedValue(
    new ServiceError('report_failed', { requestId: 'request-7' }),
  );
  await openViewer(reportSession, failing).start();
  cleanup();
  const framed = createSampleApi();
  framed.viewReport.mockResolvedValue(framedView);
  const media = { matches: false, addEventListener: () => {} };
  vi.stubGlobal('matchMedia', () => media);
  onTestFinished(() => void vi.unstubAllGlobals());
  await openViewer(reportSession, framed).start();
  await screen.findByTitle('Flight delays');
  cleanup();
  for (const hideAll of [false, true]) {
    const display = { hideNavbar: false, hideSidebar: hideAll, hideMenu: hideAll };
    const viewedBy = hideAll ? 'ada@acme.example' : null;
    const page = openViewer({ ...portalSession, favorites: [sales.id], display, viewedBy });
    await page.start();
    await waitFor(() => expect(document.querySelector('.overview')).not.toBeNull());
    await act(async () => page.viewer.open(sales.id));
    cleanup();
  }
  expect([...styled()].filter((name) => !used.has(name))).toEqual([]);
});
