import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ServiceError } from 'page-kit/service-error';
import { beforeEach, describe, expect, it } from 'vitest';

import { createSampleApi, openViewer, resetWindow } from '../test/open-viewer.tsx';
import { flights, portalSession, sales } from '../test/samples.ts';

beforeEach(resetWindow);

const main = () => within(screen.getByRole('main'));
const cards = () =>
  [...document.querySelectorAll('main .card-name')].map((card) => card.textContent);
const star = (name: string) => main().getAllByRole('button', { name: `Favorite: ${name}` });
const search = () => main().findByRole('searchbox', { name: 'Search reports' });

const many = Array.from({ length: 60 }, (_, index) => ({
  id: `report ${index}`,
  name: `Report ${index + 1}`,
  description: index === 42 ? 'Receita em São Paulo' : null,
  workspaceName: `Workspace ${(index % 20) + 1}`,
}));
const folders = () => [...document.querySelectorAll<HTMLDetailsElement>('main details')];

describe('a search for reports', () => {
  it('a search finds reports by name, description and workspace, without regard to accents', async () => {
    await openViewer({ ...portalSession, reports: many }).start();
    await userEvent.type(await search(), 'sao receita');
    expect(cards()).toEqual(['Report 43']);
    expect(main().getByText('1 report found.')).toHaveAttribute('aria-live', 'polite');
    expect(folders().map(({ open }) => open)).toEqual([true]);
    await userEvent.clear(await search());
    expect(cards()).toHaveLength(60);
  });

  it('a search that finds many reports shows them in open folders', async () => {
    await openViewer({ ...portalSession, reports: many }).start();
    await userEvent.type(await search(), 'report');
    expect(cards()).toHaveLength(60);
    expect(folders().every(({ open }) => open)).toBe(true);
  });

  it('a search hides the list of favorites', async () => {
    await openViewer({ ...portalSession, favorites: [sales.id] }).start();
    await userEvent.type(await search(), 'flight');
    expect(cards()).toEqual([flights.name]);
  });

  it('a search opens a folder that the reader has closed', async () => {
    await openViewer(portalSession).start();
    await userEvent.click(await main().findByRole('heading', { name: 'Aviation' }));
    await userEvent.type(await search(), 'flight');
    expect(folders().map(({ open }) => open)).toEqual([true]);
  });

  it('a search without a result says so', async () => {
    await openViewer(portalSession).start();
    await userEvent.type(await search(), 'Budget');
    expect(cards()).toEqual([]);
    expect(main().getByText(/“Budget”/)).toBeVisible();
  });

  it('a single report has no search', async () => {
    await openViewer({ ...portalSession, reports: [sales] }).start();
    expect(main().queryByRole('searchbox')).toBeNull();
  });
});

describe('favorites', () => {
  it('are listed before the other reports as soon as they are marked', async () => {
    const page = openViewer(portalSession);
    await page.start();
    expect(main().queryByRole('region', { name: 'Favorites' })).toBeNull();
    await userEvent.click(star(sales.name)[0]!);
    expect(page.api.setFavorite.mock.calls).toEqual([
      [sales.id, { isFavorite: true }, expect.any(AbortSignal)],
    ]);
    const list = within(main().getByRole('region', { name: 'Favorites' }));
    expect(list.getByRole('button', { name: new RegExp(`^${sales.name}`) })).toBeVisible();
    expect(star(sales.name)).toHaveLength(2);
    for (const button of star(sales.name)) expect(button).toHaveAttribute('aria-pressed', 'true');
    await userEvent.click(star(sales.name)[1]!);
    expect(main().queryByRole('region', { name: 'Favorites' })).toBeNull();
  });

  it('of an earlier session are marked if the user can still open them', async () => {
    await openViewer({ ...portalSession, favorites: ['gone', flights.id] }).start();
    expect(cards()).toEqual([flights.name, flights.name, sales.name]);
  });

  it('a refresh of the overview shows favorites that were marked elsewhere', async () => {
    const page = openViewer(portalSession);
    await page.start();
    const { reports } = portalSession;
    page.api.listReports.mockResolvedValue({ reports, favorites: [sales.id], recent: [] });
    await page.refresh();
    expect(cards()).toEqual([sales.name, flights.name, sales.name]);
  });

  it('a favorite that fails after the viewer stops shows no error and stays', async () => {
    const api = createSampleApi();
    let fail!: () => void;
    api.setFavorite.mockReturnValue(
      new Promise((_, reject) => (fail = () => reject(new ServiceError('unreachable')))),
    );
    const page = openViewer(portalSession, api);
    await page.start();
    await userEvent.click(star(sales.name)[0]!);
    page.viewer.stop();
    await act(async () => fail());
    expect(page.viewer.getState()).toMatchObject({ problem: null, favorites: [sales.id] });
  });

  it('a favorite that the service refuses is removed, with the reason', async () => {
    const api = createSampleApi();
    api.setFavorite.mockRejectedValue(new ServiceError('unreachable'));
    await openViewer(portalSession, api).start();
    await userEvent.click(star(sales.name)[0]!);
    expect(await main().findByRole('alert')).toHaveTextContent('The portal could not be reached');
    expect(main().queryByRole('region', { name: 'Favorites' })).toBeNull();
  });
});

