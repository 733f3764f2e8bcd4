import { checkExpression, type Scope } from '../expression/check.ts';
import { ExpressionError } from '../expression/error.ts';
import { isAggregate } from '../expression/functions.ts';
import { measure, some } from '../expression/measure.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { writeName } from '../expression/tokens.ts';
import type { TypedExpression } from '../expression/tree.ts';
import { describeType, isNumeric } from '../expression/types.ts';
import type { Dataset, FieldDefinition, FieldType, MetricDefinition } from '../files/dataset.ts';
import { namedFormats, type FormatOptions } from '../files/format.ts';
import { limitIssues, type Issue } from '../issues/issue.ts';
import { describeMissing, describeUnknown, type LostColumns } from '../issues/nearest.ts';
import { checkRoles } from './check-predicate.ts';
import { declareType } from './declared-type.ts';
import { checkHierarchies } from './hierarchies.ts';
import { inheritFormat } from './inherit-format.ts';
import { checkMembers } from './members.ts';
import { readsOwnName } from './own-name.ts';
import { createResolver, findDuplicates, keepResolved, type Found } from './resolve-names.ts';
import type { DraftDataset, ResolvedDataset, ResolvedField, ResolvedMetric } from './resolved.ts';
import { checkRowAccess, checkTime } from './time-and-access.ts';

const maxNodes = 5_000;
const maxLevels = 200;

const isAggregateCall = (part: TypedExpression) =>
  part.kind === 'call' && isAggregate(part.function);

/** Columns whose type orders their values, such as enums of PostgreSQL. */
export type ColumnOrders = ReadonlyMap<string, readonly string[]>;

/** Checks one dataset. Each field and metric is resolved on first use. */
class DatasetChecker {
  readonly issues: Issue[] = [];
  readonly fieldNames: string[];
  /** Fields whose column the source has no more. All that uses them has to change, too. */
  readonly lostNames: string[];
  readonly #dataset: Dataset;
  readonly #columns: ReadonlyMap<string, FieldType>;
  /** Names of fields by their lower case. */
  readonly #namesByFold = new Map<string, string[]>();

  readonly #lost: LostColumns | undefined;
  readonly #orders: ColumnOrders;

  constructor(
    dataset: Dataset,
    columns: ReadonlyMap<string, FieldType>,
    lost: LostColumns | undefined,
    orders: ColumnOrders,
  ) {
    this.#dataset = dataset;
    this.#lost = lost;
    this.#orders = orders;
    this.#columns = columns;
    const isLost = ({ name, expression }: FieldDefinition) =>
      expression === undefined && lost?.names.has(name) === true;
    const declared = dataset.fields.filter((field) => !isLost(field)).map(({ name }) => name);
    this.lostNames = dataset.fields.filter(isLost).map(({ name }) => name);
    this.fieldNames = [...new Set([...columns.keys(), ...declared])];
    for (const name of this.fieldNames) {
      const folded = name.toLowerCase();
      this.#namesByFold.set(folded, [...(this.#namesByFold.get(folded) ?? []), name]);
    }
  }

