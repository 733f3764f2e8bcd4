import type { FieldType } from '../files/dataset.ts';
import { parseDateFormat } from './date-format.ts';
import type { Parameter } from './functions.ts';
import type { TypedExpression } from './tree.ts';
import { convert, isNumeric, isTime } from './types.ts';

const units = ['year', 'quarter', 'month', 'week', 'day'];
const parts = [...units, 'hour'];
const decimals = ['.', ','];
const thousands = ['.', ',', ' ', "'"];

/** No text has so many characters. */
const maxCount = 1_000_000_000;

const list = (texts: readonly string[]) =>
  texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ');

/** The type of a parameter, if it is not a literal of a rule of its own. */
const wantedTypes: Partial<Record<Parameter, FieldType>> = {
  number: 'number',
  text: 'text',
  time: 'date',
  datetime: 'datetime',
  count: 'number',
  searched: 'text',
};

/** The rules of parameters that not every value of a type fits. */
const rules: Partial<Record<Parameter, string>> = {
  sortable: 'the value must be a number, text or a date',
  part: `the period must be one of ${list(parts)}`,
  unit: `the period must be one of ${list(units)}`,
  digits: 'the digits must be a whole number from -15 to 15',
  share: 'the share must be a number from 0 to 1',
  count: `the number of characters must be a whole number from 1 to ${maxCount.toLocaleString('en')}`,
  place: `the number of the part must be a whole number, 1 for the first and -1 for the last`,
  searched: 'the searched text is empty',
  replacement: 'the replacement must be a text in single quotes',
  delimiter: 'the delimiter must be a text in single quotes that is not empty',
  decimal: `the decimal separator must be one of ${list(decimals)}`,
  thousands: `the thousands separator must be one of ${list(thousands)}`,
  format: 'the format must be a text in single quotes',
};

/** Says why an argument does not fit: it needs another type, or breaks the rule of the parameter. */
export function describeMismatch(
  typed: TypedExpression,
  parameter: Parameter,
  usage: string,
): { type: FieldType } | { message: string } {
  const type = wantedTypes[parameter];
  const rule = rules[parameter];
  if (type && !(rule !== undefined && convert(typed, type))) return { type };
  const text = parameter === 'format' ? readText(typed) : null;
  const problem = text === null ? undefined : parseDateFormat(text);
  return { message: typeof problem === 'string' ? problem : `${rule}; write ${usage}` };
}

/** The text of a literal, or null. */
const readText = (typed: TypedExpression): string | null =>
  typed.kind === 'literal' && typed.type === 'text' ? typed.value : null;

const isWhole = (typed: TypedExpression, from: number): boolean =>
  typed.type === 'integer' &&
  typed.kind === 'literal' &&
  Number(typed.value) >= from &&
  Math.abs(Number(typed.value)) <= maxCount;

/** Converts an argument to the type of its parameter; `undefined` if it does not fit. */
export function convertArgument(
  typed: TypedExpression,
  parameter: Parameter,
  inDouble: boolean,
): TypedExpression | undefined {
  const value = typed.kind === 'literal' ? typed.value : null;
  const text = readText(typed);
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
      return keepIf(text !== null && parts.includes(text));
    case 'unit':
      return keepIf(text !== null && units.includes(text));
    case 'count':
      return value === null ? convert(typed, 'number') : keepIf(isWhole(typed, 1));
    case 'place':
      return keepIf(isWhole(typed, -maxCount) && Number(value) !== 0);
    case 'searched':
      return text === '' ? undefined : convert(typed, 'text');
    case 'replacement':
      return keepIf(text !== null);
    case 'delimiter':
      return keepIf(text !== null && text !== '');
    case 'decimal':
      return keepIf(text !== null && decimals.includes(text));
    case 'thousands':
      return keepIf(text !== null && thousands.includes(text));
    case 'format':
      return keepIf(text !== null && typeof parseDateFormat(text) === 'object');
    case 'digits':
      return keepIf(typed.type === 'integer' && value !== null && Math.abs(Number(value)) <= 15);
    case 'share':
    default:
      return keepIf(
        isNumeric(typed.type) && value !== null && Number(value) >= 0 && Number(value) <= 1,
      );
  }
}
