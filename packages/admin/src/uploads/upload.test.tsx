import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { UploadedFile } from '../requests/data-files.ts';
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
  reading: { csv: { delimiter: ';', decimal: ',', header: true } },
  questions: [],
  existing: [],
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
      reading: {},
    },
    importDataFile: { datasetId: 'd1', reportId: null },
  });
  expect(await screen.findByText(/^The file has 0 rows/)).toBeVisible();
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.queryByText(/^You see no rows/)).toBeNull();
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

describe('a file with several interpretations', () => {
  const column = (numbers: string[], total: string) => ({
    name: 'Orders',
    values: numbers.map((read, index) => ({ text: ['1,234', '2,500'][index]!, read })),
    total,
  });
  const numbers: UploadedFile['questions'][number] = {
    about: 'numbers',
    interpretations: [
      { options: { thousands: ',' }, columns: [column(['1234', '2500'], '15734')] },
      { options: { decimal: ',' }, columns: [column(['1.234', '2.5'], '15.734')] },
    ],
  };
  const day = (read: string) => [{ name: 'Ordered', values: [{ text: '03/04/2024', read }] }];
  const dates: UploadedFile['questions'][number] = {
    about: 'dates',
    interpretations: [
      { options: { date: '%d/%m/%Y' }, columns: day('2024-04-03') },
      { options: { date: '%m/%d/%Y' }, columns: day('2024-03-04') },
    ],
  };
  const currency: UploadedFile['questions'][number] = {
    about: 'currency',
    interpretations: ['USD', 'AUD'].map((code) => ({
      options: {},
      fields: { Price: { format: { style: 'currency', currency: code } as never } },
      columns: [],
    })),
  };

  it('becomes a dataset after all questions of each round are answered', async () => {
    const { answers, sent, home } = await upload({
      uploadDataFile: { ...uploaded, questions: [numbers, dates] },
      describeUpload: { ...uploaded, questions: [currency] },
      importDataFile: { datasetId: 'd1', reportId: null },
    });
    const group = await screen.findByRole('radiogroup', {
      name: /^How are the numbers of this file written/,
    });
    const [thousands, decimals] = within(group).getAllByRole('radio');
    expect(thousands).toHaveAccessibleName('Thousands separator: comma');
    expect(thousands).toHaveAccessibleDescription(
      'Orders Read as 1,234 1,234 2,500 2,500 Total 15,734',
    );
    expect(decimals).toHaveAccessibleName('Decimal separator: comma');
    expect(decimals).toHaveAccessibleDescription(
      'Orders Read as 1,234 1.234 2,500 2.5 Total 15.734',
    );
    const days = within(
      screen.getByRole('radiogroup', { name: /^How are the dates of this file written/ }),
    ).getAllByRole('radio');
    expect(days.map((each) => each.getAttribute('aria-describedby'))).not.toContain(null);
    expect(days[0]).toHaveAccessibleDescription('Ordered Read as 03/04/2024 Apr 3, 2024');
    for (const radio of screen.getAllByRole('radio')) expect(radio).not.toBeChecked();
    expect(screen.queryByRole('button', { name: create })).toBeNull();
    fireEvent.click(decimals!);
    expect(screen.getByRole('button', { name: 'Continue' })).toBeDisabled();
    fireEvent.submit(screen.getByRole('dialog').querySelector('form')!);
    expect(sent('describeUpload')).toEqual([]);
    fireEvent.click(days[1]!);
    press('Continue');
    const [usd] = within(
      await screen.findByRole('radiogroup', { name: /^Which currency is this/ }),
    ).getAllByRole('radio');
    expect(usd).toHaveAccessibleName('Price is in USD');
    expect(usd).not.toBeChecked();
    answers.describeUpload = uploaded;
    fireEvent.click(usd!);
    press('Continue');
    await screen.findByRole('button', { name: create });
    press(create);
    await waitFor(() => expect(location.pathname).toBe(`${home}/datasets/d1`));
    const csv = { decimal: ',', date: '%m/%d/%Y' };
    const fields = { Price: { format: { style: 'currency', currency: 'USD' } } };
    expect(sent('describeUpload')).toEqual([
      { uploadId: 'f1', csv },
      { uploadId: 'f1', csv, fields },
    ]);
    expect(sent('importDataFile')).toEqual([
      { uploadId: 'f1', name: 'Orders', workspace: 'Reports', csv, fields },
    ]);
  });

  it('without them there is no question', async () => {
    await upload();
    await screen.findByText(/^The file has/);
    expect(screen.queryByRole('radiogroup')).toBeNull();
  });
});

