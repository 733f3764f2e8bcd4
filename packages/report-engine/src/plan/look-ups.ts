import type { LookUp } from '@portal-embed/report-model';
import type { ResolvedDataset } from '@portal-embed/report-model';

import type { Viewer } from '#platform';

import { negate } from './compare.ts';
import type { PlanResult, QueryPlan } from './plan.ts';
import { matchesAttribute, UnknownFieldError } from './roles.ts';

/** Maximum number of values of a look-up for one reader. */
const maxValues = 10_000;

/** Maximum number of characters of these values, which each query of the reader contains. */
const maxCharacters = 1_000_000;

/** A dataset in which a role looks up values. */
export interface LookUpSource {
  dataset: ResolvedDataset;
  run: (plan: QueryPlan) => Promise<PlanResult>;
}

/** Returns the values of a look-up for a reader, without nulls. */
export async function readLookUp(
  { dataset, run }: LookUpSource,
  lookUp: LookUp,
  viewer: Viewer,
): Promise<string[]> {
  const [key, value] = [lookUp.key, lookUp.value].map((name) => {
    const field = dataset.fields.get(name);
    if (field) return field;
    throw new UnknownFieldError(
      `A role looks up the field "${name}" in "${lookUp.lookup}", which does not have this field.`,
    );
  });
  if (!key || !value) return [];
  const rows = {
    visible: matchesAttribute(viewer, lookUp.viewer, key),
    chosen: negate({ kind: 'null', operand: value.expression }),
  };
  const dimensions = [{ expression: value.expression }];
  const { groups, groupCount } = await run({
    rows,
    dimensions,
    metrics: [],
    order: [],
    limit: maxValues,
  });
  if (groupCount > maxValues)
    throw new Error(
      `The look-up in "${lookUp.lookup}" returns more than ${maxValues} values for one reader. Give the reader a role with "rows: all" instead.`,
    );
  const values = groups.map(({ keys: [found] }) => String(found));
  const characters = values.reduce((sum, { length }) => sum + length, 0);
  if (characters > maxCharacters)
    throw new Error(
      `The look-up in "${lookUp.lookup}" returns more than ${maxCharacters} characters for one reader. Use shorter values.`,
    );
  return values;
}