  #report(path: Issue['path'], message: string): undefined {
    this.issues.push({ path, message });
  }

  readonly field = createResolver<ResolvedField>((name) => {
    const index = this.#dataset.fields.findIndex((field) => field.name === name);
    const definition = this.#dataset.fields[index];
    if (definition) {
      const made = this.#makeField(definition, index);
      return this.lostNames.includes(name)
        ? describeMissing(name, this.fieldNames, this.#lost)
        : made;
    }
    const type = this.#columns.get(name);
    const order = this.#orders.get(name);
    if (type)
      return { name, type, ...(order && { order }), expression: { kind: 'column', name, type } };
    const metric = this.#dataset.metrics.find((each) => each.name === name);
    if (!metric || this.#lost?.names.has(name))
      return describeMissing(name, this.fieldNames, this.#lost);
    return readsOwnName(metric)
      ? describeUnknown('column', name, this.#columns.keys())
      : `${JSON.stringify(name)} is a metric; write a field instead`;
  });

  readonly metric = createResolver<ResolvedMetric>((name) => {
    const { metrics } = this.#dataset;
    const index = metrics.findIndex((metric) => metric.name === name);
    const definition = metrics[index];
    if (definition) return this.#makeMetric(definition, index);
    const names = metrics.map((metric) => metric.name);
    return this.#adviseAggregate(name) ?? describeUnknown('metric', name, names);
  });

  /** A field without an aggregate is the most frequent mistake in a metric. */
  #adviseAggregate(name: string): string | undefined {
    if (!this.fieldNames.includes(name)) return undefined;
    const field = this.field(name);
    const isNumber = typeof field === 'object' && isNumeric(field.type);
    const advice = `${isNumber ? 'sum' : 'count_distinct'}(${writeName(name)})`;
    return `${JSON.stringify(name)} is a field; aggregate it, such as ${advice}`;
  }

  /** Adds the issues of an expression, and returns it if it has none. */
  #check(
    { name, expression: text }: { name: string; expression: string },
    path: Issue['path'],
    scope: Scope,
  ): TypedExpression | undefined {
    const report = (start: number, end: number, message: string) => {
      this.issues.push({ path, span: { start, end }, message: `${name}: ${message}` });
    };
    try {
      const { expression, problems } = checkExpression(parseExpression(text), scope);
      for (const { start, end, message } of problems) report(start, end, message);
      if (!expression || problems.length > 0) return undefined;
      const { nodes, levels } = measure(expression);
      if (nodes <= maxNodes && levels <= maxLevels) return expression;
      report(
        0,
        text.length,
        'the expression is too large with the fields and metrics in it; simplify it',
      );
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      report(error.start, error.end, error.message);
    }
    return undefined;
  }

  #makeField(definition: FieldDefinition, index: number): Found<ResolvedField> {
    const { name, expression: text, description, format, colors } = definition;
    const path = ['fields', index];
    const read = this.#read(definition, path);
    if (!read) return undefined;
    const type = definition.type ?? read.type;
    const expression = declareType(read, type);
    if (!expression) {
      const what = text === undefined ? 'the column' : 'the expression';
      const message = `${name}: ${what} has the type ${read.type}, which cannot be read as ${type}; remove "type: ${type}"`;
      return this.#report([...path, 'type'], message);
    }
    if (format && !isNumeric(type))
      this.#report(
        [...path, 'format'],
        `${name}: only numbers can have a format, but the field is ${describeType(type)}; remove the format`,
      );
    this.issues.push(...checkMembers(definition, type, path));
    const order = definition.order ?? (text === undefined ? this.#orders.get(name) : undefined);
    return {
      name,
      ...(description && { description }),
      type,
      ...(format && { format }),
      ...(order && { order }),
      ...(colors && { colors }),
      expression,
    };
  }

  /** The column or expression of a field. */
  #read(
    { name, expression: text }: FieldDefinition,
    path: Issue['path'],
  ): TypedExpression | undefined {
    const type = this.#columns.get(name);
    const column = type && ({ kind: 'column', name, type } as const);
    if (text === undefined) {
      if (column) return column;
      const advice = 'write the name of a column, or add an expression';
      const message = this.#lost?.names.has(name)
        ? describeMissing(name, this.#columns.keys(), this.#lost)
        : describeUnknown('column', name, this.#columns.keys(), advice);
      return this.#report([...path, 'name'], `${name}: ${message}`);
    }
    const twin = this.#namesByFold.get(name.toLowerCase())?.find((other) => other !== name);
    if (twin !== undefined)
      return this.#report(
        [...path, 'name'],
        `${name}: the name differs from ${JSON.stringify(twin)} only in letter case; rename this field`,
      );
    return this.#check({ name, expression: text }, [...path, 'expression'], {
      field: (other) => (other === name && column ? column : this.#expressionOf(other)),
    });
  }

  #expressionOf(name: string): Found<TypedExpression> {
    const field = this.field(name);
    return typeof field === 'object' ? field.expression : field;
  }

  #makeMetric(definition: MetricDefinition, index: number): Found<ResolvedMetric> {
    const { name, description, format, better = 'higher', conditionalFormat } = definition;
    const path = ['metrics', index, 'expression'];
    const expression = this.#check(definition, path, {
      field: (other) => this.#expressionOf(other),
      metric: (other) => {
        if (other === name && this.fieldNames.includes(name)) return this.#adviseAggregate(name);
        const metric = this.metric(other);
        return typeof metric === 'object' ? metric.expression : metric;
      },
    });
    if (!expression) return undefined;
    const { type } = expression;
    if (!some(expression, isAggregateCall))
      return this.#report(
        path,
        `${name}: the expression has no aggregate; add one, such as sum(…) or count()`,
      );
    if (!isNumeric(type))
      return this.#report(
        path,
        `${name}: the expression gives ${describeType(type)}, but a metric must be a number; use an aggregate such as count(…)`,
      );
    return {
      name,
      ...(description && { description }),
      type,
      format: format ?? this.#defaultFormat(definition.expression, type),
      better,
      ...(conditionalFormat && { conditionalFormat }),
      expression,
    };
  }

  #defaultFormat(text: string, type: FieldType): FormatOptions {
    const inherited = inheritFormat(parseExpression(text), (name) => {
      const field = this.field(name);
      return typeof field === 'object' ? field.format : undefined;
    });
    return (
      inherited ??
      (type === 'integer'
        ? namedFormats.integer
        : { style: 'decimal', notation: 'standard', maximumFractionDigits: 2 })
    );
  }
}

