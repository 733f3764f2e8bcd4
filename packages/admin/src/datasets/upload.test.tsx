import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { UploadedFile } from '../requests/datasets.ts';
import { openAdmin, refuse, type Answers } from '../test/open-admin.tsx';

const uploaded: UploadedFile = {
  uploadId: 'f1',
  name: 'Orders',
  columns: [
    { name: 'Region', type: 'text' },
    { name: 'Sales', type: 'number' },
  ],
  sample: { columns: ['Region', 'Sales'], rows: [['West', 7]], rowCount: 1_234, dataAsOf: null },
  hints: ['Postal Code is a number. Declare it as text to keep its zeros.'],
  questions: [],
};

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

/** Opens the dialog for an upload and chooses a file. */
async function upload(answers: Answers = {}) {
  const page = await openAdmin('/datasets', {
    findDatasets: { datasets: [] },
    listWorkspaces: { workspaces: [{ id: 'w1', name: 'Leads', reports: 1, contributors: [] }] },
    uploadDataFile: uploaded,
    ...answers,
  });
  await screen.findByText('No datasets');
  fireEvent.click(screen.getAllByRole('button', { name: 'Upload a file' })[0]!);
  const dialog = await screen.findByRole('dialog', { name: 'Upload a file' });
  const choose = (...names: string[]) =>
    fireEvent.change(dialog.querySelector('input[type=file]')!, {
      target: { files: names.map((name) => new File(['Region,Sales'], name)) },
    });
  choose('orders.csv');
  return { ...page, choose };
}

const workspaceField = () => screen.getByRole('combobox', { name: /^Workspace/ });
const create = 'Create dataset and report';

it('an uploaded file is shown with its columns and hints, and becomes a dataset and a report, under another name if its name is taken', async () => {
  const { answers, sent, home } = await upload({
    importDataFile: refuse(409, 'conflict', 'Another dataset has this name.'),
  });
  expect(await screen.findByText('The file has 1,234 rows and 2 columns.')).toBeVisible();
  expect(screen.getByText('orders.csv')).toBeVisible();
  expect(screen.getByText(uploaded.hints[0]!)).toBeVisible();
  expect(screen.getByRole('table')).toHaveTextContent('RegiontextSalesnumberWest7');
  press(create);
  expect(await screen.findByText('Another dataset has this name.')).toBeVisible();
  answers.importDataFile = { datasetId: 'd1', reportId: 'r1' };
  fireEvent.change(screen.getByLabelText(/^Name/), { target: { value: 'Orders of 2026' } });
  fireEvent.change(workspaceField(), { target: { value: 'Leads' } });
  press(create);
  await waitFor(() => expect(location.pathname).toBe(`${home}/reports/r1/edit`));
  expect(sent('uploadDataFile')).toEqual([{ fileName: 'orders.csv' }]);
  expect(sent('importDataFile')).toEqual([
    { uploadId: 'f1', name: 'Orders', workspace: 'Reports' },
    { uploadId: 'f1', name: 'Orders of 2026', workspace: 'Leads' },
  ]);
});

it('a file without rows or hints can become a dataset, without a report', async () => {
  const { home } = await upload({
    uploadDataFile: {
      ...uploaded,
      sample: { ...uploaded.sample, rows: [], rowCount: 0 },
      hints: [],
    },
    importDataFile: { datasetId: 'd1', reportId: null },
  });
  expect(await screen.findByText(/^The file has 0 rows/)).toBeVisible();
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.queryByText(/^None of the rows are shown/)).toBeNull();
  expect(dialog.queryByRole('list')).toBeNull();
  expect(dialog.queryByLabelText('Reading the file')).toBeNull();
  press(create);
  await waitFor(() => expect(location.pathname).toBe(`${home}/datasets/d1`));
});

