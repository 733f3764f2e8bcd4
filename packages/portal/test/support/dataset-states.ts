import type { AdminDataset } from '#admin/requests';

import { answers, opens, shows, steps, type AdminState } from './admin-steps.ts';
import { ordersCsv } from './orders.ts';

const twoReadings = 'Region\tOrders\tRevenue of the year\nWest\t1,234\t12,500\nEast\t2,500\t980\n';

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
  fields: [{ name: 'Stueck', type: 'number', expression: null }],
  metrics: [],
  reports: [],
  roles: [{ id: 'o1', name: 'West', users: 1, groups: 0, roundedField: 'Weight in kg' }],
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
      await page.getByText(text('datasets.read', { rows: '4', columns: '5' })).waitFor();
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