describe('the reports opened last', () => {
  it('are listed if there are many reports', async () => {
    const page = openViewer({ ...portalSession, reports: many, recent: [many[3]!.id] });
    await page.start();
    const listed = () =>
      within(main().getByRole('region', { name: 'Recently opened' }))
        .getAllByRole('button', { name: /^Report/ })
        .map((card) => card.querySelector('.card-name')!.textContent);
    expect(listed()).toEqual(['Report 4']);
    page.api.viewReport.mockReturnValue(new Promise(() => {}));
    page.api.listReports.mockReturnValue(new Promise(() => {}));
    for (const index of [3, 7, 9]) act(() => page.viewer.open(many[index]!.id));
    act(() => page.viewer.open(null));
    expect(listed()).toEqual(['Report 10', 'Report 8', 'Report 4']);
  });

  it('a refresh and another session update the reports opened last', async () => {
    const page = openViewer({ ...portalSession, reports: many });
    await page.start();
    const listed = (name: string) =>
      within(main().getByRole('region', { name }))
        .getAllByRole('button', { name: /^Report/ })
        .map((card) => card.querySelector('.card-name')!.textContent);
    page.api.listReports.mockResolvedValue({
      reports: many,
      favorites: [],
      recent: [many[5]!.id],
    });
    await page.refresh();
    expect(listed('Recently opened')).toEqual(['Report 6']);
    expect(main().getByRole('button', { name: /^Report 6 ?Workspace/ })).toBeVisible();
    const marks = { favorites: [many[6]!.id], recent: [many[7]!.id] };
    act(() => page.viewer.continueWith({ ...portalSession, reports: many, ...marks }, 2));
    expect(listed('Favorites')).toEqual(['Report 7']);
    expect(listed('Recently opened')).toEqual(['Report 8']);
  });

  it('at most eight reports are listed as opened last', async () => {
    const page = openViewer({ ...portalSession, reports: many });
    await page.start();
    page.api.viewReport.mockReturnValue(new Promise(() => {}));
    for (const { id } of many.slice(0, 9)) act(() => page.viewer.open(id));
    expect(page.viewer.getState().recent).toEqual(
      many
        .slice(1, 9)
        .map(({ id }) => id)
        .toReversed(),
    );
  });

  it.each([
    [3, 0],
    [4, 1],
  ])('of %i reports, those opened last have %i list', async (count, lists) => {
    const reports = many.slice(0, count);
    await openViewer({ ...portalSession, reports, recent: [many[0]!.id] }).start();
    expect(main().queryAllByRole('region', { name: 'Recently opened' })).toHaveLength(lists);
  });

  it('are not listed if there are few reports', async () => {
    await openViewer({ ...portalSession, recent: [sales.id] }).start();
    expect(main().queryByRole('region', { name: 'Recently opened' })).toBeNull();
  });
});

describe('folders', () => {
  it('are open if there are few reports, and collapse on demand', async () => {
    await openViewer(portalSession).start();
    expect(folders().map(({ open }) => open)).toEqual([true, true]);
    await userEvent.click(main().getByRole('heading', { name: 'Aviation' }));
    expect(folders().map(({ open }) => open)).toEqual([false, true]);
  });

  it('begin collapsed if there are many reports, each with its number of reports', async () => {
    await openViewer({ ...portalSession, reports: many }).start();
    expect(folders()).toHaveLength(20);
    expect(folders().filter(({ open }) => open)).toEqual([]);
    expect(folders()[0]!.querySelector('summary')).toHaveTextContent(/^Workspace 13$/);
  });

  it.each([
    [50, 20],
    [51, 0],
  ])('of the folders of %i reports, %i begin open', async (count, open) => {
    await openViewer({ ...portalSession, reports: many.slice(0, count) }).start();
    expect(folders().filter((folder) => folder.open)).toHaveLength(open);
  });

  it('with numbers in their names are in numeric order', async () => {
    await openViewer({ ...portalSession, reports: many }).start();
    const names = main()
      .getAllByRole('heading', { level: 2 })
      .map((title) => title.textContent);
    expect(names.slice(0, 3)).toEqual(['Workspace 1', 'Workspace 2', 'Workspace 3']);
  });

  it('are in alphabetical order, whatever the names of their reports', async () => {
    const reports = [{ ...flights, workspaceName: 'Travel' }, sales];
    await openViewer({ ...portalSession, reports }).start();
    const names = main().getAllByRole('heading', { level: 2 });
    expect(names.map((title) => title.textContent)).toEqual(['Retail', 'Travel']);
    expect(cards()).toEqual([sales.name, flights.name]);
  });

  it('of the sidebar begin collapsed, except for that of the open report', async () => {
    const page = openViewer({ ...portalSession, reports: many });
    await page.start();
    act(() => page.viewer.open(many[4]!.id));
    const open = [...document.querySelectorAll('.sidebar details[open] h2')];
    expect(open.map((title) => title.textContent)).toEqual(['Workspace 5']);
  });

  it('a folder that the reader has opened stays open when a report of another folder is opened', async () => {
    const page = openViewer({ ...portalSession, reports: many });
    await page.start();
    const sidebar = within(screen.getByRole('navigation', { name: 'Reports' }));
    const folder = sidebar.getByRole('heading', { name: 'Workspace 5' }).closest('details')!;
    await userEvent.click(folder.querySelector('summary')!);
    act(() => page.viewer.open(many[4]!.id));
    act(() => page.viewer.open(many[5]!.id));
    expect(folder.open).toBe(true);
  });
});
