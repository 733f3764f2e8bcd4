import type { FieldType } from '../files/dataset.ts';
import { describeUnknown } from '../issues/nearest.ts';
import { isTextOf } from '../values/literals.ts';
import { convertArgument, describeMismatch } from './arguments.ts';
import { parseDateFormat } from './date-format.ts';
import {
  findOtherName,
  functionNames,
  isAggregate,
  isFunction,
  signatures,
  type Signature,
} from './functions.ts';
import type {
  Aggregate,
  Expression,
  Operator,
  RowFunction,
  Span,
  TypedExpression,
} from './tree.ts';
import { convert, describeNode, describeType, isTime, joinAll } from './types.ts';

/** Returns an expression, a message if there is none, or `undefined` if its mistake is reported already. */
export type ResolveName = (name: string) => TypedExpression | string | undefined;

export interface Scope {
  field: ResolveName;
  /** Resolves names outside of aggregates. Only in the expression of a metric. */
  metric?: ResolveName;
}

export interface Problem extends Span {
  message: string;
}

type Call = Extract<Expression, { kind: 'call' }>;
type Operation = Extract<Expression, { kind: 'operation' }>;
type Case = Extract<Expression, { kind: 'case' }>;
type Literal = Extract<Expression, { kind: 'literal' }>;
/** `undefined` if the expression has a mistake, which is in `problems`. */
type Result = TypedExpression | undefined;

const arithmetic: ReadonlySet<Operator> = new Set(['+', '-', '*', '/', '%', 'negate']);
const orders: ReadonlySet<Operator> = new Set(['<', '<=', '>', '>=', 'between']);
const logic: ReadonlySet<Operator> = new Set(['and', 'or', 'not']);

function resultOf(operator: Operator): FieldType {
  if (arithmetic.has(operator)) return 'number';
  return operator === '||' ? 'text' : 'boolean';
}

