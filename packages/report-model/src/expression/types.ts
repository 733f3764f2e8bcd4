import type { FieldType } from '../files/dataset.ts';
import { isTextOf } from '../values/literals.ts';
import type { Expression, TypedExpression } from './tree.ts';

const numericTypes = ['integer', 'decimal', 'number'] as const;
export type NumericType = (typeof numericTypes)[number];

export const isNumeric = (type: FieldType): type is NumericType =>
  (numericTypes as readonly FieldType[]).includes(type);

export const isTime = (type: FieldType) => type === 'date' || type === 'datetime';

const nouns: Record<FieldType, string> = {
  text: 'text',
  integer: 'a number',
  decimal: 'a number',
  number: 'a number',
  date: 'a date',
  datetime: 'a datetime',
  boolean: 'a boolean',
};
export const describeType = (type: FieldType) => nouns[type];

/** Describes a part of an expression for a message. */
export function describeNode(node: Expression): string {
  switch (node.kind) {
    case 'name':
      return JSON.stringify(node.name);
    case 'literal':
      if (node.type === 'null') return 'null';
      return node.type === 'text' ? `'${node.value.replaceAll("'", "''")}'` : node.value;
    case 'call':
      return `${node.function}(…)`;
    case 'operation':
      return `the result of ${node.operator === 'negate' ? '-' : node.operator}`;
    case 'case':
    default:
      return 'the result of case';
  }
}

const isText = (typed: TypedExpression) => typed.kind === 'literal' && typed.type === 'text';

/** Text literals and null take the type that their context needs. */
const isFlexible = (typed: TypedExpression) =>
  isText(typed) || (typed.kind === 'literal' && typed.value === null);

/** The common type of both. It holds all values exactly, unless one of the types is a double. */
function joinTypes(one: FieldType, other: FieldType): FieldType | undefined {
  if (one === other) return one;
  if (isNumeric(one) && isNumeric(other))
    return numericTypes[Math.max(numericTypes.indexOf(one), numericTypes.indexOf(other))];
  return isTime(one) && isTime(other) ? 'datetime' : undefined;
}

/** Whether values of both types can be compared. */
export const isSameKind = (one: FieldType, other: FieldType) => joinTypes(one, other) !== undefined;

/** The common type of several expressions, and the index of an expression with this type. */
export function joinAll(all: readonly TypedExpression[]): { type: FieldType; leader: number } {
  let joined: { type: FieldType; leader: number } | undefined;
  for (const [leader, typed] of all.entries()) {
    if (isFlexible(typed)) continue;
    const type = joined ? joinTypes(joined.type, typed.type) : typed.type;
    // Types that do not fit are reported when all are converted.
    if (type !== undefined && type !== joined?.type) joined = { type, leader };
  }
  return joined ?? { type: 'text', leader: Math.max(0, all.findIndex(isText)) };
}

/** Converts an expression to a type that holds all of its values; `undefined` if the type does not. */
export function convert(typed: TypedExpression, type: FieldType): TypedExpression | undefined {
  if (typed.type === type) return typed;
  if (typed.kind === 'literal') {
    if (typed.value === null) return { ...typed, type };
    if (typed.type === 'text')
      return isTime(type) && isTextOf(type, typed.value) ? { ...typed, type } : undefined;
  }
  const joined = joinTypes(typed.type, type);
  if (joined !== type) return undefined;
  if (typed.kind === 'literal') return { ...typed, type };
  // Engines compare and combine integers with decimals exactly.
  return type === 'decimal' ? typed : { kind: 'cast', operand: typed, type };
}
