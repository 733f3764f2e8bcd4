import type { TypedExpression } from './tree.ts';

interface Size {
  nodes: number;
  levels: number;
}

function listParts(expression: TypedExpression): TypedExpression[] {
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

/** Emitters write the operand of `round` four times. */
const copies = (expression: TypedExpression) =>
  expression.kind === 'call' && expression.function === 'round' ? 4 : 1;

/** Characters of a literal that count as one more node. */
const charactersOfNode = 50;

/** Nodes as which each text counts that is joined with others: the result has all of their lengths. */
const nodesOfJoinedText = 10;

function weigh(expression: TypedExpression): number {
  switch (expression.kind) {
    case 'literal':
      return 1 + Math.floor((expression.value?.length ?? 0) / charactersOfNode);
    case 'call':
      return expression.function === 'concat' ? nodesOfJoinedText * expression.arguments.length : 1;
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
    nodes: parts.reduce((sum, { nodes }) => sum + nodes * copies(expression), weigh(expression)),
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