class Checker {
  readonly problems: Problem[] = [];
  readonly #scope: Scope;
  #aggregate: Aggregate | undefined;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  #fail(node: Span, message: string): undefined {
    this.problems.push({ start: node.start, end: node.end, message });
  }

  check(node: Expression): Result {
    switch (node.kind) {
      case 'literal':
        return this.#checkLiteral(node);
      case 'name': {
        const isMetric = this.#scope.metric !== undefined && this.#aggregate === undefined;
        const found = (isMetric ? this.#scope.metric : this.#scope.field)?.(node.name);
        return typeof found === 'string' ? this.#fail(node, found) : found;
      }
      case 'call':
        return this.#checkCall(node);
      case 'operation':
        return this.#checkOperation(node);
      case 'case':
      default:
        return this.#checkCase(node);
    }
  }

  #checkLiteral(node: Literal, sign = ''): Result {
    switch (node.type) {
      case 'null':
        return { kind: 'literal', type: 'text', value: null };
      case 'text':
      case 'boolean':
        return { kind: 'literal', type: node.type, value: node.value };
      case 'integer':
      case 'decimal':
      default: {
        const value = sign + node.value.replace(/^0+(?=\d)/, '');
        const type = node.type === 'integer' && isTextOf('integer', value) ? 'integer' : 'decimal';
        if (isTextOf(type, value)) return { kind: 'literal', type, value };
        return this.#fail(node, 'the number has more than 38 digits; shorten it');
      }
    }
  }

  /** Checks all; `undefined` if one has a mistake. */
  #checkAll(nodes: readonly Expression[]): TypedExpression[] | undefined {
    const all = nodes.map((node) => this.check(node));
    return all.every((each) => each !== undefined) ? all : undefined;
  }

  #checkOperation(node: Operation): Result {
    const { operator, operands } = node;
    const [operand] = operands;
    if (operator === 'negate' && operand?.kind === 'literal') {
      if (operand.type === 'integer' || operand.type === 'decimal')
        return this.#checkLiteral(operand, '-');
    }
    const all = this.#checkAll(operands);
    const converted = all && this.#convertOperands(node, all);
    return (
      converted && {
        kind: 'operation',
        type: resultOf(operator),
        operator,
        operands: converted,
      }
    );
  }

  #convertOperands(
    { operator, operands }: Operation,
    all: TypedExpression[],
  ): TypedExpression[] | undefined {
    if (arithmetic.has(operator))
      return this.#convertEach(operator === 'negate' ? '-' : operator, operands, all, 'number');
    if (operator === '||') return this.#convertEach(operator, operands, all, 'text');
    if (logic.has(operator)) return this.#convertEach(operator, operands, all, 'boolean');
    if (operator === 'is null') return all;
    const unified = this.#unify(operands, all);
    if (!orders.has(operator) || unified?.[0]?.type !== 'boolean') return unified;
    return this.#fail(
      operands[0] as Expression,
      `${operator} cannot compare booleans; use = or <>`,
    );
  }

  #convertEach(
    what: string,
    nodes: readonly Expression[],
    all: readonly TypedExpression[],
    type: 'number' | 'text' | 'boolean',
  ): TypedExpression[] | undefined {
    const wanted = { number: 'numbers', text: 'text', boolean: 'conditions' }[type];
    const converted = nodes.map((node, index) => {
      const typed = all[index] as TypedExpression;
      return convert(typed, type) ?? this.#mismatch(node, typed, `${what} takes ${wanted}`, type);
    });
    return converted.every((each) => each !== undefined) ? converted : undefined;
  }

  /** Converts all to their common type. */
  #unify(
    nodes: readonly Expression[],
    all: readonly TypedExpression[],
  ): TypedExpression[] | undefined {
    const { type, leader } = joinAll(all);
    const reason = `${describeNode(nodes[leader] as Expression)} is ${describeType(type)}`;
    const converted = all.map(
      (typed, index) =>
        convert(typed, type) ?? this.#mismatch(nodes[index] as Expression, typed, reason, type),
    );
    return converted.every((each) => each !== undefined) ? converted : undefined;
  }

  #mismatch(node: Expression, typed: TypedExpression, reason: string, wanted: FieldType) {
    const what = `${reason}, but ${describeNode(node)} is ${describeType(typed.type)}`;
    return this.#fail(node, what + this.#adviseOn(node, typed, wanted));
  }

  /** Says what the author probably meant. */
  #adviseOn(node: Expression, typed: TypedExpression, wanted: FieldType): string {
    if (node.kind !== 'literal')
      return wanted === 'number' && typed.type === 'boolean'
        ? '; write: case when … then 1 else 0 end'
        : '';
    if (node.type !== 'text')
      return wanted === 'text' && node.type !== 'boolean' ? `; write '${node.value}'` : '';
    if (isTime(wanted))
      return wanted === 'date'
        ? "; write a date as '2024-12-31'"
        : "; write a time as '2024-12-31 18:30'";
    if (isTextOf(wanted, node.value)) return `; write ${node.value} without quotes`;
    const isField = typeof this.#scope.field(node.value) === 'object';
    return isField ? `; for the field, write ${JSON.stringify(node.value)}` : '';
  }

  #checkCase({ branches, otherwise }: Case): Result {
    const conditions = branches.map(({ when }) => when);
    const results = [...branches.map(({ value }) => value), ...(otherwise ? [otherwise] : [])];
    const [typedConditions, typedResults] = [this.#checkAll(conditions), this.#checkAll(results)];
    const when =
      typedConditions && this.#convertEach('when', conditions, typedConditions, 'boolean');
    const values = typedResults && this.#unify(results, typedResults);
    if (!when || !values) return undefined;
    return {
      kind: 'case',
      type: joinAll(values).type,
      branches: when.map((condition, index) => ({
        when: condition,
        value: values[index] as TypedExpression,
      })),
      otherwise: otherwise && values.at(-1),
    };
  }

  #checkCall(node: Call): Result {
    const name = node.function;
    if (!isFunction(name)) {
      const other = findOtherName(name);
      const all = `write one of ${functionNames.join(', ')}`;
      const unknown = describeUnknown('function', name, functionNames, all);
      return this.#fail(node, other ? `unknown function "${name}"; write ${other}` : unknown);
    }
    if (!isAggregate(name)) return this.#checkArguments(node, name);
    if (!this.#scope.metric)
      return this.#fail(node, `${name} is an aggregate; use it in a metric, not in a field`);
    if (this.#aggregate)
      return this.#fail(
        node,
        `${name} is inside ${this.#aggregate}; aggregates cannot be nested, so remove one`,
      );
    this.#aggregate = name;
    const result = this.#checkArguments(node, name);
    this.#aggregate = undefined;
    return result;
  }

  #checkArguments(node: Call, name: RowFunction | Aggregate): Result {
    const { usage, parameters, atLeast = parameters.length, repeats, returns } = signatures[name];
    const { length } = node.arguments;
    if (length < atLeast || (length > parameters.length && !repeats)) {
      const count = length === 1 ? '1 argument' : `${length} arguments`;
      return this.#fail(node, `${name} has ${count}; write ${usage}`);
    }
    const all = this.#checkAll(node.arguments);
    const converted =
      all &&
      (parameters[0] === 'same'
        ? this.#unify(node.arguments, all)
        : this.#convertArguments(node, returns === 'number' && !isAggregate(name), all));
    if (!converted) return undefined;
    return {
      kind: 'call',
      type: findType(returns, converted),
      function: name,
      arguments: converted,
    };
  }

  #convertArguments(
    node: Call,
    inDouble: boolean,
    all: TypedExpression[],
  ): TypedExpression[] | undefined {
    const { parameters, usage } = signatures[node.function as RowFunction];
    const converted = all.map((typed, index) => {
      const parameter = parameters[index] ?? parameters.at(-1) ?? 'any';
      const done = convertArgument(typed, parameter, inDouble);
      if (done) return done;
      const argument = node.arguments[index] as Expression;
      const mismatch = describeMismatch(typed, parameter, usage);
      if ('message' in mismatch) return this.#fail(argument, mismatch.message);
      const reason = `${node.function} takes ${describeType(mismatch.type)}`;
      return this.#mismatch(argument, typed, reason, mismatch.type);
    });
    if (!converted.every((each) => each !== undefined)) return undefined;
    const problem = describeCombination(node, converted);
    return problem === undefined ? converted : this.#fail(node, problem);
  }
}

