import { ExpressionError } from '../expression/error.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import type { Expression } from '../expression/tree.ts';
import type { MetricDefinition } from '../files/dataset.ts';

/** Whether a metric such as `Sales: sum(Sales)` has the name of the column that it aggregates. */
export function readsOwnName({ name, expression }: MetricDefinition): boolean {
  try {
    return namesOf(parseExpression(expression)).includes(name);
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

function namesOf(node: Expression): string[] {
  if (node.kind === 'name') return [node.name];
  if (node.kind === 'call') return node.arguments.flatMap(namesOf);
  if (node.kind === 'operation') return node.operands.flatMap(namesOf);
  if (node.kind === 'literal') return [];
  const { branches, otherwise } = node;
  return [
    ...branches.flatMap(({ when, value }) => [when, value]),
    ...(otherwise ? [otherwise] : []),
  ].flatMap(namesOf);
}
