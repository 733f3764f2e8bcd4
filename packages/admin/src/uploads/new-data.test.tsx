import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';

import type { NewData } from '../requests/data-files.ts';
import type { AdminDataset, DataFiles } from '../requests/datasets.ts';
import { administrator, openAdmin, refuse, type Answers } from '../test/open-admin.tsx';

const dataset: AdminDataset = {
  id: 'd1',
  name: 'Orders',
  description: null,
  source: 'orders.csv',
  product: null,
  file: 'datasets/orders.yaml',
  rowAccess: 'everyone',
  version: 3,
  savedBy: null,
  savedFrom: null,
  savedAt: null,
  isEdited: false,
  fields: [],
  metrics: [],
  reports: [],
  roles: [],
  questions: [],
  dataFiles: { names: ['orders.csv'], isPattern: false },
  workspaces: [],
};

const change: NewData['datasets'][number] = {
  id: 'd1',
  slug: 'orders',
  name: 'Orders',
  change: 'update',
  rows: { before: 4, after: 1_005 },
  columns: {
    added: [{ name: 'Discount', type: 'number' }],
    removed: [{ name: 'Note', type: 'text' }],
    changed: [{ name: 'Sales', before: 'integer', after: 'number' }],
  },
  totals: [{ name: 'Sales', before: '70', after: '75.1234' }],
  time: { field: 'Ordered', before: { from: '2024-01-03', to: '2024-03-01' }, after: null },
};

const compared: NewData = {
  uploadId: 'u1',
  version: 3,
  file: 'orders.csv',
  datasets: [change],
  hints: [],
  mistakes: [],
  doubts: [],
  questions: [],
};

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

async function openDialog(
  title: 'Replace file' | 'Append file',
  answers: Answers,
  dataFiles: DataFiles = dataset.dataFiles!,
) {
  const page = await openAdmin('/datasets/d1', {
    readDataset: { ...dataset, dataFiles },
    readSample: { columns: ['Region'], rows: [['West']], rowCount: 1, dataAsOf: null },
    removeUpload: {},
    ...answers,
  });
  fireEvent.click(await screen.findByRole('button', { name: title }));
  const dialog = await screen.findByRole('dialog', { name: title });
  const choose = (name: string) =>
    fireEvent.change(dialog.querySelector('input[type=file]')!, {
      target: { files: [new File(['Region,Sales'], name)] },
    });
  const confirm = () => within(dialog).getByRole('button', { name: title });
  return { ...page, dialog: within(dialog), choose, confirm };
}

it('what changes is shown before a file is replaced', async () => {
  const { sent, dialog, choose, confirm } = await openDialog('Replace file', {
    uploadNewData: compared,
    changeData: { file: 'orders.csv', datasets: [change], hints: [] },
  });
  expect(confirm()).toBeDisabled();
  choose('new.csv');
  const part = within(await dialog.findByRole('region', { name: 'What changes in Orders' }));
  expect(part.getAllByRole('listitem').map((each) => each.textContent)).toEqual([
    'New column Discount (number)',
    'Note is gone',
    'Sales was integer and is number',
  ]);
  expect(part.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'BeforeAfter',
    'Rows41,005',
    'Total of Sales7075.1234',
    'First OrderedJan 3, 2024–',
    'Last OrderedMar 1, 2024–',
  ]);
  expect(sent('changeData')).toEqual([]);
  fireEvent.click(confirm());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await screen.findByText('Orders has the new data.')).toBeVisible();
  const request = { datasetId: 'd1', mode: 'replace', target: 'orders.csv' };
  expect(sent('uploadNewData')).toEqual([{ ...request, fileName: 'new.csv' }]);
  expect(sent('changeData')).toEqual([
    { ...request, uploadId: 'u1', version: 3, isConfirmed: false },
  ]);
  expect(sent('removeUpload')).toEqual([]);
});

