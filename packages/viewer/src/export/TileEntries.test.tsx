import type { Tile } from '@portal-embed/report-model';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ServiceError } from 'page-kit/service-error';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { emptyView } from '../report/filters/empty-view.ts';
import type { ExportRequest } from '../requests/viewer.ts';
import { createSampleApi, openTileMenu, openViewer, resetWindow } from '../test/open-viewer.tsx';
import {
  byCategory,
  byMonth,
  pageOf,
  portalSession,
  reportSession,
  sales,
  salesView,
  totalSales,
} from '../test/samples.ts';
import { ViewerContext } from '../viewer-context.ts';
import { answerHost } from './answer-host.ts';
import { nameFile } from './download-tile.ts';
import { TileEntries } from './TileEntries.tsx';

/** The names and addresses of saved files. */
const saved: { name: string; address: string }[] = [];
beforeEach(() => {
  resetWindow();
  saved.length = 0;
  URL.createObjectURL = () => 'blob:a-file';
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push({ name: this.download, address: this.href });
  });
});

async function openMenu(api = createSampleApi()) {
  const page = openViewer(reportSession, api);
  await page.start();
  const menu = await openTileMenu('Total sales');
  const choose = (name: string) => userEvent.click(within(menu).getByText(name));
  return { ...page, menu, choose };
}

