import { expect, it } from 'vitest';

import { flights, sales } from '../test/samples.ts';
import { findReports } from './find-reports.ts';

const costs = { ...flights, id: 'c', name: 'Coûts de Zürich', description: 'Par mois' };

it.each([
  ['', [sales, flights, costs]],
  ['  ', [sales, flights, costs]],
  ['SUPER', [sales]],
  ['retailer order', [sales]],
  ['aviation', [flights, costs]],
  ['aviation couts', [costs]],
  ['zurich', [costs]],
  ['nothing', []],
])('the query %j finds reports by each of its words', (query, found) => {
  expect(findReports([sales, flights, costs], query)).toEqual(found);
});
