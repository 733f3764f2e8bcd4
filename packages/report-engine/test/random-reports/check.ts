import type { datasetSchema, FieldType } from '@portal-embed/report-model';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { z } from 'zod';

import type { StoredDataset } from '#platform';

import type { ContentStage } from '../support/content.ts';
import { filterLists, isVisible, passes, roles, unappliedKeys, viewer } from './conditions.ts';
import { fields, metrics } from './fields.ts';
import { timeZones, type Row } from './rows.ts';
import { isSame, tile } from './tiles.ts';

type Source = z.input<typeof datasetSchema>['source'];

export interface RandomReports {
  stage: ContentStage;
  /** What the engine has. */
  rows: readonly Row[];
  source: Source;
  /** Columns whose type the dataset declares. Default: none. */
  declared?: { name: string; type: FieldType }[];
  /** The dataset in which roles look up values. */
  managers: StoredDataset;
  runs: number;
  seed: number;
}

export const createDataset = (
  source: Source,
  declared: { name: string; type: FieldType }[],
  timeZone: string,
) => ({
  timeZone,
  source,
  fields: [
    ...declared,
    ...fields.flatMap(({ name, expression, order }) =>
      expression ? [{ name, expression, ...(order ? { order } : {}) }] : [],
    ),
  ],
  metrics: metrics.map(({ name, expression }) => ({ name, expression })),
});

const scenario = fc.record({
  timeZone: fc.constantFrom(...timeZones),
  roles,
  viewer,
  filters: filterLists,
  tiles: fc.array(tile, { minLength: 1, maxLength: 3 }),
});

/**
 * Computes random reports, and compares each with a plain computation over the same rows.
 *
 * @returns the number of rows that all reports counted
 */
export async function checkRandomReports(options: RandomReports): Promise<number> {
  const { stage, rows, source, declared = [], managers, runs, seed } = options;
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ timeZone, tiles, ...given }) => {
      const computed = await stage.compute(
        createDataset(source, declared, timeZone),
        tiles.map(({ written }) => written) as never,
        {
          visibleRows: given.roles.map((role) => role.written),
          viewer: given.viewer,
          filters: given.filters.map((list) => list.flatMap(({ written }) => written)),
          findDataset: async (slug) => (slug === 'managers' ? managers : undefined),
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
  return shown;
}