interface Resolution {
  /** The dataset, if there is no issue. */
  dataset?: ResolvedDataset;
  /** Is enough to check reports with. */
  draft: DraftDataset;
  issues: Issue[];
}

/** Like `resolveDataset`, in steps between which the caller can do something else. */
export function* resolveInSteps(
  dataset: Dataset,
  columns: ReadonlyMap<string, FieldType>,
  before: readonly string[] = [],
  orders: ColumnOrders = new Map(),
): Generator<void, Resolution> {
  const lost: LostColumns = {
    source: 'connection' in dataset.source ? 'table' : 'file',
    names: new Set(before.filter((name) => !columns.has(name))),
  };
  const checker = new DatasetChecker(dataset, columns, lost, orders);
  const { name, description, timeZone = 'UTC', rowAccess, time, hierarchies, roles } = dataset;
  const names = [...checker.fieldNames, ...checker.lostNames];
  const fields = yield* keepResolved(names, checker.field, checker.issues);
  const metricNames = dataset.metrics.map((metric) => metric.name);
  const metrics = yield* keepResolved(metricNames, checker.metric, checker.issues);
  const issues = limitIssues([
    ...findDuplicates(dataset.fields, ['fields'], 'field'),
    ...findDuplicates(dataset.metrics, ['metrics'], 'metric'),
    ...findDuplicates(roles, ['roles'], 'role'),
    ...checker.issues,
    ...checkTime(dataset, checker.field),
    ...checkRowAccess(dataset),
    ...checkHierarchies(hierarchies, checker.field),
    ...checkRoles(roles, checker.fieldNames, (field) => fields.get(field), lost),
  ]);
  const resolved = {
    name,
    ...(description !== undefined && { description }),
    timeZone,
    rowAccess,
    ...(time !== undefined && { time }),
    fields,
    metrics,
    hierarchies,
    roles,
  };
  const broken = new Set([
    ...checker.fieldNames.filter((field) => !fields.has(field)),
    ...metricNames.filter((metric) => !metrics.has(metric)),
  ]);
  const draft = { ...resolved, broken, lost };
  return issues.length > 0 ? { draft, issues } : { dataset: resolved, draft, issues };
}

/**
 * Resolves the names and types of a dataset.
 *
 * @param columns the columns of its source
 * @param before the columns that its source had when it was applied last
 */
export function resolveDataset(
  dataset: Dataset,
  columns: ReadonlyMap<string, FieldType>,
  before?: readonly string[],
): Resolution {
  const steps = resolveInSteps(dataset, columns, before);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