describe('the menu of a tile', () => {
  it.each([
    ['Download CSV', 'csv'],
    ['Download Excel', 'xlsx'],
  ])(
    'the menu entry "%s" downloads the service’s file and sends an export message to the host',
    async (entry, format) => {
      const { api, sent, menu, choose } = await openMenu();
      const hide = vi.spyOn(menu, 'hidePopover');
      await choose(entry);
      const tile = salesView.page.rows.flat().find(({ title }) => title === 'Total sales')!;
      expect(api.send).toHaveBeenCalledWith(sales.id, 'export', {
        tile: tile.id,
        format,
        page: 0,
        view: { filters: [], sorts: [], drills: [] },
      });
      await vi.waitFor(() =>
        expect(saved).toEqual([
          { name: `${sales.name} - Total sales.${format}`, address: 'blob:a-file' },
        ]),
      );
      expect(sent).toContainEqual({ type: 'exported', format, reportId: sales.id });
      expect(hide).toHaveBeenCalled();
      expect(within(menu).getByRole('status', { hidden: true })).toBeEmptyDOMElement();
    },
  );

  it.each([
    ['Download Excel', 'export_too_large', /at most 100,000 rows .* Download CSV/],
    ['Download CSV', 'export_too_large', /at most 500,000 rows. Filter the report/],
    ['Download CSV', 'overloaded', /Too many reports are being computed/],
    ['Download CSV', 'session_required', /Your session has ended/],
    ['Download CSV', 'unreachable', /The portal could not be reached/],
  ] as const)(
    'the reader sees the reason if "%s" of a tile fails with %s',
    async (entry, code, text) => {
      const api = createSampleApi();
      api.send.mockRejectedValue(new ServiceError(code));
      const { sent, menu, choose } = await openMenu(api);
      await choose(entry);
      await vi.waitFor(() =>
        expect(
          menu.isConnected ? within(menu).getByRole('status', { hidden: true }) : document.body,
        ).toHaveTextContent(text),
      );
      expect(saved).toEqual([]);
      expect(sent.map(({ type }) => type)).not.toContain('exported');
    },
  );

  it('the reason of a failed download is gone after another attempt', async () => {
    const api = createSampleApi();
    api.send.mockRejectedValueOnce(new ServiceError('overloaded'));
    const { menu, choose } = await openMenu(api);
    const note = within(menu).getByRole('status', { hidden: true });
    await choose('Download CSV');
    await vi.waitFor(() => expect(note).toHaveTextContent(/^Too many reports/));
    await choose('Download CSV');
    await vi.waitFor(() => expect(note).toBeEmptyDOMElement());
    expect(saved).toHaveLength(1);
  });

  it('a file that the service cannot finish is not saved', async () => {
    const api = createSampleApi();
    const cut = new Response('a file');
    cut.blob = () => Promise.reject(new TypeError('network error'));
    api.send.mockResolvedValue(cut);
    const { menu, choose } = await openMenu(api);
    await choose('Download CSV');
    expect(await within(menu).findByText(/^The portal could not be reached/)).toBeInTheDocument();
    expect(saved).toEqual([]);
  });

  it('a download requests the shown page with the view of the reader', async () => {
    const api = createSampleApi();
    api.viewReport.mockResolvedValue({ ...salesView, page: { ...salesView.page, index: 1 } });
    const { viewer, choose } = await openMenu(api);
    const view = { ...emptyView, filters: [{ field: 'Region', values: ['West'] }] };
    await act(async () => viewer.changeView(view));
    await choose('Download CSV');
    expect(api.send.mock.lastCall![2]).toMatchObject({ page: 1, view });
  });

  it('a second download waits until the first one has ended', async () => {
    const api = createSampleApi();
    let answer!: (response: Response) => void;
    api.send.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    const { menu, choose } = await openMenu(api);
    const entry = within(menu).getByText('Download Excel');
    expect(entry).toHaveAttribute('aria-disabled', 'false');
    await choose('Download CSV');
    expect(entry).toHaveAttribute('aria-disabled', 'true');
    expect(within(menu).getByRole('status', { hidden: true })).toHaveTextContent('Loading…');
    await choose('Download Excel');
    expect(api.send).toHaveBeenCalledOnce();
    await act(async () => answer(new Response('a file')));
    await vi.waitFor(() => expect(entry).toHaveAttribute('aria-disabled', 'false'));
  });

  it('the memory of a saved file is freed a minute later', async () => {
    const later = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => later.mockRestore());
    const { choose } = await openMenu();
    await choose('Download CSV');
    await vi.waitFor(() => expect(saved).toHaveLength(1));
    const [free] = later.mock.calls.find(([, ms]) => ms === 60_000)!;
    const revoke = vi.spyOn(URL, 'revokeObjectURL');
    free();
    expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:a-file');
  });

  it.each([
    ['a table', { type: 'table' }, null, ['Full view', 'Download CSV', 'Download Excel']],
    [
      'a number',
      { type: 'kpi' },
      null,
      ['Full view', 'Download CSV', 'Download Excel', 'Download picture'],
    ],
    ['a tile that an administrator views', { type: 'kpi' }, 'ada@acme.example', ['Full view']],
  ] as const)('the menu of %s has the entries %j', async (_name, tile, viewedBy, entries) => {
    const { viewer } = openViewer({ ...reportSession, viewedBy });
    const { container } = render(
      <ViewerContext value={viewer}>
        <TileEntries tile={tile as unknown as Tile} menu={document.body} />
      </ViewerContext>,
    );
    const names = within(container)
      .getAllByRole('button')
      .map((button) => button.textContent);
    expect(names).toEqual(entries);
  });

  it.each([
    ['ltr', 'right'],
    ['rtl', 'left'],
  ] as const)('in %s text, the menu aligns with the %s edge of its button', async (text, side) => {
    const page = openViewer(reportSession);
    await page.start();
    const button = screen.getByLabelText('More: Total sales');
    button.getBoundingClientRect = () => new DOMRect(700, 20, 30, 20);
    document.getElementById(button.getAttribute('popovertarget')!)!.style.direction = text;
    const { style } = await openTileMenu('Total sales');
    expect([style.top, style.left, style.right]).toEqual(
      side === 'right' ? ['44px', '', `${innerWidth - 730}px`] : ['44px', '700px', ''],
    );
  });

  it('opens below its button on a page that is scrolled', async () => {
    await openViewer(reportSession).start();
    vi.stubGlobal('scrollY', 500);
    onTestFinished(() => void vi.unstubAllGlobals());
    screen.getByLabelText('More: Total sales').getBoundingClientRect = () =>
      new DOMRect(700, 20, 30, 20);
    expect((await openTileMenu('Total sales')).style.top).toBe('544px');
  });

  it('says that a picture cannot be painted', async () => {
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    const page = openViewer(reportSession, createSampleApi());
    await page.start();
    const menu = within(await openTileMenu('Sales by category'));
    await userEvent.click(menu.getByText('Download picture'));
    await vi.waitFor(() =>
      expect(menu.getByRole('status', { hidden: true })).toHaveTextContent(
        /The portal could not answer/,
      ),
    );
    expect(saved).toEqual([]);
  });

  it('removes a report to which the reader has lost access', async () => {
    const api = createSampleApi();
    api.send.mockRejectedValue(new ServiceError('report_not_accessible'));
    const { choose } = await openMenu(api);
    await choose('Download CSV');
    expect(await screen.findByText('You have no access to this report')).toBeVisible();
    expect(screen.queryByText('Total sales')).toBeNull();
  });
});

