import type { Expression } from '../expression/tree.ts';
import type { FormatOptions } from '../files/format.ts';

/**
 * The format of a metric that has none of its own: that of its field, as in `sum(Sales)`. Of arithmetic,
 * only the currency is clear: euros per visit are euros, and a ratio of euros has no unit.
 *
 * @param formatOf the format of a field, or of another metric
 */
export function inheritFormat(
  tree: Expression,
  formatOf: (name: string) => FormatOptions | undefined,
): FormatOptions | undefined {
  const inherit = (part: Expression) => inheritFormat(part, formatOf);
  switch (tree.kind) {
    case 'literal':
      return undefined;
    case 'name':
      return formatOf(tree.name);
    case 'call':
      return tree.function.startsWith('count') || !tree.arguments[0]
        ? undefined
        : inherit(tree.arguments[0]);
    case 'case':
      return inheritEqual(tree.branches.map(({ value }) => inherit(value)));
    case 'operation':
      return inheritCurrency(tree.operator, tree.operands.map(inherit));
  }
}

function inheritCurrency(operator: string, formats: readonly (FormatOptions | undefined)[]) {
  const [first, second] = formats.map((format) => (format?.currency ? format : undefined));
  switch (operator) {
    case 'negate':
      return first;
    case '+':
    case '-':
      return inheritEqual([first, second]);
    case '*':
      return first && second ? undefined : (first ?? second);
    case '/':
      return second ? undefined : first;
    default:
      return undefined;
  }
}

function inheritEqual(formats: readonly (FormatOptions | undefined)[]) {
  const texts = new Set(formats.map((format) => JSON.stringify(format)));
  return texts.size === 1 ? formats[0] : undefined;
}
