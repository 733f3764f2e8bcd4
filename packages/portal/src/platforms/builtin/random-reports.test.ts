import path from 'node:path';

import fc from 'fast-check';
import { chooseRepetitions } from 'testing/repetitions';
import { readSeed } from 'testing/seed';
import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  filterLists,
  isVisible,
  managers,
  passes,
  roles,
  unappliedKeys,
  viewer,
} from '../../../test/random-reports/conditions.ts';
import { fields, metrics } from '../../../test/random-reports/fields.ts';
import { createRows, timeZones, writeRows, type Row } from '../../../test/random-reports/rows.ts';
import { isSame, tile } from '../../../test/random-reports/tiles.ts';
import { ContentStage } from '../../../test/support/content.ts';

const seed = readSeed();
const runs = chooseRepetitions(500, 10_000);
const stage = new ContentStage();
let rows: Row[];

beforeAll(async () => {
  rows = createRows(300, seed);
  await writeRows(rows, path.join(stage.folder, 'acme', 'orders.parquet'));
  const lines = managers.map((manager) => Object.values(manager).map(writeCsv).join(','));
  stage.write('managers.csv', `email,team,region,n\n${lines.join('\n')}\n`);
});
afterAll(() => stage.close());

const writeCsv = (value: string | bigint | null) =>
  value === null ? '' : JSON.stringify(String(value));

const lookUpSource = { name: 'managers', file: '', files: ['managers.csv'], definition: null };

const dataset = (timeZone: string) => ({
  timeZone,
  source: { file: 'orders.parquet' },
  fields: fields.flatMap(({ name, expression }) => (expression ? [{ name, expression }] : [])),
  metrics: metrics.map(({ name, expression }) => ({ name, expression })),
});

const scenario = fc.record({
  timeZone: fc.constantFrom(...timeZones),
  roles,
  viewer,
  filters: filterLists,
  tiles: fc.array(tile, { minLength: 1, maxLength: 3 }),
});

it(`${runs} random reports show the same as a plain computation`, async () => {
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ timeZone, tiles, ...given }) => {
      const computed = await stage.compute(
        dataset(timeZone),
        tiles.map(({ written }) => written) as never,
        {
          visibleRows: given.roles.map((role) => role.written),
          viewer: given.viewer,
          filters: given.filters.map((list) => list.flatMap(({ written }) => written)),
          findDataset: async (slug) => (slug === 'managers' ? lookUpSource : undefined),
          onTileFailure: (error) => {
            throw error;
          },
        },
      );
      const scope = { viewer: given.viewer, timeZone };
      const visible = rows.filter(
        (row) => isVisible(given.roles, row, scope) && passes(given.filters, row, scope),
      );
      expect(computed.rowCount).toBe(visible.length);
      expect(computed.unappliedFilters).toEqual(unappliedKeys(given.filters));
      const actual = computed.page.rows.flat();
      for (const [index, { show }] of tiles.entries()) {
        const expected = show(visible, timeZone);
        if (!isSame(actual[index], expected))
          throw new Error(`${JSON.stringify(actual[index])} is not ${JSON.stringify(expected)}`);
      }
      shown += visible.length;
    }),
    { numRuns: runs, seed },
  );
  // Most readers see some rows.
  expect(shown).toBeGreaterThan(runs * 20);
}, 3_600_000);