it('data that do not fit are refused with each place, and the file is removed', async () => {
  const { sent, dialog, choose, confirm } = await openDialog('Replace file', {
    uploadNewData: {
      ...compared,
      mistakes: [
        { file: 'datasets/orders.yaml', line: 9, column: 21, message: 'the file has no column' },
      ],
    },
  });
  choose('new.csv');
  expect(await dialog.findByRole('alert')).toHaveTextContent(
    /the file has no column *datasets\/orders.yaml:9:21/,
  );
  expect(confirm()).toBeDisabled();
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(sent('removeUpload')).toEqual([{ uploadId: 'u1' }]));
});

it('the same file again is appended only after a confirmation', async () => {
  const { sent, dialog, choose, confirm } = await openDialog('Append file', {
    uploadNewData: { ...compared, doubts: [{ reason: 'same_file', message: 'It counts twice.' }] },
    changeData: { file: 'orders/new.csv', datasets: [change], hints: [] },
  });
  expect(dialog.getByText(/^This dataset reads one file, orders.csv/)).toBeVisible();
  choose('new.csv');
  expect(await dialog.findByText('It counts twice.')).toBeVisible();
  expect(confirm()).toBeDisabled();
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Continue anyway' }));
  fireEvent.click(confirm());
  await waitFor(() => expect(sent('changeData')).toMatchObject([{ isConfirmed: true }]));
});

it('of several files, the one of the same name is replaced, or one is chosen', async () => {
  const files = { names: ['sales/jan.csv', 'sales/feb.csv'], isPattern: true };
  const page = await openDialog(
    'Replace file',
    { uploadNewData: compared, compareNewData: { ...compared, datasets: [] } },
    files,
  );
  const { sent, dialog, choose } = page;
  choose('other.csv');
  expect(sent('uploadNewData')).toEqual([]);
  const field = dialog.getByLabelText(/^File to replace/);
  fireEvent.change(field, { target: { value: 'sales/jan.csv' } });
  await dialog.findByRole('region', { name: 'What changes in Orders' });
  choose('feb.csv');
  await waitFor(() => expect(field).toHaveValue('sales/feb.csv'));
  await waitFor(() =>
    expect(sent('uploadNewData').map(({ target }) => target)).toEqual([
      'sales/jan.csv',
      'sales/feb.csv',
    ]),
  );
  await dialog.findByRole('region', { name: 'What changes in Orders' });
  fireEvent.change(field, { target: { value: 'sales/jan.csv' } });
  await waitFor(() =>
    expect(sent('compareNewData')).toMatchObject([{ uploadId: 'u1', target: 'sales/jan.csv' }]),
  );
});

it('a question about the new file is answered before it is compared again', async () => {
  const columns = [{ name: 'Sales', values: [{ text: '1.234', read: '1234' }], total: '1234' }];
  const { sent, dialog, choose, confirm } = await openDialog('Replace file', {
    uploadNewData: {
      ...compared,
      questions: [
        {
          about: 'numbers',
          interpretations: [
            { options: { decimal: '.' }, columns },
            { options: { decimal: ',' }, columns },
          ],
        },
      ],
    },
    compareNewData: compared,
    changeData: refuse(409, 'stale_version', 'Somebody else has changed it.'),
  });
  choose('new.csv');
  const [, comma] = await dialog.findAllByRole('radio');
  fireEvent.click(comma!);
  press('Continue');
  await waitFor(() => expect(confirm()).toBeEnabled());
  fireEvent.click(confirm());
  expect(await dialog.findByRole('alert')).toBeVisible();
  expect(sent('compareNewData')).toMatchObject([{ csv: { decimal: ',' } }]);
  expect(sent('changeData')).toMatchObject([{ csv: { decimal: ',' }, version: 3 }]);
});

it('only administrators bring new data, and only to files', async () => {
  await openAdmin('/datasets/d1', {
    readIdentity: { ...administrator, role: 2 },
    readRights: { canCreate: true, canEdit: true, canOverwrite: true, isLimited: false },
    readDataset: { ...dataset, dataFiles: null, roles: null, workspaces: null },
    readSample: { columns: ['Region'], rows: [['West']], rowCount: 1, dataAsOf: null },
  });
  await screen.findByText('New report');
  for (const name of ['Replace file', 'Append file'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});
