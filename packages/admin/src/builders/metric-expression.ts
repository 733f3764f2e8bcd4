import type { Expression, FieldType } from '@portal-embed/report-model';
import { parseExpression, writeName } from '@portal-embed/report-model/expression-syntax';

export const metricFunctions = [
  'sum',
  'count',
  'count_distinct',
  'avg',
  'median',
  'min',
  'max',
] as const;

export type MetricFunction = (typeof metricFunctions)[number];

export const filterOperators = [
  'in',
  'not in',
  '=',
  '<>',
  '>',
  '>=',
  '<',
  '<=',
  'is null',
  'is not null',
] as const;

export type FilterOperator = (typeof filterOperators)[number];

/** A condition on the rows of a metric. */
export interface MetricFilter {
  field: string;
  operator: FilterOperator;
  /** As texts. Only `in` and `not in` have several, `is null` and `is not null` none. */
  values: readonly string[];
}

/** One function of one field, of the rows that match all filters. */
export interface MetricValue {
  function: MetricFunction;
  /** Empty for `count`, which then counts rows. */
  field: string;
  filters: readonly MetricFilter[];
}

/** What a form shows of a metric: a value, or the ratio of two. */
export interface MetricParts {
  value: MetricValue;
  /** Default: the value is not divided. */
  divisor?: MetricValue | undefined;
}

/** Type of a field; `undefined` if it is unknown. */
export type TypeOf = (field: string) => FieldType | undefined;

const numeric: ReadonlySet<FieldType> = new Set(['number', 'integer', 'decimal']);

/** Whether a function can be applied to fields of a type. */
export const takesField = (name: MetricFunction, type: FieldType): boolean =>
  name === 'count' || name === 'count_distinct' || numeric.has(type);

/** Writes an expression; `undefined` if something is missing. */
export function writeMetric({ value, divisor }: MetricParts, typeOf: TypeOf): string | undefined {
  const written = writeValue(value, typeOf);
  if (!divisor) return written;
  const by = writeValue(divisor, typeOf);
  return written === undefined || by === undefined ? undefined : `${written} / ${by}`;
}

function writeValue(parts: MetricValue, typeOf: TypeOf): string | undefined {
  const { function: name, field, filters } = parts;
  if (field === '' && name !== 'count') return undefined;
  const conditions = filters.map((filter) => writeFilter(filter, typeOf));
  if (conditions.includes(undefined)) return undefined;
  const value = field === '' ? undefined : writeName(field);
  if (conditions.length === 0) return `${name}(${value ?? ''})`;
  return `${name}(case when ${conditions.join(' and ')} then ${value ?? '1'} end)`;
}

function writeFilter({ field, operator, values }: MetricFilter, typeOf: TypeOf) {
  if (field === '') return undefined;
  const name = writeName(field);
  if (operator === 'is null' || operator === 'is not null') return `${name} ${operator}`;
  const literals = values.map((value) => writeLiteral(value, typeOf(field)));
  if (literals.length === 0) return undefined;
  if (operator === 'in' || operator === 'not in')
    return `${name} ${operator} (${literals.join(', ')})`;
  return `${name} ${operator} ${literals[0]}`;
}

function writeLiteral(value: string, type: FieldType | undefined): string {
  const isNumber = type !== undefined && numeric.has(type);
  if (isNumber && /^-?\d+(\.\d+)?$/.test(value)) return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value;
  return `'${value.replaceAll("'", "''")}'`;
}

/** Reads an expression; `undefined` if a form cannot show it. */
export function readMetric(text: string): MetricParts | undefined {
  let tree: Expression;
  try {
    tree = parseExpression(text);
  } catch {
    return undefined;
  }
  const terms = tree.kind === 'operation' && tree.operator === '/' ? tree.operands : [tree];
  const values = terms.map(readValue);
  if (!values.every((value) => value !== undefined)) return undefined;
  const [value, divisor] = values;
  return { value: value!, divisor };
}

function readValue(tree: Expression): MetricValue | undefined {
  if (tree.kind !== 'call' || tree.arguments.length > 1) return undefined;
  const name = metricFunctions.find((each) => each === tree.function);
  if (!name) return undefined;
  const [argument] = tree.arguments;
  if (!argument) return name === 'count' ? { function: name, field: '', filters: [] } : undefined;
  if (argument.kind === 'name') return { function: name, field: argument.name, filters: [] };
  if (argument.kind !== 'case' || argument.otherwise) return undefined;
  const [branch, ...others] = argument.branches;
  if (!branch || others.length > 0) return undefined;
  const field = readCounted(branch.value, name);
  const filters = readFilters(branch.when);
  return field === undefined || !filters ? undefined : { function: name, field, filters };
}

/** The field that is computed; empty for `1`, which `count` counts. */
function readCounted(value: Expression, name: MetricFunction): string | undefined {
  if (value.kind === 'name') return value.name;
  return name === 'count' && value.kind === 'literal' && value.value === '1' ? '' : undefined;
}

function readFilters(when: Expression): MetricFilter[] | undefined {
  const parts = when.kind === 'operation' && when.operator === 'and' ? when.operands : [when];
  const filters = parts.map((part) => readFilter(part));
  return filters.every((filter) => filter !== undefined) ? filters : undefined;
}

function readFilter(part: Expression, isNegated = false): MetricFilter | undefined {
  if (part.kind !== 'operation') return undefined;
  const { operator: found, operands } = part;
  if (found === 'not') return isNegated ? undefined : readFilter(operands[0]!, true);
  const operator = filterOperators.find((each) => each === found);
  const [tested, ...rest] = operands;
  if (!operator || tested?.kind !== 'name') return undefined;
  if (isNegated && operator !== 'in' && operator !== 'is null') return undefined;
  const negated = operator === 'in' ? ('not in' as const) : ('is not null' as const);
  const values = rest.map(readLiteral);
  if (!values.every((value) => value !== undefined)) return undefined;
  return { field: tested.name, operator: isNegated ? negated : operator, values };
}

function readLiteral(part: Expression): string | undefined {
  if (part.kind === 'literal') return part.type === 'null' ? undefined : part.value;
  if (part.kind !== 'operation' || part.operator !== 'negate') return undefined;
  const value = readLiteral(part.operands[0]!);
  return value === undefined ? undefined : `-${value}`;
}
