import type { DraftDataset, ViewerAttribute } from '@portal-embed/report-model';

import { allRows, anyOf, chooseRows } from './plan/compare.ts';
import { rowCount, type PlanResult, type QueryPlan } from './plan/plan.ts';
import { matchesKeys } from './plan/roles.ts';

/** What a look-up compares with an attribute of the reader. */
export interface LookUpKey {
  /** Names of fields, of which one must have a value of the attribute. */
  fields: readonly string[];
  attribute: ViewerAttribute;
}

/** The values of each attribute that the users of an organization have. */
export type ReaderTexts = Readonly<Record<ViewerAttribute, readonly string[]>>;

/** Values that one query compares. */
const textsAtOnce = 5_000;

/** Returns for each key whether a row has a value of a user. */
export async function findMatchedKeys(
  { fields }: Pick<DraftDataset, 'fields'>,
  run: (plan: QueryPlan) => Promise<PlanResult>,
  keys: readonly LookUpKey[],
  texts: ReaderTexts,
): Promise<boolean[]> {
  const found: boolean[] = [];
  for (const { fields: names, attribute } of keys) {
    const operands = names.flatMap((name) => fields.get(name) ?? []);
    const all = texts[attribute];
    let isMatched = false;
    for (let start = 0; start < all.length && !isMatched; start += textsAtOnce) {
      const part = all.slice(start, start + textsAtOnce);
      const { groups } = await run({
        rows: chooseRows(
          allRows,
          anyOf(operands.map((field) => matchesKeys({}, attribute, field, part))),
        ),
        dimensions: [],
        metrics: [rowCount],
        order: [],
      });
      isMatched = Number(groups[0]?.values[0] ?? 0) > 0;
    }
    found.push(isMatched);
  }
  return found;
}
