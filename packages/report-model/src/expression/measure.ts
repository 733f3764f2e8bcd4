import type { Aggregate, RowFunction, TypedExpression } from './tree.ts';

interface Size {
  nodes: number;
  levels: number;
}

/** The expressions that an expression contains directly. */
export function listParts(expression: TypedExpression): TypedExpression[] {
  switch (expression.kind) {
    case 'literal':
    case 'column':
      return [];
    case 'call':
      return expression.arguments;
    case 'operation':
      return expression.operands;
    case 'cast':
      return [expression.operand];
    case 'case':
    default: {
      const { branches, otherwise } = expression;
      return [
        ...branches.flatMap(({ when, value }) => [when, value]),
        ...(otherwise ? [otherwise] : []),
      ];
    }
  }
}

const sizes = new WeakMap<TypedExpression, Size>();

/** How often emitters write each argument of a function. Default: once. */
const copiesOfArguments: Partial<Record<RowFunction | Aggregate, readonly number[]>> = {
  date_diff: [1, 2, 2],
  left: [1, 3],
  right: [1, 3],
  round: [4, 4],
  split_part: [2],
  substring: [1, 3, 3],
  to_date: [3],
  to_number: [3],
};

const countBytes = (text: string): number =>
  encodeURIComponent(text).replaceAll(/%../g, '%').length;

const textOf = (expression: TypedExpression | undefined): string =>
  (expression?.kind === 'literal' && expression.value) || '';

/**
 * How many times as long as its text the result of a `replace` can be, in UTF-8. A searched text that
 * is not a literal may have one byte.
 */
function countGrowth(expression: TypedExpression): number {
  if (expression.kind !== 'call' || expression.function !== 'replace') return 1;
  const [, searched, replacement] = expression.arguments;
  const from = Math.max(1, countBytes(textOf(searched)));
  return Math.max(1, Math.ceil(countBytes(textOf(replacement)) / from));
}

/** As how many parts a part of an expression counts. */
function countCopies(expression: TypedExpression, index: number): number {
  if (expression.kind !== 'call') return 1;
  const copies = copiesOfArguments[expression.function]?.[index] ?? 1;
  return index === 0 ? copies * countGrowth(expression) : copies;
}

/** Characters of a literal that count as one more node. */
const charactersOfNode = 50;

/** Nodes as which each text counts that is joined with others or grows: the result has all lengths. */
const nodesOfJoinedText = 10;

function weigh(expression: TypedExpression): number {
  switch (expression.kind) {
    case 'literal':
      return 1 + Math.floor((expression.value?.length ?? 0) / charactersOfNode);
    case 'call': {
      const growth = countGrowth(expression);
      if (growth > 1) return nodesOfJoinedText * growth;
      return expression.function === 'concat' ? nodesOfJoinedText * expression.arguments.length : 1;
    }
    case 'operation':
      return expression.operator === '||' ? nodesOfJoinedText * expression.operands.length : 1;
    case 'column':
    case 'cast':
    case 'case':
    default:
      return 1;
  }
}

/** Counts a shared part each time it occurs, as SQL would repeat it, but measures it only once. */
export function measure(expression: TypedExpression): Size {
  const known = sizes.get(expression);
  if (known) return known;
  const parts = listParts(expression).map(measure);
  const size = {
    nodes: parts.reduce(
      (sum, { nodes }, index) => sum + nodes * countCopies(expression, index),
      weigh(expression),
    ),
    levels: 1 + Math.max(0, ...parts.map(({ levels }) => levels)),
  };
  sizes.set(expression, size);
  return size;
}

/** Whether any part of an expression passes the test. */
export const some = (
  expression: TypedExpression,
  test: (part: TypedExpression) => boolean,
): boolean => test(expression) || listParts(expression).some((part) => some(part, test));
