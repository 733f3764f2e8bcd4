import type { ResolvedField } from '@portal-embed/report-model';

import { allRows, chooseRows, everyOf, isIn, negate } from './plan/compare.ts';
import { rowCount, type Condition, type PlanResult, type QueryPlan } from './plan/plan.ts';

const maxExamples = 3;

/**
 * Counts the texts that are not values of the type that their field declares. Reports show them as
 * blank.
 *
 * @returns a sentence for the author for each field that has some
 */
export async function findUnreadableTexts(
  fields: Iterable<ResolvedField>,
  run: (plan: QueryPlan) => Promise<PlanResult>,
): Promise<string[]> {
  const found: string[] = [];
  for (const { name, type, expression } of fields) {
    if (expression.kind !== 'cast' || expression.operand.type !== 'text' || type === 'text')
      continue;
    const { operand } = expression;
    const isText: Condition = negate(isIn({ type: 'text', expression: operand }, ['']));
    const { groups, subtotals } = await run({
      rows: chooseRows(allRows, everyOf([isText, { kind: 'null', operand: expression }])),
      dimensions: [{ expression: operand }],
      metrics: [rowCount],
      order: [{ by: 'metric', index: 0, isDescending: true }],
      limit: maxExamples,
      subtotals: [{ dimensions: [] }],
    });
    const count = Number(subtotals[0]?.groups[0]?.values[0] ?? 0);
    if (count === 0) continue;
    const examples = groups.map(({ keys }) => JSON.stringify(String(keys[0]).slice(0, 60)));
    found.push(
      `${name}: ${count.toLocaleString('en')} ${count === 1 ? 'text' : 'texts'} cannot be read as ${type}, such as ${examples.join(', ')}; reports show them as blank`,
    );
  }
  return found;
}
