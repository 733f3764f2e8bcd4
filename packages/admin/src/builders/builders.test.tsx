import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import type { AdminDataset } from '../requests/datasets.ts';
import { openAdmin, refuse, type Answers } from '../test/open-admin.tsx';
// The page loads the forms on demand, which must not count toward the time of the first test.
import './MetricsTab.tsx';
import './RolesTab.tsx';

const dataset: AdminDataset = {
  id: 'd1',
  name: 'Orders',
  source: 'orders.csv',
  product: null,
  description: null,
  file: 'datasets/orders.yaml',
  rowAccess: 'by-role',
  version: 3,
  savedBy: null,
  savedFrom: null,
  savedAt: null,
  isEdited: false,
  fields: [
    { name: 'Region', type: 'text', expression: null, currency: null },
    { name: 'Sales', type: 'decimal', expression: null, currency: null },
  ],
  metrics: [],
  reports: [],
  roles: [
    {
      id: 'o1',
      name: 'West',
      users: 3,
      groups: 1,
      firstHolders: ['West team', 'Ada', 'Bob'],
      roundedField: null,
    },
  ],
  questions: [],
  dataFiles: null,
  workspaces: [],
};
const text = `name: Orders
source: { file: orders.csv }
metrics:
  - name: Sales # net
    expression: sum(Sales)
roles:
  - name: West
    rows: { field: Region, in: [West] }
  - name: Nested
    rows: { not: { field: Region, in: [West] } }
`;
const names = {
  fields: ['Region', 'Sales'],
  metrics: ['Sales'],
  datasets: ['areas', 'orders'],
  types: [],
  hasTime: false,
};
const integer = { style: 'decimal', notation: 'standard', maximumFractionDigits: 0 } as const;

