import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';

import { createSampleApi, openViewer } from '../../../test/open-viewer.tsx';
import { reportSession, salesView } from '../../../test/samples.ts';
import { emptyView } from '../../filters/empty-view.ts';

const region = { field: 'Region', type: 'text' as const, values: ['West'] };
const month = {
  field: 'Ordered',
  type: 'date' as const,
  values: ['3'],
  grain: 'month of year' as const,
};
const filters = [
  { ...region, values: ['East'] },
  { ...region, tile: '0.0.0' },
  { ...month, tile: '0.0.0' },
  { ...region, values: [''], tile: '0.0.1' },
];

it('the selected marks of each tile are one filter, and one click clears all marks of a tile', async () => {
  const api = createSampleApi();
  api.viewReport.mockImplementation(async (_, { view }) => ({
    ...salesView,
    filterFields: [{ name: 'Region', type: 'text' }],
    readerFilters: view ? filters : [],
  }));
  const { viewer, start } = openViewer(reportSession, api);
  await start();
  await act(async () => viewer.changeView({ ...emptyView, filters }));
  const bar = within(screen.getByRole('list', { name: 'Filters' }));
  const texts = () => bar.getAllByRole('button').map((button) => button.textContent);
  const [own, other] = ['Region: West and Ordered: Mar', 'Region: (empty)'];
  expect(texts()).toEqual(['Region: East', own, other, 'Reset']);
  api.viewReport.mockReturnValue(new Promise(() => {}));
  await userEvent.click(bar.getByRole('button', { name: `Clear ${own}` }));
  expect(texts()).toEqual(['Region: East', other, 'Reset']);
  expect(bar.getByRole('button', { name: 'Region: East' })).toHaveFocus();
  expect(api.viewReport.mock.lastCall![1].view!.filters).toEqual([filters[0], filters[3]]);
});