function findType(returns: Signature['returns'], converted: readonly TypedExpression[]): FieldType {
  if (returns === 'same') return joinAll(converted).type;
  if (typeof returns === 'number') return converted[returns]?.type ?? 'text';
  if (returns !== 'format') return returns;
  const format = parseDateFormat(textOf(converted.at(-1)));
  return typeof format === 'string' ? 'date' : format.type;
}

/** The text of a literal. */
const textOf = (typed: TypedExpression | undefined): string =>
  (typed?.kind === 'literal' && typed.value) || '';

/** Says why arguments that are right alone do not fit together. */
function describeCombination(
  node: Call,
  [first, second, third]: readonly TypedExpression[],
): string | undefined {
  if (node.function === 'date_trunc' && textOf(first) === 'hour' && second?.type === 'date')
    return 'a date has no hours; write a longer period, such as day';
  if (node.function === 'to_number' && third && textOf(second) === textOf(third))
    return 'the decimal and the thousands separator are the same; change one of them';
  return undefined;
}

/** Finds the type of every node and replaces every name by its expression. */
export function checkExpression(
  expression: Expression,
  scope: Scope,
): { expression: TypedExpression | undefined; problems: Problem[] } {
  const checker = new Checker(scope);
  const typed = checker.check(expression);
  return { expression: typed, problems: checker.problems };
}