async function openTab(tab: string, answers: Answers = {}) {
  const page = await openAdmin('/datasets/d1', {
    readDataset: dataset,
    readSample: { columns: [], rows: [], rowCount: 0, dataAsOf: null },
    findUnreadableTexts: { texts: [] },
    readDefinition: { text, version: 3, names },
    listDefinitionVersions: { versions: [] },
    findHolders: {
      holders: [{ kind: 'user', id: 'u1', name: 'West', email: 'west@acme.example' }],
    },
    tryMetrics: ({ metrics }) => ({
      mistakes: [],
      metrics: metrics.map((name) => ({ name, value: 70, format: integer, failure: null })),
    }),
    tryRole: ({ userIds }) => ({
      mistakes: [],
      rowCount: 4,
      readers: userIds.map((id) => ({ id, name: 'West', holdsRole: true, roleRows: 2, rows: 3 })),
    }),
    ...answers,
  });
  fireEvent.click(await screen.findByRole('tab', { name: tab }));
  return page;
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const change = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

describe('the form of a metric', () => {
  it('saves what it shows as a new version of the text, and keeps comments', async () => {
    const { sent } = await openTab('Metrics', { saveDefinition: { version: 4 } });
    expect(await screen.findByRole('row', { name: /^Sales 70 sum\(Sales\)/ })).toBeVisible();
    press('Edit Sales');
    change('Function', 'avg');
    expect(screen.getByLabelText(/^Expression/)).toHaveValue('avg(Sales)');
    expect(screen.getByLabelText(/^Expression/).closest('[dir]')).toHaveAttribute('dir', 'ltr');
    await waitFor(() =>
      expect(sent('tryMetrics').at(-1)).toMatchObject({ metrics: ['Sales'], datasetId: 'd1' }),
    );
    press('Save');
    expect(
      await screen.findByText('Saved. Readers see the change when they open or refresh a report.'),
    ).toBeVisible();
    expect(sent('saveDefinition')).toEqual([
      {
        kind: 'datasets',
        itemId: 'd1',
        version: 3,
        text: text.replace('sum(Sales)', 'avg(Sales)'),
      },
    ]);
    expect(await screen.findByRole('button', { name: 'New metric' })).toBeVisible();
  });

  it.each([
    ['of the field', ['EUR', 'GBP'], 'EUR'],
    ['that the dataset has alone', [null, 'GBP'], 'GBP'],
    ['that needs to be chosen, in place of several', [null, 'EUR', 'GBP'], 'USD'],
  ])('offers the currency %s', async (_, currencies, expected) => {
    const fields = currencies.map((currency, index) => ({
      name: ['Sales', 'Cost', 'Fee'][index]!,
      type: 'decimal' as const,
      expression: null,
      currency,
    }));
    await openTab('Metrics', { readDataset: { ...dataset, fields } });
    await screen.findByRole('row', { name: /^Sales/ });
    press('Edit Sales');
    change('Format', 'currency');
    expect(screen.getByLabelText(/^Currency code/)).toHaveValue(expected);
  });

  it.each([
    [null, 'No value: no row has one, or the divisor is zero.'],
    ['overflow' as const, 'The value could not be computed.'],
  ])('says why there is no value: %j', async (failure, said) => {
    await openTab('Metrics', {
      tryMetrics: ({ metrics }) => ({
        mistakes: [],
        metrics: metrics.map((name) => ({ name, value: null, format: integer, failure })),
      }),
    });
    await screen.findByRole('row', { name: /^Sales/ });
    press('Edit Sales');
    const value = screen.getByRole('region', { name: 'Value today' });
    expect(await within(value).findByText('–')).toBeVisible();
    expect(await within(value).findByText(said)).toBeVisible();
    expect(within(value).queryAllByText(/^No value/)).toHaveLength(failure ? 0 : 1);
  });

  it('says why a save was refused, and keeps what was chosen', async () => {
    const errors = [{ path: 'reports/sales.yaml:3:5', message: 'Unknown metric.' }];
    await openTab('Metrics', {
      saveDefinition: Response.json(
        { code: 'invalid_content', detail: '', errors },
        { status: 400 },
      ),
    });
    await screen.findByRole('row', { name: /^Sales/ });
    press('Edit Sales');
    change(/^Name/, 'Revenue');
    press('Save');
    expect(await screen.findByText('reports/sales.yaml:3:5')).toBeVisible();
    expect(screen.getByLabelText(/^Name/)).toHaveValue('Revenue');
  });

  it('lets somebody else’s version be compared before it is overwritten', async () => {
    const { answers, sent } = await openTab('Metrics', {
      saveDefinition: refuse(409, 'stale_version'),
    });
    await screen.findByRole('row', { name: /^Sales/ });
    press('Edit Sales');
    change(/^Name/, 'Revenue');
    press('Save');
    expect(await screen.findByText('Somebody else has saved in the meantime')).toBeVisible();
    answers.readDefinition = { text: '# theirs\n', version: 4, names };
    answers.saveDefinition = { version: 5 };
    press('Keep my text');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep my text' })).toBeNull());
    press('Save');
    expect(
      await screen.findByText('Saved. Readers see the change when they open or refresh a report.'),
    ).toBeVisible();
    expect(sent('saveDefinition').map(({ version }) => version)).toEqual([3, 4]);
  });

  it('shows a mistake of the expression instead of a value', async () => {
    await openTab('Metrics', {
      tryMetrics: {
        mistakes: [{ line: 5, column: 3, message: 'Sales: unknown field "Sals".' }],
        metrics: [],
      },
    });
    await screen.findByRole('row', { name: /^Sales/ });
    press('Edit Sales');
    change(/^Expression/, 'sum(Sals) / 2');
    expect(await screen.findByText('Sales: unknown field "Sals".')).toBeVisible();
    expect(screen.queryByLabelText('Function')).toBeNull();
  });
});

describe('the form of a role', () => {
  it('counts the rows of chosen users, and sends no condition that is not complete', async () => {
    const { sent } = await openTab('Roles');
    fireEvent.click(await screen.findByRole('button', { name: 'New role' }));
    change(/^Name/, 'Own');
    expect(screen.getByText(/nothing is counted until then/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
    change('Field', 'Region');
    change('Comparison', 'viewer');
    expect(sent('tryRole')).toEqual([]);
    fireEvent.focus(screen.getByRole('combobox', { name: 'Try as a user' }));
    fireEvent.click(await screen.findByRole('option', { name: /^West/, hidden: true }));
    const table = within(await screen.findByRole('table', { name: 'Who would see what' }));
    expect(await table.findByRole('row', { name: /^West Has this role 2 3/ })).toBeVisible();
    expect(sent('tryRole').at(-1)).toMatchObject({ role: 'Own', userIds: ['u1'] });
    expect(String(sent('tryRole').at(-1)!['text'])).toContain(
      'rows: { field: Region, in: { viewer: email } }',
    );
    expect(sent('saveDefinition')).toEqual([]);
  });

  it('takes the letters of a search as a value only if no known value has them', async () => {
    const { sent } = await openTab('Roles', {
      findFieldValues: ({ search }) => ({
        values: search === 'Wes' ? [{ key: 'West', count: 7 }] : [],
        valueCount: search === 'Wes' ? 1 : 0,
      }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'New role' }));
    change('Field', 'Region');
    const values = screen.getByRole('combobox', { name: 'Values' });
    const user = userEvent.setup();
    await user.type(values, 'Wes');
    expect(await screen.findByRole('option', { name: /West/, hidden: true })).toBeInTheDocument();
    await user.tab();
    expect(values).toHaveValue('Wes');
    await user.clear(values);
    await user.type(values, 'Nowhere');
    await waitFor(() =>
      expect(sent('findFieldValues').at(-1)).toMatchObject({ search: 'Nowhere' }),
    );
    await user.tab();
    expect(values).toHaveValue('');
    expect(screen.getByText('Nowhere')).toBeVisible();
  });

  it('shows nested conditions as text, and leaves them as they are', async () => {
    const { sent } = await openTab('Roles', { saveDefinition: { version: 4 } });
    fireEvent.click(await screen.findByRole('button', { name: 'Edit Nested' }));
    expect(screen.getByText(/^The conditions of this role are nested/)).toBeVisible();
    expect(screen.getByText('{ not: { field: Region, in: [West] } }')).toBeVisible();
    change(/^Name/, 'Others');
    press('Save');
    await waitFor(() =>
      expect(sent('saveDefinition')).toMatchObject([
        { text: text.replace('name: Nested', 'name: Others') },
      ]),
    );
  });

  it('that is the first says that the others lose their rows', async () => {
    await openTab('Roles', {
      readDataset: { ...dataset, rowAccess: 'everyone', roles: [] },
      readDefinition: { text: 'name: Orders\nrowAccess: everyone\n', version: 3, names },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'New role' }));
    expect(await screen.findByText(/^At the moment, everyone sees all rows/)).toBeVisible();
  });

  it('stays in its form while another tab is shown', async () => {
    await openTab('Roles');
    fireEvent.click(await screen.findByRole('button', { name: 'New role' }));
    change(/^Name/, 'East');
    fireEvent.click(screen.getByRole('tab', { name: 'Data' }));
    fireEvent.click(screen.getByRole('tab', { name: 'Roles' }));
    expect(screen.getByLabelText(/^Name/)).toHaveValue('East');
  });

  it('that is missing for all rows can be replaced by showing them to everyone', async () => {
    const { sent } = await openTab('Roles', {
      readDefinition: { text: text.slice(0, text.indexOf('roles:')), version: 3, names },
      saveDefinition: { version: 4 },
    });
    expect(await screen.findByText(/^No reader sees a row of this dataset/)).toBeVisible();
    press('Show all rows to everyone');
    const dialog = screen.getByRole('dialog');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Show all rows to everyone' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent('saveDefinition')).toMatchObject([
      { text: expect.stringMatching(/\nrowAccess: everyone\n$/) as unknown, version: 3 },
    ]);
  });

  it('is deleted only after a question that names its holders', async () => {
    const { sent } = await openTab('Roles', { saveDefinition: { version: 4 } });
    fireEvent.click(await screen.findByRole('button', { name: 'Delete West' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(sent('saveDefinition')).toEqual([]);
    expect(
      dialog.getByText('4 users and groups have it: West team, Ada, Bob, and 1 more.'),
    ).toBeVisible();
    fireEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(String(sent('saveDefinition')[0]!['text'])).not.toContain('name: West');
  });
});
