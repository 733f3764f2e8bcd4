import type { RowPredicate } from '@portal-embed/report-model';
import fc from 'fast-check';
import { expect } from 'vitest';

import { createDataset, type RandomReports } from './check.ts';
import { viewer } from './conditions.ts';
import { lookUpRole } from './look-ups.ts';
import { timeZones } from './rows.ts';
import { every, not, some, type Condition } from './truth.ts';

type Role = Condition<RowPredicate>;

const negate = ({ written, test }: Role): Role => ({
  written: { not: written },
  test: (row, scope) => not(test(row, scope)),
});

const combination = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.oneof(lookUpRole, lookUpRole.map(negate)), { minLength: 2, maxLength: 3 }),
  )
  .map(([isAnd, parts]): Role => {
    const written = parts.map((part) => part.written);
    return {
      written: isAnd ? { and: written } : { or: written },
      test: (row, scope) => (isAnd ? every : some)(parts.map((part) => part.test(row, scope))),
    };
  });

const role: fc.Arbitrary<Role> = fc.oneof(
  { arbitrary: lookUpRole, weight: 3 },
  { arbitrary: lookUpRole.map(negate), weight: 3 },
  { arbitrary: combination, weight: 1 },
  { arbitrary: combination.map(negate), weight: 1 },
);

/**
 * Counts the rows of random roles with look-ups, and compares each count with a plain computation over
 * the same rows.
 *
 * @returns the number of rows that all roles allow
 */
export async function checkRandomLookUps(options: RandomReports): Promise<number> {
  const { stage, rows, source, declared = [], managers, runs, seed } = options;
  const scenario = fc.record({ timeZone: fc.constantFrom(...timeZones), role, viewer });
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const scope = { viewer: given.viewer, timeZone: given.timeZone };
      const visible = rows.filter((row) => given.role.test(row, scope) === true);
      const { rowCount } = await stage.compute(
        createDataset(source, declared, given.timeZone),
        [{ type: 'text', text: 'x' }],
        {
          visibleRows: [given.role.written],
          viewer: given.viewer,
          findDataset: async () => managers,
        },
      );
      expect(rowCount).toBe(visible.length);
      shown += rowCount;
    }),
    { numRuns: runs, seed },
  );
  return shown;
}
