import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { AdminAnswer } from '../requests/endpoints.ts';
import type { Deletion } from '../requests/items.ts';
import { administrator, openAdmin, refuse, type Answers } from '../test/open-admin.tsx';

const reports = ['Sales', 'Costs'].map((name, index) => ({
  id: `r${index + 1}`,
  name,
  workspaceName: 'Retail',
  readers: 1,
  lastOpenedAt: null,
  product: null,
}));
const list = { items: reports, totalCount: 2, totalPages: 1, canCreate: true, canEdit: true };
const keyOf = (id: string) => ({ kind: 'report' as const, id });
const [sales, costs] = [
  { ...keyOf('r1'), name: 'Sales' },
  { ...keyOf('r2'), name: 'Costs' },
];
const archived = {
  workspaceName: 'Retail',
  archivedAt: '2026-03-01T12:00:00Z',
  archivedBy: 'cora@acme.example',
  archivedFrom: 'pages' as const,
  product: null,
  isDefined: true,
};
const archive = {
  items: [
    { ...sales, ...archived },
    { ...costs, ...archived, archivedBy: null, isDefined: false },
  ],
  totalCount: 2,
  totalPages: 1,
  canRestore: true,
};
const describeOne: Deletion = {
  items: [{ ...sales, file: null, users: 3, groups: 1, roles: [], reports: [] }],
  files: [],
  bytes: 0,
};

const openReports = (answers: Answers = {}) =>
  openAdmin('/reports', {
    findReports: list,
    listWorkspaces: { workspaces: [] },
    ...answers,
  });
const select = async (name: string) =>
  fireEvent.click(await screen.findByRole('checkbox', { name }));
const press = (name: string, within_: HTMLElement = document.body) =>
  fireEvent.click(within(within_).getByRole('button', { name }));

