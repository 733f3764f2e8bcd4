import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { ServiceError } from '../../shared/service-error.ts';
import { createSampleApi, openTileMenu, openViewer, resetWindow } from '../test/open-viewer.tsx';
import { reportSession, sales, salesView } from '../test/samples.ts';
import { nameFile } from './export-tile.ts';

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
    },
  );

  it.each([
    ['Download Excel', 'export_too_large', /at most 100,000 rows .* Download CSV/],
    ['Download CSV', 'export_too_large', /at most 500,000 rows. Filter the report/],
    ['Download CSV', 'overloaded', /Too many reports are being computed/],
    ['Download CSV', 'session_required', /Your session has ended/],
  ] as const)('the menu of a tile says why "%s" fails with %s', async (entry, code, text) => {
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
  });

  it('the menu of a tile says that a picture cannot be painted', async () => {
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

  it('the menu of a tile removes a report to which the reader has lost access', async () => {
    const api = createSampleApi();
    api.send.mockRejectedValue(new ServiceError('report_not_accessible'));
    const { choose } = await openMenu(api);
    await choose('Download CSV');
    expect(await screen.findByText('You have no access to this report')).toBeVisible();
    expect(screen.queryByText('Total sales')).toBeNull();
  });
});

it('a tile in full view leaves it when it is closed, not when a part of it is', async () => {
  const { menu, choose } = await openMenu();
  const section = menu.closest('section')!;
  const show = vi.fn<() => void>();
  section.showPopover = show;
  await choose('Full view');
  expect(show).toHaveBeenCalledOnce();
  const toggle = (element: Element, newState: string) =>
    fireEvent(element, Object.assign(new Event('toggle', { bubbles: true }), { newState }));
  toggle(section, 'open');
  toggle(menu, 'closed');
  expect(section.popover).toBe('auto');
  toggle(section, 'closed');
  expect(section.popover).toBeNull();
});

it('a file has no characters that a file system refuses', () => {
  expect(nameFile('Sales: a/b\\c', 'What? "<x>"\n', 'csv')).toBe('Sales- a-b-c - What- -x-.csv');
  expect(nameFile('', 'T'.repeat(300), 'png')).toBe(`${'T'.repeat(120)}.png`);
});