it('how a file is read is said in words, and can be changed', async () => {
  const { sent } = await upload({
    describeUpload: {
      ...uploaded,
      reading: { csv: { delimiter: '\t', skip: 2, yearsFrom: 1950 } },
    },
  });
  const part = within(await screen.findByRole('region', { name: 'How this file is read' }));
  expect(part.getAllByRole('listitem').map((each) => each.textContent)).toEqual([
    'Delimiter: semicolon',
    'Decimal separator: comma',
  ]);
  const change = part.getByRole('button', { name: 'Change' });
  expect(change).toHaveAttribute('aria-expanded', 'false');
  fireEvent.click(change);
  expect(change).toHaveAttribute('aria-expanded', 'true');
  fireEvent.change(part.getByLabelText('Delimiter'), { target: { value: '\t' } });
  fireEvent.change(part.getByLabelText('Lines above the column names'), { target: { value: '2' } });
  fireEvent.change(part.getByLabelText('Texts for a missing value, one per line'), {
    target: { value: 'n/a\n\n-' },
  });
  fireEvent.click(part.getByRole('button', { name: 'Read the file again' }));
  expect(await screen.findByText('The first 2 lines are left out')).toBeVisible();
  expect(screen.getByText('Delimiter: tab')).toBeVisible();
  expect(screen.getByText('Two-digit years are read as 1950 to 2049')).toBeVisible();
  expect(sent('describeUpload')).toEqual([
    { uploadId: 'f1', csv: { delimiter: '\t', skip: 2, nulls: ['n/a', '-'] } },
  ]);
});

it('a dialog that is closed removes the file that was sent', async () => {
  const { sent } = await upload({ removeUpload: {} });
  await screen.findByText(/^The file has/);
  press('Cancel');
  await waitFor(() => expect(sent('removeUpload')).toEqual([{ uploadId: 'f1' }]));
});

it('formats of dates and encodings are shown as examples and names, without placeholders', async () => {
  await upload({
    uploadDataFile: {
      ...uploaded,
      reading: {
        csv: { date: '%d.%m.%y', encoding: 'utf-8-or-windows-1252' },
        fields: { Ordered: { date: '%-d %b %Y %I:%M %p' } },
      },
    },
  });
  const part = within(await screen.findByRole('region', { name: 'How this file is read' }));
  expect(part.getAllByRole('listitem').map((each) => each.textContent)).toEqual([
    'Dates are written like 31.12.24',
    'Some lines are UTF-8, the others windows-1252',
    'Dates of Ordered are written like 31 Dec 2024 11:59 PM',
  ]);
  fireEvent.click(part.getByRole('button', { name: 'Change' }));
  expect(within(part.getByLabelText('Dates')).getByText('31.12.2024')).toBeInTheDocument();
});

it('a file that is asked about shows no hints, and rows that are left out as no value', async () => {
  const footer = (read: string) => [
    { name: 'Sales', values: [{ text: '450,5', read }], total: '450.5' },
  ];
  await upload({
    uploadDataFile: {
      ...uploaded,
      sample: { ...uploaded.sample, rowCount: 1 },
      questions: [
        {
          about: 'footer',
          interpretations: [
            { options: { skipFooter: 1 }, columns: footer('') },
            { options: { skipFooter: 0 }, columns: footer('450.5') },
          ],
        },
      ],
    },
  });
  const left = await screen.findByRole('radio', { name: 'The last row is left out' });
  expect(left).toHaveAccessibleDescription('Sales Read as 450,5 – Total 450.5');
  expect(screen.getByRole('radio', { name: 'All rows are data' })).toBeVisible();
  expect(screen.getByText('The file has 1 row and 2 columns.')).toBeVisible();
  expect(screen.queryByText(uploaded.hints[0]!)).toBeNull();
});

it('progress is shown until the file is read, and stops with it', async () => {
  const lines = [{ progress: { phase: 'read', percent: 42 } }];
  let end = () => {};
  await upload({
    uploadDataFile: () =>
      new Promise((resolve) => {
        end = () =>
          resolve(
            new Response(
              [...lines, { answer: uploaded }].map((line) => `${JSON.stringify(line)}\n`).join(''),
              { headers: { 'Content-Type': 'application/x-ndjson' } },
            ),
          );
      }),
  });
  const bar = await screen.findByRole('progressbar', { name: 'Reading the file' });
  expect(bar).toBeVisible();
  expect(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
  end();
  expect(await screen.findByText(/^The file has/)).toBeVisible();
  expect(screen.queryByRole('progressbar')).toBeNull();
});

it('a stopped upload says that nothing has changed, until another file is chosen', async () => {
  await upload({ uploadDataFile: () => new Promise(() => {}) });
  fireEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  expect(await screen.findByText('Stopped. Nothing has changed.')).toBeVisible();
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.getByRole('button', { name: create })).toBeDisabled();
});
