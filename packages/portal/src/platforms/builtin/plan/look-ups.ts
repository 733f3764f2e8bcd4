import type { LookUp } from '@portal-embed/report-model';
import type { ResolvedDataset } from '@portal-embed/report-model';

import { isIn, everyOf, negate } from './compare.ts';
import type { PlanResult, QueryPlan } from './plan.ts';
import { readAttribute, UnknownFieldError, type Viewer } from './roles.ts';

/** The most values that a look-up may give to one reader. */
const maxValues = 10_000;

/** A dataset in which a role looks up values. */
export interface LookUpSource {
  dataset: ResolvedDataset;
  run: (plan: QueryPlan) => Promise<PlanResult>;
}

/** Returns the values of a look-up for a reader. Nulls are no values. */
export async function readLookUp(
  { dataset, run }: LookUpSource,
  lookUp: LookUp,
  viewer: Viewer,
): Promise<string[]> {
  const [key, value] = [lookUp.key, lookUp.value].map((name) => {
    const field = dataset.fields.get(name);
    if (field) return field;
    throw new UnknownFieldError(
      `A role looks up the field "${name}" in "${lookUp.lookup}", which has no such field.`,
    );
  });
  if (!key || !value) return [];
  const attribute = readAttribute(viewer, lookUp.viewer);
  const rows = everyOf([
    isIn(key, attribute, lookUp.viewer === 'email'),
    negate({ kind: 'null', operand: value.expression }),
  ]);
  const dimensions = [{ expression: value.expression }];
  const { groups, groupCount } = await run({
    rows,
    dimensions,
    metrics: [],
    order: [],
    limit: maxValues,
  });
  if (groupCount > maxValues)
    throw new Error(`The look-up "${lookUp.lookup}" gives more than ${maxValues} values.`);
  return groups.map(({ keys: [found] }) => String(found));
}
