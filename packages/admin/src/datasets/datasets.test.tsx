import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { AdminDataset, DatasetWorkspace, Sample } from '../requests/datasets.ts';
import {
  administrator,
  openAdmin,
  organization,
  refuse,
  type Answers,
} from '../test/open-admin.tsx';

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const contributor = { ...administrator, role: 2 as const };
const operator = { ...administrator, kind: 'operator' as const, role: null, organization: null };

describe('a dataset', () => {
  const dataset: AdminDataset = {
    id: 'd1',
    name: 'Orders',
    description: null,
    source: 'orders.csv',
    product: null,
    file: 'datasets/orders.yaml',
    rowAccess: 'everyone',
    version: 1,
    savedBy: null,
    savedFrom: null,
    savedAt: null,
    isEdited: false,
    fields: [{ name: 'Region', type: 'text', expression: null, currency: null }],
    metrics: [],
    reports: [],
    roles: [],
    questions: [],
    dataFiles: { names: ['orders.csv'], isPattern: false },
    workspaces: [],
  };

  it('of another product has no sample, definition or new report', async () => {
    await openAdmin('/datasets/d1', {
      readDataset: { ...dataset, product: 'Other BI', source: 'Other BI', file: null },
    });
    expect(await screen.findByText('From Other BI. It is written there.')).toBeVisible();
    expect(screen.queryByRole('tab')).toBeNull();
    for (const name of ['New report', 'Definition'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByText('Sample')).toBeNull();
  });
  const sample: Sample = {
    columns: ['Region', 'City'],
    rows: [
      ['West', null],
      ['East', 0],
      [false, 7],
    ],
    rowCount: 1_234,
    dataAsOf: '2026-03-01',
  };
  const openDataset = (
    part: Partial<AdminDataset> = {},
    rows: Partial<Sample> = {},
    answers: Answers = {},
  ) =>
    openAdmin('/datasets/d1', {
      readDataset: { ...dataset, ...part },
      readSample: { ...sample, ...rows },
      findUnreadableTexts: { texts: [] },
      ...answers,
    });

  it('is opened to a workspace and closed to it, and one with a report stays', async () => {
    const leads = { id: 'Leads', name: 'Leads', reports: 0, contributors: [] };
    const retail = { id: 'Retail', name: 'Retail', reports: 2, contributors: [] };
    const used: DatasetWorkspace = { id: 'Retail', name: 'Retail', reports: 2, isOpened: false };
    const opened: DatasetWorkspace = { id: 'Leads', name: 'Leads', reports: 0, isOpened: true };
    const { answers, sent } = await openDataset({ workspaces: [used] }, undefined, {
      listWorkspaces: { workspaces: [leads, retail] },
      changeDatasetWorkspace: {},
    });
    const list = within(await screen.findByRole('table', { name: 'Workspaces' }));
    expect(list.getByRole('cell', { name: 'Retail 2 reports use it' })).toBeVisible();
    expect(list.queryByRole('button')).toBeNull();
    const field = screen.getByLabelText('Open it to a workspace');
    fireEvent.change(field, { target: { value: 'lea' } });
    const option = await screen.findByRole('option', { name: 'Leads', hidden: true });
    answers.readDataset = { ...dataset, workspaces: [opened, used] };
    fireEvent.click(option);
    const remove = await screen.findByRole('button', { name: 'Remove Leads' });
    fireEvent.focus(field);
    const left = await screen.findAllByRole('option', { hidden: true });
    expect(left.map((each) => each.textContent)).toEqual(['Retail']);
    answers.changeDatasetWorkspace = refuse(404, 'not_found', 'This workspace does not exist.');
    fireEvent.click(remove);
    expect(await screen.findByText('This workspace does not exist.')).toBeVisible();
    answers.changeDatasetWorkspace = {};
    answers.readDataset = { ...dataset, workspaces: [used] };
    fireEvent.click(remove);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove Leads' })).toBeNull());
    const change = (isOpened: boolean) => ({ datasetId: 'd1', workspaceId: 'Leads', isOpened });
    expect(sent('changeDatasetWorkspace')).toEqual([change(true), change(false), change(false)]);
  });

  it('texts that cannot be read are named, and a page without them has no warning', async () => {
    const text = 'Amount: 3 texts cannot be read by to_number, such as "n/a"; they count as null';
    await openDataset({}, {}, { findUnreadableTexts: { texts: [text] } });
    const warning = await screen.findByRole('alert', { name: 'Texts that cannot be read' });
    expect(within(warning).getByText(text)).toBeVisible();
  });

  it.each([[], null])(
    'a dataset whose unreadable texts are %j has no warning of them',
    async (texts) => {
      const { sent } = await openDataset({}, {}, { findUnreadableTexts: { texts } });
      await screen.findByRole('table', { name: 'Sample' });
      await waitFor(() => expect(sent('findUnreadableTexts')).toHaveLength(1));
      expect(screen.queryByText('Texts that cannot be read')).toBeNull();
    },
  );

  it('a contributor does not see who may use a dataset', async () => {
    await openDataset({ roles: null, workspaces: null }, undefined, { readIdentity: contributor });
    await screen.findByRole('heading', { name: 'Fields' });
    expect(screen.queryByRole('heading', { name: 'Workspaces' })).toBeNull();
  });

  it('the sample of a dataset has its columns with their types, and blanks are empty', async () => {
    await openDataset();
    const table = within(await screen.findByRole('table', { name: 'Sample' }));
    expect(
      table.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent)),
    ).toEqual([
      ['Regiontext', 'City'],
      ['West', ''],
      ['East', '0'],
      ['false', '7'],
    ]);
    expect(screen.getByText('1,234 rows that you may see. Data as of Mar 1, 2026.')).toBeVisible();
  });

  it('a sample of some columns says so', async () => {
    const fields = ['Region', 'City', 'Street'].map(
      (name) => ({ name, type: 'text', expression: null, currency: null }) as const,
    );
    await openDataset({ fields });
    await screen.findByRole('table', { name: 'Sample' });
    expect(screen.getByText('The first 2 of 3 columns:')).toBeVisible();
  });

  it.each([
    [null, /^The rows could not be shown/],
    [[], /^The data has no rows/],
  ])('a sample with the rows %j shows the reason instead of a table', async (rows, text) => {
    await openDataset({}, { rows, dataAsOf: null });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole('table', { name: 'Sample' })).toBeNull();
    expect(screen.queryByText(/Data as of/)).toBeNull();
  });

  it.each([
    ['everyone', 0, /^Everyone who may open a report of this dataset sees all rows/],
    ['everyone', 1, /^Readers see the rows of their roles/],
    ['by-role', 0, /^Readers see the rows of their roles/],
  ] as const)('for %s with %d roles says who sees its rows', async (rowAccess, count, text) => {
    const roles = [
      {
        id: 'o1',
        name: 'West',
        users: 2,
        groups: 1,
        firstHolders: ['West team', 'Ada', 'Bob'],
        roundedField: null,
      },
    ].slice(0, count);
    await openDataset({ rowAccess, roles });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryAllByRole('row', { name: 'West 2 1' })).toHaveLength(count);
    expect(screen.queryAllByRole('columnheader', { name: 'Role' })).toHaveLength(count);
  });

  it('says which roles give no rows, and which numbers have two readings', async () => {
    const columns = (number: string) => [
      { name: 'Stueck', values: [{ text: '1.234', read: number }], total: number },
    ];
    await openDataset({
      roles: [
        {
          id: 'o1',
          name: 'West',
          users: 2,
          groups: 1,
          firstHolders: ['West team', 'Ada', 'Bob'],
          roundedField: 'Weight',
        },
        { id: 'o2', name: 'East', users: 0, groups: 0, firstHolders: [], roundedField: null },
      ],
      questions: [
        {
          file: 'a.csv',
          about: 'numbers',
          interpretations: [
            { options: { decimal: '.' }, columns: columns('1.234') },
            { options: { decimal: ',', thousands: '.' }, columns: columns('1234') },
          ],
        },
      ],
    });
    expect(
      await screen.findByText('West compares the field Weight, whose type is number.'),
    ).toBeVisible();
    expect(screen.queryByText(/^East compares/)).toBeNull();
    expect(screen.getByText('a.csv has several interpretations')).toBeVisible();
    for (const option of ['decimal: "."', 'decimal: ","\nthousands: "."'])
      expect(
        screen.getByText(
          (_, element) => element?.tagName === 'PRE' && element.textContent === option,
        ),
      ).toBeVisible();
    expect(screen.getByRole('row', { name: '1.234 1,234' })).toBeVisible();
    expect(screen.getByRole('row', { name: '1.234 1.234' })).toBeVisible();
  });

  it('shows its id and the reports that use it', async () => {
    const { home } = await openDataset({ reports: [{ id: 'r1', name: 'Sales' }] });
    expect(await screen.findByRole('link', { name: 'Sales' })).toHaveAttribute(
      'href',
      `${home}/reports/r1/edit`,
    );
    expect(screen.getByText('d1')).toBeVisible();
    expect(screen.queryByText('No report uses this dataset.')).toBeNull();
  });

  it('the fields and metrics of a dataset are listed with their expressions', async () => {
    await openDataset({
      description: 'Every order since 2019.',
      fields: [
        { name: 'Region', type: 'text', expression: null, currency: null },
        { name: 'Year', type: 'number', expression: 'year(Day)', currency: null },
      ],
      metrics: [{ name: 'Total', expression: 'sum(Sales)' }],
    });
    expect(await screen.findByText('Every order since 2019.')).toBeVisible();
    expect(await screen.findByRole('row', { name: 'Region text' })).toBeVisible();
    expect(screen.getByRole('row', { name: 'Year number year(Day)' })).toBeVisible();
    expect(screen.getByRole('row', { name: 'Total sum(Sales)' })).toBeVisible();
  });

  it('a new report of a dataset preselects that dataset, and another one can be chosen', async () => {
    const listed = { ...dataset, source: 'x', reports: 0, roles: 0 };
    const { sent } = await openDataset(
      {},
      {},
      {
        findDatasets: {
          datasets: [
            { ...listed, id: 'd0', name: 'Costs' },
            listed,
            { ...listed, id: 'd2', name: 'Returns' },
          ],
        },
        listWorkspaces: { workspaces: [] },
        createReport: refuse(409, 'conflict', 'Another report has this name.'),
      },
    );
    fireEvent.click(await screen.findByRole('button', { name: 'New report' }));
    const field = await screen.findByLabelText('Dataset');
    await waitFor(() => expect(field).toHaveDisplayValue('Orders'));
    fireEvent.change(field, { target: { value: 'd2' } });
    fireEvent.submit(screen.getByRole('dialog').querySelector('form')!);
    expect(await screen.findByText('Another report has this name.')).toBeVisible();
    expect(sent('createReport')).toEqual([{ name: '', workspace: '', datasetId: 'd2' }]);
    press('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('without metrics has no list of them', async () => {
    await openDataset();
    expect(await screen.findByRole('heading', { name: 'Fields' })).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Metrics' })).toBeNull();
  });

  it('a contributor sees the rows of a dataset, not its definition', async () => {
    await openDataset({ roles: null }, {}, { readIdentity: contributor });
    await screen.findByRole('table', { name: 'Sample' });
    expect(screen.queryByRole('tab')).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Roles' })).toBeNull();
    expect(screen.getByText('No report uses this dataset.')).toBeVisible();
  });

  it.each([
    [administrator, 1],
    [contributor, 0],
    [operator, 1],
  ])('%j has %d buttons for an upload', async (readIdentity, count) => {
    const listed = { ...dataset, reports: 2, roles: 0 };
    const { home } = await openAdmin('/datasets', {
      readIdentity,
      readOrganization: organization,
      findDatasets: {
        datasets: [listed, { ...listed, id: 'd2', name: 'Costs', source: 'costs.csv', roles: 3 }],
      },
    });
    const link = await screen.findByRole('link', { name: 'Orders' });
    expect(link).toHaveAttribute('href', `${home}/datasets/d1`);
    const row = link.closest('tr')!;
    expect(row).toHaveTextContent('Ordersorders.csv20');
    expect(row.nextElementSibling).toHaveTextContent('Costscosts.csv23');
    expect(screen.queryAllByRole('button', { name: 'Upload a file' })).toHaveLength(count);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('workspaces', () => {
  const workspace = { id: 'w1', name: 'Retail', reports: 0, contributors: [] };
  const nobody = { items: [], totalCount: 0, totalPages: 0 };

  it('a workspace is a section of the page, and deleted only without reports', async () => {
    const { sent } = await openAdmin('/workspaces', {
      listWorkspaces: {
        workspaces: [workspace, { ...workspace, id: 'w2', name: 'Full', reports: 2 }],
      },
      listUsers: nobody,
      deleteWorkspace: {},
    });
    expect(await screen.findByRole('heading', { level: 2, name: 'Retail' })).toBeVisible();
    expect(screen.getByText('2 reports')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Delete Full' })).toBeNull();
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    press('Delete Retail');
    expect(await screen.findByText('The workspace Retail is deleted.')).toBeVisible();
    expect(sent('deleteWorkspace')).toEqual([{ workspaceId: 'w1' }]);
    expect(sent('listUsers')[0]).toEqual({ role: '4' });
  });

  it('a contributor of a workspace is listed with the e-mail, and removed', async () => {
    const will = { id: 'u1', name: 'Will', email: 'will@acme.example', isActive: true };
    const { sent } = await openAdmin('/workspaces', {
      listWorkspaces: { workspaces: [{ ...workspace, contributors: [will] }] },
      listUsers: nobody,
      changeContributor: refuse(404, 'not_found', 'There is no such user.'),
    });
    const table = await screen.findByRole('table', { name: 'Contributors of Retail' });
    expect(table).toHaveTextContent('Willwill@acme.exampleRemove');
    press('Remove Will');
    expect(await screen.findByText('There is no such user.')).toBeVisible();
    expect(sent('changeContributor')).toEqual([
      { workspaceId: 'w1', userId: 'u1', isLinked: false },
    ]);
  });
});