it('a refused file shows the reason and can be replaced or removed', async () => {
  const { answers, choose, sent } = await upload({
    uploadDataFile: refuse(400, 'invalid_request', 'Line 3 has two values too many.'),
  });
  expect(await screen.findByText('Line 3 has two values too many.')).toBeVisible();
  expect(screen.getByRole('button', { name: create })).toBeDisabled();
  // jsdom does not submit a form on Enter.
  fireEvent.submit(screen.getByRole('dialog').querySelector('form')!);
  answers.uploadDataFile = uploaded;
  choose('mended.csv');
  await waitFor(() => expect(screen.getByRole('button', { name: create })).toBeEnabled());
  expect(screen.queryByText('Line 3 has two values too many.')).toBeNull();
  choose();
  await waitFor(() => expect(screen.getByRole('button', { name: create })).toBeDisabled());
  expect(screen.queryByText('This did not work')).toBeNull();
  expect(sent('uploadDataFile')).toHaveLength(2);
  expect(sent('importDataFile')).toEqual([]);
  press('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('a workspace that exists is chosen, and another name is said to be new', async () => {
  await upload();
  await screen.findByText(/^The file has/);
  const isNew = 'No workspace has this name yet. It will be created.';
  expect(await screen.findByText(isNew)).toBeVisible();
  fireEvent.focus(workspaceField());
  fireEvent.click(await screen.findByRole('option', { name: 'Leads', hidden: true }));
  expect(workspaceField()).toHaveValue('Leads');
  expect(screen.queryByText(isNew)).toBeNull();
  fireEvent.change(workspaceField(), { target: { value: 'Elsewhere' } });
  expect(await screen.findByText(isNew)).toBeVisible();
});

describe('a file whose numbers have two readings', () => {
  const column = (numbers: string[], total: string) => ({
    name: 'Orders',
    values: numbers.map((number, index) => ({ text: ['1,234', '2,500'][index]!, read: number })),
    total,
  });
  const asked: UploadedFile = {
    ...uploaded,
    questions: [
      {
        about: 'numbers',
        interpretations: [
          { options: { thousands: ',' }, columns: [column(['1234', '2500'], '15734')] },
          { options: { decimal: ',' }, columns: [column(['1.234', '2.5'], '15.734')] },
        ],
      },
    ],
  };

  it('becomes a dataset after one of them is chosen', async () => {
    const { choose, sent, home } = await upload({
      uploadDataFile: asked,
      importDataFile: { datasetId: 'd1', reportId: null },
    });
    const group = await screen.findByRole('radiogroup', {
      name: /^How are the numbers of this file written/,
    });
    const [thousands, decimals] = within(group).getAllByRole('radio');
    expect(thousands).toHaveAccessibleName('The comma separates thousands');
    expect(thousands).toHaveAccessibleDescription(
      'Orders Read as 1,234 1,234 2,500 2,500 Total 15,734',
    );
    expect(decimals).toHaveAccessibleName('The comma separates decimals');
    expect(decimals).toHaveAccessibleDescription(
      'Orders Read as 1,234 1.234 2,500 2.5 Total 15.734',
    );
    for (const radio of [thousands, decimals]) expect(radio).not.toBeChecked();
    expect(screen.getByRole('button', { name: create })).toBeDisabled();
    fireEvent.submit(screen.getByRole('dialog').querySelector('form')!);
    expect(sent('importDataFile')).toEqual([]);
    fireEvent.click(decimals!);
    expect(screen.getByRole('button', { name: create })).toBeEnabled();
    choose('other.csv');
    await waitFor(() => expect(screen.getAllByRole('radio')[1]).not.toBeChecked());
    fireEvent.click(screen.getAllByRole('radio')[0]!);
    press(create);
    await waitFor(() => expect(location.pathname).toBe(`${home}/datasets/d1`));
    expect(sent('importDataFile')).toEqual([
      { uploadId: 'f1', name: 'Orders', workspace: 'Reports', csv: { thousands: ',' } },
    ]);
  });

  it('without such numbers there is no question', async () => {
    await upload();
    await screen.findByText(/^The file has/);
    expect(screen.queryByRole('radiogroup')).toBeNull();
  });
});
