import type { Expression } from '../expression/tree.ts';
import type { FormatOptions } from '../files/format.ts';

/**
 * The format of a metric that has none of its own: that of the field that it aggregates, also with a
 * filter. An amount divided by a count keeps its currency. Other arithmetic can change the unit.
 *
 * @param formatOf the format of a field
 */
export function inheritFormat(
  tree: Expression,
  formatOf: (field: string) => FormatOptions | undefined,
): FormatOptions | undefined {
  if (tree.kind === 'operation' && tree.operator === '/') {
    const [amount, divisor] = tree.operands;
    const currency = isCount(divisor!) ? inheritFormat(amount!, formatOf)?.currency : undefined;
    return currency === undefined
      ? undefined
      : { style: 'currency', notation: 'standard', currency };
  }
  if (tree.kind !== 'call' || isCount(tree)) return undefined;
  const field = findField(tree.arguments[0]);
  return field === undefined ? undefined : formatOf(field);
}

const isCount = (tree: Expression): boolean =>
  tree.kind === 'call' && tree.function.startsWith('count');

/** The field whose values are aggregated; `undefined` if they are computed. */
function findField(values: Expression | undefined): string | undefined {
  if (values?.kind === 'name') return values.name;
  if (values?.kind !== 'case' || values.otherwise || values.branches.length > 1) return undefined;
  return findField(values.branches[0]?.value);
}