describe('an export that the host requests', () => {
  it.each([
    ['the first tile that has rows', undefined, [byMonth.id]],
    ['the tile with its title', byCategory.title, [byCategory.id]],
    ['nothing for a title that no tile has', 'Sales', []],
    ['nothing for a text', 'Notes', []],
  ])('the host gets %s', async (_, title, ids) => {
    // jsdom has no `CSS`.
    vi.stubGlobal('CSS', { escape: (text: string) => text });
    onTestFinished(() => void vi.unstubAllGlobals());
    const api = createSampleApi();
    const { metric: _metric, value: _value, ...failed } = totalSales;
    const text = { id: '0.2.0', type: 'text', title: 'Notes', width: 12, text: 'About' } as const;
    const tiles = [
      text,
      { ...failed, failure: { code: 'not_drawn' } as const },
      byMonth,
      byCategory,
    ];
    api.viewReport.mockResolvedValue({ ...salesView, page: pageOf(...tiles) });
    const { viewer, start } = openViewer(reportSession, api);
    await start();
    const message = { type: 'export', format: 'csv', ...(title && { tile: title }) } as const;
    await answerHost(viewer, message);
    expect(api.send.mock.calls.map(([, , body]) => (body as ExportRequest).tile)).toEqual(ids);
    expect(saved).toHaveLength(ids.length);
  });
});

it('an export that the host requests and that fails shows the reason', async () => {
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  onTestFinished(() => void vi.unstubAllGlobals());
  const api = createSampleApi();
  api.send.mockRejectedValue(new ServiceError('overloaded'));
  const { viewer, start } = openViewer(reportSession, api);
  await start();
  await act(() => answerHost(viewer, { type: 'export', format: 'csv' }));
  expect(screen.getByRole('alert')).toHaveTextContent(/^Too many reports are being computed/);
});

it('a print that the host requests while the list of reports is shown does nothing', async () => {
  const { api, viewer, start } = openViewer(portalSession);
  await start();
  await answerHost(viewer, { type: 'print' });
  expect(api.send).not.toHaveBeenCalled();
});

it('a tile in full view leaves it when it is closed, not when a part of it is', async () => {
  const { menu, choose } = await openMenu();
  const section = menu.closest('section')!;
  const show = vi.fn<() => void>();
  section.showPopover = show;
  const hideMenu = vi.spyOn(menu, 'hidePopover');
  await choose('Full view');
  expect(show).toHaveBeenCalledOnce();
  expect(hideMenu).toHaveBeenCalledOnce();
  const toggle = (element: Element, newState: string) =>
    fireEvent(element, Object.assign(new Event('toggle', { bubbles: true }), { newState }));
  toggle(section, 'open');
  toggle(menu, 'closed');
  expect(section.popover).toBe('auto');
  toggle(section, 'closed');
  expect(section.popover).toBeNull();
  const hide = vi.fn<() => void>();
  section.hidePopover = hide;
  await userEvent.click(screen.getByLabelText('Close the full view of Total sales'));
  expect(hide).toHaveBeenCalledOnce();
});

it('a file has no characters that a file system refuses', () => {
  expect(nameFile('Sales: a/b\\c', 'What? "<x>"\n', 'csv')).toBe('Sales- a-b-c - What- -x-.csv');
  expect(nameFile('', 'T'.repeat(300), 'png')).toBe(`${'T'.repeat(120)}.png`);
});
