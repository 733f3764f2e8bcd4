import type { TypedExpression } from '../expression/tree.ts';
import { convert } from '../expression/types.ts';
import type { FieldType } from '../files/dataset.ts';

/**
 * Converts an expression to the type that its field declares; `undefined` if values would be lost.
 * Text converts to any type, and a `datetime` to its date.
 */
export function declareType(
  expression: TypedExpression,
  type: FieldType,
): TypedExpression | undefined {
  if (expression.type === type) return expression;
  const cast: TypedExpression = { kind: 'cast', operand: expression, type };
  const isRead = expression.type === 'text' || type === 'text';
  const isDateOfTime = expression.type === 'datetime' && type === 'date';
  return isRead || isDateOfTime || convert(expression, type) !== undefined ? cast : undefined;
}
