import type { AdminDataset } from '#admin/requests';

import type { AdminPage } from './admin-pages.ts';
import {
  answers,
  opens,
  press,
  shows,
  steps,
  type AdminState,
  type StatePage,
} from './admin-steps.ts';
import { ordersCsv } from './orders.ts';

const twoReadings = 'Region\tOrders\tRevenue of the year\nWest\t1,234\t12,500\nEast\t2,500\t980\n';

/** Chooses a file in the dialog that is open. */
const choose =
  (label: string, name: string, content: string) =>
  async ({ page, text }: StatePage): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByLabel(text(label)).click();
    const buffer = Buffer.from(content);
    await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer });
  };

/** An answer that never comes. */
const hold = (pattern: string) => (page: AdminPage) => page.route(pattern, () => {});

/** Keeps its columns in the page, and gives one of them a long name. */
const nextCsv = `${ordersCsv.replace('Owner', 'Owner of the account in the region')}South,s@acme.example,Lamps,2024-04-05,12345.5\n`;

const readColumn = (number: string) => ({
  name: 'Stueck',
  values: [{ text: '12.500', read: number }],
  total: number,
});

/** As an earlier release has left it. */
const oldDataset: AdminDataset = {
  id: '3f24aa50-c03b-408e-b25d-6371c1772248',
  name: 'Umsatz',
  description: null,
  source: 'umsatz-2024.csv',
  product: null,
  file: 'datasets/umsatz.yaml',
  rowAccess: 'by-role',
  version: 1,
  savedBy: null,
  savedFrom: null,
  savedAt: null,
  isEdited: false,
  fields: [{ name: 'Stueck', type: 'number', expression: null, currency: null }],
  metrics: [],
  reports: [],
  roles: [
    {
      id: 'o1',
      name: 'West',
      users: 1,
      groups: 0,
      firstHolders: ['Ada'],
      roundedField: 'Weight in kg',
    },
  ],
  dataFiles: { names: ['orders.csv'], isPattern: false },
  workspaces: [],
  questions: [
    {
      file: 'umsatz-2024.csv',
      about: 'numbers',
      interpretations: [
        { options: { decimal: '.' }, columns: [readColumn('12.5')] },
        { options: { decimal: ',', thousands: '.' }, columns: [readColumn('12500')] },
      ],
    },
  ],
};

/** States of the pages of datasets that take a step to reach. */
export const datasetStates: Readonly<Record<string, AdminState>> = {
  'an uploaded file': {
    path: '/datasets',
    bring: steps(opens('datasets.upload'), async ({ page, text }) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByLabel(text('datasets.file')).click();
      const buffer = Buffer.from(ordersCsv);
      await (await chooser).setFiles({ name: 'Sales.csv', mimeType: 'text/csv', buffer });
      // A dataset has the same data.
      await page.getByText(text('existing.title')).waitFor();
    }),
  },
  'an uploaded file whose numbers have two readings': {
    path: '/datasets',
    bring: steps(opens('datasets.upload'), async ({ page, text }) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByLabel(text('datasets.file')).click();
      const buffer = Buffer.from(twoReadings);
      await (await chooser).setFiles({ name: 'Sales.tsv', mimeType: 'text/plain', buffer });
      await page.getByRole('radio', { name: text('readings.thousands_comma') }).check();
    }),
  },
  'how an uploaded file is read': {
    path: '/datasets',
    bring: steps(
      opens('datasets.upload'),
      choose('datasets.file', 'Sales.csv', ordersCsv.replaceAll(',', ';')),
      shows('reading.title'),
      press('reading.change'),
      async ({ page, text }) => page.getByRole('button', { name: text('reading.again') }).waitFor(),
    ),
  },
  'a file that is being read': {
    path: '/datasets',
    prepare: hold('**/uploads?*'),
    bring: steps(
      opens('datasets.upload'),
      choose('datasets.file', 'Sales.csv', ordersCsv),
      shows('progress.stop'),
    ),
  },
  'a file that replaces the data of a dataset': {
    path: (stage) => `/datasets/${stage.datasetId}`,
    bring: steps(
      opens('new_data.replace'),
      choose('new_data.file', 'Sales.csv', nextCsv),
      shows('new_data.changes', { name: 'Orders' }),
    ),
  },
  'a file that does not fit its dataset': {
    path: (stage) => `/datasets/${stage.datasetId}`,
    bring: steps(
      opens('new_data.replace'),
      choose('new_data.file', 'Sales.csv', ordersCsv.replace('Sales', 'Amount')),
      shows('new_data.refused'),
    ),
  },
  'a file that a dataset has already': {
    path: (stage) => `/datasets/${stage.datasetId}`,
    bring: steps(
      opens('new_data.append'),
      choose('new_data.file', 'Sales.csv', ordersCsv),
      shows('new_data.doubt'),
    ),
  },
  'a dataset with warnings': {
    path: (stage) => `/datasets/${stage.datasetId}`,
    prepare: answers('**/admin/api/organizations/*/datasets/*', 200, oldDataset),
    bring: shows('datasets.rounded.title'),
  },
  'an uploaded file that cannot be read': {
    path: '/datasets',
    bring: steps(opens('datasets.upload'), async ({ page, text }) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByLabel(text('datasets.file')).click();
      const buffer = Buffer.from('PAR1 and then nothing');
      await (
        await chooser
      ).setFiles({ name: 'Sales.parquet', mimeType: 'application/octet-stream', buffer });
      await page.getByRole('alert').waitFor();
    }),
  },
};
