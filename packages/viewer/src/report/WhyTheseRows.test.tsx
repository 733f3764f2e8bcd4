import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Suspense } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';

import { lazyPart } from '../lazy-part.tsx';
import { createSampleApi, openViewer, resetWindow } from '../test/open-viewer.tsx';
import { reportSession, salesView, west } from '../test/samples.ts';
import { ViewerContext } from '../viewer-context.ts';

beforeEach(resetWindow);

async function show(view: Partial<typeof salesView>, hideMenu = false) {
  const api = createSampleApi();
  api.viewReport.mockResolvedValue({ ...salesView, ...view });
  const display = { hideNavbar: true, hideSidebar: true, hideMenu };
  await openViewer({ ...reportSession, display }, api).start();
}

async function ask() {
  await userEvent.click(screen.getByRole('button', { name: 'Why these rows?' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Why these rows?' }));
  await dialog.findByText('Shared with you');
  return dialog;
}

describe('"Why these rows?"', () => {
  it('the dialog lists the reader’s roles, the filters and the number of rows', async () => {
    const region = { key: 'Orders/Region', value: 'East' };
    await show({
      roles: ['West', 'Own accounts'],
      filters: [west, region, { key: 'Order Date', value: '2017-01-01..2017-12-31' }],
      readerFilters: [{ field: 'Sales', type: 'number', values: ['20..'] }],
    });
    expect(screen.queryByRole('dialog')).toBeNull();
    const dialog = await ask();
    expect(dialog.getByText(/ from 3,203 rows\.$/)).toBeVisible();
    const itemsOf = (name: string) =>
      within(dialog.getByRole('list', { name }))
        .getAllByRole('listitem')
        .map((item) => item.textContent);
    expect(itemsOf('Shared with you')).toEqual(['West', 'Own accounts']);
    expect(itemsOf('Filters that remove rows')).toEqual([
      'Region: West or East',
      'Order Date: Jan 1, 2017 – Dec 31, 2017',
      'Sales: from 20',
    ]);
    await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('the dialog says in words which rows each role allows', async () => {
    await show({
      roles: ['Access', 'Rest', 'Team'],
      roleTexts: [
        {
          kind: 'and',
          parts: [
            { kind: 'values', field: 'Region', type: 'text', values: ['West', 'East'], count: 12 },
            { kind: 'look-up', fields: ['Country', 'Product'], dataset: 'Access', levels: false },
            {
              kind: 'or',
              parts: [
                { kind: 'viewer', field: 'Owner', attribute: 'email' },
                { kind: 'before', field: 'Order Date', value: '2017-01-01' },
              ],
            },
          ],
        },
        {
          kind: 'not',
          part: { kind: 'values', field: 'Region', type: 'text', values: [], count: 1 },
        },
        { kind: 'look-up', fields: ['Owner'], dataset: 'Employees', levels: true },
      ],
    });
    const dialog = await ask();
    const items = within(dialog.getByRole('list', { name: 'Shared with you' })).getAllByRole(
      'listitem',
    );
    expect(items.map((item) => item.textContent.replaceAll(/[\u2066-\u2069]/g, ''))).toEqual([
      'Region: West, East, or 10 more values, Country and Product: the values that “Access” lists for you, and (Owner: your e-mail address or Order Date: before 2017-01-01)',
      'not (Region: 1 value)',
      'Owner: the values that “Employees” lists for you and for everyone who reports to you',
    ]);
  });

  it('roles for values of one field are one line, and a role for all rows is the only one', async () => {
    const region = (...values: string[]) => ({
      kind: 'values' as const,
      field: 'Region',
      type: 'text' as const,
      values,
      count: values.length,
    });
    const roles = ['W', 'E', 'Own'];
    const own = { kind: 'viewer' as const, field: 'Owner', attribute: 'email' as const };
    await show({ roles, roleTexts: [region('West'), own, region('East', 'West')] });
    const dialog = await ask();
    const linesOf = () =>
      dialog.getAllByRole('list')[0]!.textContent.replaceAll(/[\u2066-\u2069]/g, '');
    expect(linesOf()).toBe('Region: West or EastOwner: your e-mail address');
    expect(dialog.getByText('You see each row that matches one of these:')).toBeVisible();
    cleanup();
    await show({ roles, roleTexts: [own, { kind: 'all' }, region('West')] });
    const all = (await ask()).getByRole('list', { name: 'Shared with you' });
    expect(all.textContent).toBe('All rows');
  });

  it('the dialog lists filters that were not applied separately', async () => {
    await show({ filters: [{ key: 'Planet', value: 'Mars' }], unappliedFilters: ['Planet'] });
    const dialog = await ask();
    expect(dialog.getByRole('list', { name: 'Shared with you' })).toHaveTextContent(/^West$/);
    expect(dialog.queryByText(/^None of the rows/)).toBeNull();
    expect(dialog.getByText('No filters.')).toBeVisible();
    expect(dialog.getByText('Not applied: Planet.')).toBeVisible();
  });

  it('the dialog says that every reader sees all rows', async () => {
    await show({ rowAccess: 'everyone', roles: [], rowCount: 1 });
    const dialog = await ask();
    expect(dialog.getByText(/^Everyone who may open this report/)).toBeVisible();
    expect(dialog.queryByText(/^None of the rows/)).toBeNull();
    expect(dialog.getByText(/ from 1 row\.$/)).toBeVisible();
  });

  it('the dialog says that the reader has no role', async () => {
    await show({ roles: [], rowCount: 0 });
    expect((await ask()).getByText(/^None of the rows/)).toBeVisible();
  });

  it.each([
    [40, '40px'],
    [-5, '0px'],
  ])('below a button that ends at %d pixels, the dialog begins at %s', async (bottom, top) => {
    await show({});
    const button = screen.getByRole('button', { name: 'Why these rows?' });
    button.getBoundingClientRect = () => new DOMRect(0, bottom - 20, 80, 20);
    await ask();
    expect(screen.getByRole('dialog').style.getPropertyValue('--top')).toBe(top);
  });
});

describe.each([false, true])('the rows bar with hideMenu %s', (hideMenu) => {
  it('the active filters and the time of the data are shown', async () => {
    await show({ filters: [west], dataAsOf: '2017-12-30' }, hideMenu);
    expect(screen.getByRole('list', { name: 'Active filters' })).toHaveTextContent('Region West');
    const time = screen.getByText('Data as of', { exact: false });
    expect(time).toHaveTextContent(/^Data as of Dec 30, 2017$/);
    expect(time.querySelector('time')).toHaveAttribute('datetime', '2017-12-30');
    expect(screen.getByRole('button', { name: 'Why these rows?' })).toBeVisible();
  });
});

it('a time of the data with a time of day has the time zone of the report', async () => {
  await show({ dataAsOf: '2017-12-30T23:45:00', timeZone: 'America/New_York' });
  expect(screen.getByText('Data as of', { exact: false })).toHaveTextContent(
    /^Data as of Dec 30, 2017, 11:45\sPM \(America\/New York\)$/,
  );
});

it('a part of the page whose code cannot be loaded says so', async () => {
  const { viewer } = openViewer(reportSession);
  const Part = lazyPart(() => Promise.reject(new TypeError('Failed to fetch')));
  render(
    <ViewerContext value={viewer}>
      <Suspense>
        <Part />
      </Suspense>
    </ViewerContext>,
  );
  expect(await screen.findByText('The portal could not be reached')).toBeVisible();
});

it('a report without a time of the data shows none', async () => {
  await show({});
  expect(screen.queryByText('Data as of', { exact: false })).toBeNull();
});
