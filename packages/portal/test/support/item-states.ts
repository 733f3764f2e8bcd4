import type { AdminStage } from './admin-stage.ts';
import { answers, opens, shows, steps, type AdminState, type StatePage } from './admin-steps.ts';

const selectAll = async ({ page, text }: StatePage): Promise<void> =>
  page.getByRole('checkbox', { name: text('items.select_all') }).check();

const select =
  (name: string) =>
  async ({ page, text }: StatePage): Promise<void> =>
    page
      .getByRole('checkbox', { name: text('items.select', { name }) })
      .first()
      .check();

const done = [
  { kind: 'report', id: '3f24aa50-c03b-408e-b25d-6371c1772248', name: 'Sales by region' },
];
const failed = [
  {
    kind: 'dataset',
    id: '3f24aa50-c03b-408e-b25d-6371c1772249',
    detail:
      'The dataset "Orders" is used by "Order overview". Archive these reports first, or together with it.',
  },
];

/** States of the lists in which reports and datasets are selected, and of the archive. */
export const itemStates: Readonly<Record<string, AdminState>> = {
  'selected reports': { path: '/reports', bring: selectAll },
  'the new names of reports': { path: '/reports', bring: steps(selectAll, opens('items.rename')) },
  'the workspace of moved reports': {
    path: '/reports',
    bring: steps(selectAll, opens('items.move')),
  },
  'the archiving of reports': { path: '/reports', bring: steps(selectAll, opens('items.archive')) },
  'archived reports, and what failed': {
    path: '/reports',
    prepare: answers('**/items/archive', 200, { done, failed }),
    bring: steps(selectAll, opens('items.archive'), async ({ page, text }) => {
      await page
        .getByRole('dialog')
        .getByRole('button', { name: text('items.archive') })
        .click();
      await page.getByRole('alert').waitFor();
    }),
  },
  'the archiving of a dataset with its reports': {
    path: '/datasets',
    bring: steps(select('Orders'), opens('items.archive'), async ({ page, text }) =>
      page.getByRole('button', { name: text('items.archive.all') }).waitFor(),
    ),
  },
  'an archive without items': {
    who: 'operator',
    path: (stage: AdminStage) => `/admin/organizations/${stage.emptyId}/archive`,
    bring: shows('archive.empty'),
  },
  'the deletion of an archived item': {
    path: '/archive',
    bring: steps(select('Orders of the last year'), opens('items.delete'), async ({ page, text }) =>
      page.getByText(text('items.delete.links', { users: '0', groups: '0' })).waitFor(),
    ),
  },
  'the deletion of all archived items': {
    path: '/archive',
    bring: steps(selectAll, opens('items.delete'), async ({ page, text }) =>
      page.getByText(text('items.delete.links', { users: '0', groups: '0' })).waitFor(),
    ),
  },
};
