import type { FieldType } from '../files/dataset.ts';
import type { Parameter } from './functions.ts';
import type { TypedExpression } from './tree.ts';
import { convert, isNumeric, isTime } from './types.ts';

const parts = ['year', 'quarter', 'month', 'week', 'day', 'hour'];

/** The type of a parameter, if any value of the type is allowed. */
export const wantedTypes: Partial<Record<Parameter, FieldType>> = {
  number: 'number',
  text: 'text',
  time: 'date',
  datetime: 'datetime',
};

/** The rules of the other parameters. */
export const descriptions: Partial<Record<Parameter, string>> = {
  sortable: 'the value must be a number, text or a date',
  part: `the period must be one of ${parts.map((part) => `'${part}'`).join(', ')}`,
  digits: 'the digits must be a whole number from -15 to 15',
  share: 'the share must be a number from 0 to 1',
};

/** Converts an argument to the type of its parameter; `undefined` if it does not fit. */
export function convertArgument(
  typed: TypedExpression,
  parameter: Parameter,
  inDouble: boolean,
): TypedExpression | undefined {
  const value = typed.kind === 'literal' ? typed.value : null;
  const keepIf = (condition: boolean) => (condition ? typed : undefined);
  switch (parameter) {
    case 'any':
    case 'same':
      return typed;
    case 'number':
      return isNumeric(typed.type) && !inDouble ? typed : convert(typed, 'number');
    case 'text':
      return convert(typed, 'text');
    case 'time':
      return isTime(typed.type) ? typed : (convert(typed, 'date') ?? convert(typed, 'datetime'));
    case 'datetime':
      return typed.type === 'date' ? undefined : convert(typed, 'datetime');
    case 'sortable':
      return keepIf(typed.type !== 'boolean');
    case 'part':
      return keepIf(typed.type === 'text' && value !== null && parts.includes(value));
    case 'digits':
      return keepIf(typed.type === 'integer' && value !== null && Math.abs(Number(value)) <= 15);
    case 'share':
    default:
      return keepIf(
        isNumeric(typed.type) && value !== null && Number(value) >= 0 && Number(value) <= 1,
      );
  }
}