describe('a list whose rows are selected', () => {
  it('shows no checkboxes to somebody who may neither create nor edit', async () => {
    await openReports({ findReports: { ...list, canCreate: false, canEdit: false } });
    await screen.findByRole('link', { name: 'Sales' });
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('offers only the actions of the rights', async () => {
    await openReports({ findReports: { ...list, canEdit: false } });
    await select('Select Sales');
    const group = screen.getByRole('toolbar', { name: 'Actions for the selection' });
    expect(
      within(group)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Duplicate', 'Clear selection']);
  });

  it('selects all rows of the page, and announces how many', async () => {
    await openReports();
    await select('Select all on this page');
    const announced = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(announced()).toContain('2 selected');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Costs' }));
    const all = screen.getByRole('checkbox', { name: 'Select all on this page' });
    expect(all).toHaveProperty('indeterminate', true);
    press('Clear selection');
    expect(announced()).not.toContain('1 selected');
    expect(screen.queryByRole('toolbar', { name: 'Actions for the selection' })).toBeNull();
  });

  it('archives, names what failed and why, and restores what was archived', async () => {
    const detail = 'You may not edit reports.';
    const { sent } = await openReports({
      archiveItems: { done: [sales], failed: [{ ...keyOf('r2'), detail }] },
      restoreItems: { done: [sales], failed: [] },
    });
    await select('Select all on this page');
    press('Archive');
    press('Archive', screen.getByRole('dialog'));
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Archived: Sales. See the page Archive.');
    expect(alert).toHaveTextContent('1 item stayed as it was:');
    expect(within(alert).getByRole('listitem')).toHaveTextContent(`Costs: ${detail}`);
    expect(alert).toHaveFocus();
    expect(sent('archiveItems')).toEqual([{ items: [keyOf('r1'), keyOf('r2')], reportIds: [] }]);
    press('Restore', alert);
    expect(await screen.findByText('Restored: Sales.')).toBeVisible();
    expect(sent('restoreItems')).toEqual([{ items: [keyOf('r1')] }]);
  });

  it('names an archived item that could not be restored, after it has left the list', async () => {
    let isArchived = false;
    await openReports({
      findReports: () => (isArchived ? { ...list, items: reports.slice(1) } : list),
      archiveItems: () => {
        isArchived = true;
        return { done: [sales], failed: [] };
      },
      restoreItems: { done: [], failed: [{ ...keyOf('r1'), detail: 'It was deleted.' }] },
    });
    await select('Select Sales');
    press('Archive');
    press('Archive', screen.getByRole('dialog', { name: 'Archive Sales' }));
    await screen.findByText(/^Archived: Sales\./);
    press('Restore');
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByRole('listitem')).toHaveTextContent('Sales: It was deleted.');
  });

  it('renames only the items whose name was changed', async () => {
    const { sent } = await openReports({
      renameItems: { done: [{ ...costs, name: 'Spend' }], failed: [] },
    });
    await select('Select all on this page');
    press('Rename');
    const dialog = screen.getByRole('dialog');
    expect(within(dialog).getByRole('button', { name: 'Save' })).toBeDisabled();
    fireEvent.change(within(dialog).getByLabelText(/^New name of Costs/), {
      target: { value: 'Spend' },
    });
    press('Save', dialog);
    expect(await screen.findByText('Renamed: Spend.')).toBeVisible();
    expect(sent('renameItems')).toEqual([{ items: [{ ...keyOf('r2'), name: 'Spend' }] }]);
  });

  it('a request that is refused stays in its dialog, with the reason', async () => {
    await openReports({ moveReports: refuse(429, 'rate_limited', 'Too many requests.') });
    await select('Select Sales');
    press('Move');
    const dialog = screen.getByRole('dialog');
    fireEvent.change(within(dialog).getByRole('combobox'), { target: { value: 'Other' } });
    press('Move', dialog);
    expect(await within(dialog).findByText('Too many requests.')).toBeVisible();
  });
});

it('the page of a copy says that it has no readers', async () => {
  const report = {
    id: 'r1',
    name: 'Sales',
    workspaceName: 'Retail',
    description: null,
    workspaceId: 'w1',
    dataset: { id: 'd1', name: 'Orders' },
    file: null,
    version: 1,
    savedAt: null,
    canEdit: true,
    canCopy: true,
    product: null,
  } as unknown as AdminAnswer<'readReport'>;
  await openAdmin('/reports/r1/edit', {
    readReport: ({ reportId }) => ({ ...report, id: reportId }),
    duplicateItems: { done: [{ ...keyOf('r3'), name: 'Sales (copy)' }], failed: [] },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Duplicate' }));
  expect(
    await screen.findByText(/^Created: Sales \(copy\)\. A copy of a report has no readers yet/),
  ).toBeVisible();
  expect(window.location.pathname).toMatch(/\/reports\/r3\/edit$/);
});

describe('archiving datasets', () => {
  const dataset = {
    id: 'd1',
    name: 'Orders',
    reports: 1,
    roles: 0,
    source: 'a.csv',
    product: null,
  };

  it('names the reports that are archived with them, and sends them', async () => {
    const { sent } = await openAdmin('/datasets', {
      findDatasets: { datasets: [dataset] },
      findReportsOfDatasets: { reports: [{ id: 'r1', name: 'Sales' }] },
      archiveItems: { done: [sales, { kind: 'dataset', id: 'd1', name: 'Orders' }], failed: [] },
    });
    await select('Select Orders');
    expect(screen.queryByRole('button', { name: 'Move' })).toBeNull();
    press('Archive');
    const dialog = screen.getByRole('dialog');
    expect(
      await within(dialog).findByText('1 report uses this data and is archived, too:'),
    ).toBeVisible();
    expect(within(dialog).getByText('Sales')).toBeVisible();
    press('Archive them together', dialog);
    expect(await screen.findByText(/^Archived: Sales and Orders\./)).toBeVisible();
    expect(sent('archiveItems')).toEqual([
      { items: [{ kind: 'dataset', id: 'd1' }], reportIds: ['r1'] },
    ]);
  });

  it('waits until it is known which reports use them', async () => {
    await openAdmin('/datasets', {
      findDatasets: { datasets: [dataset] },
      findReportsOfDatasets: refuse(500, 'internal_error', 'An error happened.'),
    });
    await select('Select Orders');
    press('Archive');
    const dialog = screen.getByRole('dialog');
    expect(await within(dialog).findByText('An error happened.')).toBeVisible();
    expect(within(dialog).getByRole('button', { name: 'Archive' })).toBeDisabled();
  });
});

describe('the archive', () => {
  const openArchive = (answers: Answers = {}) =>
    openAdmin('/archive', { findArchived: archive, ...answers });

  it('lists who archived what and when', async () => {
    await openArchive();
    const rows = await screen.findAllByRole('row');
    expect(rows.slice(1).map((row) => row.textContent)).toEqual([
      expect.stringMatching(
        /^SalesReport · cora@acme\.example.*ReportRetailcora@acme\.exampleMar 1, 2026/,
      ),
      expect.stringMatching(
        /^CostsReport · UnknownIt has no definition.*ReportRetailUnknownMar 1, 2026/,
      ),
    ]);
  });

  it('lets contributors restore, and only administrators delete', async () => {
    const { sent } = await openArchive({
      readIdentity: { ...administrator, role: 2 },
      restoreItems: { done: [sales], failed: [] },
    });
    await select('Select Sales');
    expect(screen.queryByRole('button', { name: 'Delete for good' })).toBeNull();
    press('Restore');
    expect(await screen.findByText('Restored: Sales.')).toBeVisible();
    expect(sent('restoreItems')).toEqual([{ items: [keyOf('r1')] }]);
  });

  it('without the right to edit, nothing can be selected', async () => {
    await openArchive({ findArchived: { ...archive, canRestore: false } });
    await screen.findByText('Sales');
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('deletes one item after its name was typed', async () => {
    const { sent } = await openArchive({
      describeDeletion: describeOne,
      deleteItems: { done: [sales], failed: [] },
    });
    await select('Select Sales');
    press('Delete for good');
    const dialog = screen.getByRole('dialog');
    expect(
      await within(dialog).findByText('Links that are removed: users 3, groups 1.'),
    ).toBeVisible();
    const submit = within(dialog).getByRole('button', { name: 'Delete for good' });
    const field = within(dialog).getByLabelText(/^Type the name to confirm: Sales/);
    fireEvent.change(field, { target: { value: 'Sale' } });
    expect(submit).toBeDisabled();
    fireEvent.change(field, { target: { value: 'Sales' } });
    fireEvent.click(submit);
    expect(await screen.findByText('Deleted for good: Sales.')).toBeVisible();
    expect(sent('deleteItems')).toEqual([{ items: [keyOf('r1')] }]);
    expect(sent('describeDeletion')).toHaveLength(1);
  });

  it.each([
    [2_500, '2.5 kB'],
    [1_234_567, '1.2 MB'],
  ])('says that %d bytes are freed as %s, and which reports must go first', async (bytes, size) => {
    await openArchive({
      describeDeletion: {
        items: [
          {
            kind: 'dataset',
            id: 'd1',
            name: 'Orders',
            file: 'datasets/orders.yaml',
            users: 2,
            groups: 0,
            roles: ['East', 'West'],
            reports: ['Old', 'Older'],
          },
        ],
        files: ['orders.csv'],
        bytes,
      },
    });
    await select('Select all on this page');
    press('Delete for good');
    const dialog = screen.getByRole('dialog');
    for (const text of [
      `Data files that are deleted: orders.csv. This frees ${size} within about an hour.`,
      'Roles that are deleted: East and West. Holders: users 2, groups 0.',
      'Delete its archived reports first, or select them, too: Old and Older.',
    ])
      expect(await within(dialog).findByText(text)).toBeVisible();
    fireEvent.click(within(dialog).getByRole('checkbox'));
    expect(within(dialog).getByRole('button', { name: 'Delete for good' })).toBeDisabled();
  });

  it('that is empty says what to do', async () => {
    const none = { items: [], totalCount: 0, totalPages: 0, canRestore: true };
    const { sent } = await openArchive({ findArchived: none });
    expect(await screen.findByText(/^Archive reports and datasets on their pages/)).toBeVisible();
    fireEvent.change(screen.getByLabelText('Search the archive'), { target: { value: 'x' } });
    expect(await screen.findByText('Nothing matches. Change the search.')).toBeVisible();
    await waitFor(() => expect(sent('findArchived').at(-1)).toMatchObject({ search: 'x' }));
  });
});
