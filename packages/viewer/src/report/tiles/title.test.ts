import type { ChartTile, FailedTile } from '@portal-embed/report-model';
import { loadCatalogue } from 'page-kit/messages/load-catalogue';
import { expect, it } from 'vitest';

import { createFormats } from '../../format/create-formats.ts';
import { byCategory } from '../../test/samples.ts';
import { nameTile } from './title.ts';

const metric = (name: string) => ({ name, format: byCategory.metrics[0]!.format });
const tile: ChartTile = {
  ...byCategory,
  title: 'Amount · Order Cost · Order Date by month · Region',
  isTitleGenerated: true,
  metrics: [metric('Amount'), metric('Order Cost')],
  dimensions: [
    { role: 'x', dimension: { name: 'Order Date by month', kind: 'time', grain: 'month' } },
    { role: 'color', dimension: { name: 'Region', kind: 'category' } },
  ],
};

it.each([
  ['en', 'Amount and order cost by month and region'],
  ['pt', 'Amount e order cost por mês e region'],
  ['es', 'Amount y order cost por mes y region'],
  ['de', 'Amount und Order Cost nach Monat und Region'],
])('in %s, a tile without a title of its author is named "%s"', async (language, title) => {
  const formats = createFormats(language, await loadCatalogue(language), [language]);
  expect(nameTile(tile, formats).title).toBe(title);
});

it.each([
  ['net USD', 'Order ID', 'Net USD by Order ID'],
  ['Sales in Brazil', 'Sales in Brazil, Online', 'Sales in Brazil by sales in Brazil, Online'],
])('the name %s begins a title and %s continues it', async (first, other, title) => {
  const formats = createFormats('en', await loadCatalogue('en'), ['en']);
  const dimensions = [
    { role: 'x' as const, dimension: { name: other, kind: 'category' as const } },
  ];
  expect(nameTile({ ...tile, metrics: [metric(first)], dimensions }, formats).title).toBe(title);
});

it('titles of authors and of tiles that failed stay as they are', async () => {
  const formats = createFormats('en', await loadCatalogue('en'), ['en']);
  const failed: FailedTile = { ...tile, failure: { code: 'timeout' } };
  expect(nameTile(byCategory, formats).title).toBe(byCategory.title);
  expect(nameTile(failed, formats).title).toBe(tile.title);
});
