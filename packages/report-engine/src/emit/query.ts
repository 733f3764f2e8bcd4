import type { Aggregate, TypedExpression } from '@portal-embed/report-model';

import { everyOf } from '../plan/compare.ts';
import { keyTypeOf, type Condition, type PlanDimension, type QueryPlan } from '../plan/plan.ts';
import { writeKey } from '../plan/values.ts';
import {
  comparesColumns,
  emitCondition,
  emitGrain,
  listParts,
  type Operands,
} from './condition.ts';
import type { ColumnType, Dialect } from './dialect.ts';
import { emitExpression, type Call } from './expression.ts';
import { join, keyword, render, sql, type Sql, type Statement } from './sql.ts';

/** The table of a query, and how to read its columns. */
export interface Relation {
  /** What FROM names, without an alias. */
  from: Sql;
  columns: ReadonlyMap<string, ColumnType>;
  timeZone: string;
  /** The date in the time zone, for expressions with `today()`. */
  today?: string;
}

/** Aggregates that are 0 over no rows. */
const additive: ReadonlySet<Aggregate> = new Set(['sum', 'count', 'count_distinct']);

const forbidColumn = (): never => {
  throw new Error('A metric uses a column outside its aggregates.');
};

/** Columns of a statement's result. `key` and `other` are per dimension, `value` per metric. */
export const resultColumns = {
  key: (index: number) => `k${index}`,
  other: (index: number) => `o${index}`,
  value: (index: number) => `v${index}`,
  emptyValue: (index: number) => `e${index}`,
  groupCount: 'n',
  set: 't',
} as const;

/**
 * Writes a plan as one statement. Its CTE `r` selects the matching rows with the columns that the
 * groups need, and `g` groups them. A dialect may group the rows of the source without `r`.
 */
export class Emitter {
  readonly #dialect: Dialect;
  readonly #relation: Relation;

  constructor(dialect: Dialect, relation: Relation) {
    this.#dialect = dialect;
    this.#relation = relation;
  }

  emit(plan: QueryPlan): Statement {
    const { dimensions, subtotals = [] } = plan;
    const isSplit = subtotals.length > 0;
    const isInline = this.#dialect.inlinesRows === true && !isSplit;
    const rows = new RowColumns(isInline);
    const keys = dimensions.map((dimension, index) => this.#emitKeys(rows, dimension, index));
    const metrics = plan.metrics.map((metric) => this.#emitMetric(rows, metric));
    const selected = [
      ...(isInline ? rows.list() : keys.flat()),
      ...metrics.map((value, index) => as(value, resultColumns.value(index))),
      ...(plan.emptyValues ? plan.metrics : []).map((metric, index) =>
        as(this.#emitEmpty(metric), resultColumns.emptyValue(index)),
      ),
    ];
    const sets: (readonly number[])[] = [
      dimensions.map((_dimension, index) => index),
      ...subtotals.map((subtotal) => subtotal.dimensions),
    ];
    const write = (set: readonly number[]) =>
      sql`(${join(set.flatMap((index) => keys[index] ?? []))})`;
    const firstKeys = keys.map(([key = sql``]) => key);
    const columns = isSplit
      ? [...selected, as(this.#dialect.grouping(firstKeys), resultColumns.set)]
      : [...selected, as(sql`count(*) OVER ()`, resultColumns.groupCount)];
    const groups = isSplit
      ? sql` GROUP BY GROUPING SETS (${join(sets.map(write))})`
      : dimensions.length > 0
        ? sql` GROUP BY ${join(keys.flat())}`
        : sql``;
    const order = this.#emitOrder(plan, keys);
    const from = sql`FROM ${this.#relation.from} AS s WHERE ${this.#emitRows(plan)}`;
    const source = isInline
      ? sql`WITH g AS (SELECT ${join(columns)} ${from}${groups})`
      : sql`WITH r AS (SELECT ${rows.select()} ${from}), g AS (SELECT ${join(columns)} FROM r${groups})`;
    const result = isSplit ? emitSets(plan, order) : emitGroups(plan, order);
    return render(sql`${source} ${result}`, this.#dialect.placeholder);
  }

  /**
   * Engines evaluate the conditions of a WHERE in any order. CASE evaluates computed conditions only
   * for rows that the reader may see. The conditions on columns before it can use an index.
   */
  #emitRows({ rows: { visible, chosen } }: QueryPlan): Sql {
    const parts = listParts(chosen);
    const isOfColumns = (part: Condition) => comparesColumns(this.#dialect, part);
    const certain = this.#emitCondition(everyOf([visible, ...parts.filter(isOfColumns)]));
    const computed = parts.filter((part) => !isOfColumns(part));
    if (computed.length === 0) return certain;
    const rest = this.#emitCondition(everyOf(computed));
    return visible.kind === 'every'
      ? sql`${certain} AND ${rest}`
      : sql`${certain} AND CASE WHEN ${certain} THEN ${rest} END`;
  }

  #emitCondition(condition: Condition): Sql {
    const { columns, timeZone } = this.#relation;
    const narrow: Operands['narrow'] = (name, comparison) => {
      const type = columns.get(name);
      const column = sql`s.${this.#dialect.quote(name)}`;
      return type && this.#dialect.narrow?.(column, type, timeZone, comparison);
    };
    return emitCondition(
      this.#dialect,
      { emit: (each) => this.#emitOfRow(each), narrow },
      condition,
    );
  }

  /** Adds a dimension's columns to the rows. Returns their names: the key, then whether it is not kept. */
  #emitKeys(rows: RowColumns, dimension: PlanDimension, index: number): Sql[] {
    const key = this.#emitKey(dimension);
    const { kept } = dimension;
    if (kept === undefined) return [rows.add(key, resultColumns.key(index))];
    const type = keyTypeOf(dimension);
    const texts = kept.filter((each) => each !== null).map((each) => writeKey(type, each));
    const isListed =
      texts.length === 0
        ? sql`false`
        : sql`coalesce(${this.#dialect.isIn(key, texts, type)}, false)`;
    const isKept = kept.includes(null) ? sql`(${isListed} OR ${key} IS NULL)` : isListed;
    return [
      rows.add(sql`CASE WHEN ${isKept} THEN ${key} END`, resultColumns.key(index)),
      rows.add(sql`NOT ${isKept}`, resultColumns.other(index)),
    ];
  }

  #emitKey({ expression, grain }: PlanDimension): Sql {
    const value = this.#emitOfRow(expression);
    return grain === undefined
      ? this.#dialect.key(value, expression.type)
      : emitGrain(this.#dialect, value, grain);
  }

  #emitMetric(rows: RowColumns, metric: TypedExpression): Sql {
    const aggregate = (call: Call & { function: Aggregate }) => {
      // Only the share of a quantile is a literal. All other arguments have a value for each row.
      const sortable = call.arguments.map((argument) => {
        const value = this.#emitOfRow(argument);
        return this.#dialect.sortable(
          argument.kind === 'literal' ? value : rows.add(value),
          argument.type,
        );
      });
      const types = call.arguments.map(({ type }) => type);
      return this.#dialect.aggregate[call.function](sortable, types);
    };
    const { today } = this.#relation;
    return emitExpression(this.#dialect, { column: forbidColumn, aggregate, today }, metric);
  }

  /** Writes a metric over no rows. */
  #emitEmpty(metric: TypedExpression): Sql {
    const aggregate = (call: Call & { function: Aggregate }) => {
      const value = additive.has(call.function) ? '0' : null;
      return this.#emitOfRow({ kind: 'literal', type: call.type, value });
    };
    const { today } = this.#relation;
    return emitExpression(this.#dialect, { column: forbidColumn, aggregate, today }, metric);
  }

  #emitOfRow(expression: TypedExpression): Sql {
    const { columns, timeZone, today } = this.#relation;
    const column = (name: string) => {
      const type = columns.get(name);
      if (type === undefined) throw new Error(`The dataset has no column "${name}".`);
      return this.#dialect.readColumn(sql`s.${this.#dialect.quote(name)}`, type, timeZone);
    };
    return emitExpression(this.#dialect, { column, today }, expression);
  }

  /** @param keys for each dimension the names of the key and, if some are not kept, of a boolean */
  #emitOrder({ order, dimensions, metrics }: QueryPlan, keys: readonly Sql[][]): Sql {
    const sortKeys = (name: Sql, index: number) => {
      const dimension = dimensions[index]!;
      const key = this.#dialect.sortable(name, keyTypeOf(dimension));
      return dimension.order ? [this.#emitRank(name, dimension), key] : [key];
    };
    const wanted = order.flatMap(({ by, index, isDescending }) => {
      const values =
        by === 'metric'
          ? [this.#dialect.sortable(keyword(resultColumns.value(index)), metrics[index]!.type)]
          : sortKeys(keyword(resultColumns.key(index)), index);
      return values.map((value) => sql`${value}${isDescending ? sql` DESC` : sql``} NULLS LAST`);
    });
    const all = keys.flatMap(([key = sql``, ...others], index) => [
      ...sortKeys(key, index),
      ...others,
    ]);
    return join([...wanted, ...all.map((key) => sql`${key} NULLS LAST`)]);
  }

  /** The position of a key in the order of its dimension; null for null, which comes last. */
  #emitRank(key: Sql, dimension: PlanDimension): Sql {
    const type = keyTypeOf(dimension);
    const cases = (dimension.order ?? []).map((each, rank) => {
      const isEqual = this.#dialect.isIn(key, [writeKey(type, each)], type);
      return sql`WHEN ${isEqual} THEN ${keyword(String(rank))}`;
    });
    const last = keyword(String(cases.length));
    return sql`CASE WHEN ${key} IS NULL THEN NULL ${join(cases, ' ')} ELSE ${last} END`;
  }
}

const as = (value: Sql, name: string): Sql => sql`${value} AS ${keyword(name)}`;

function emitGroups({ dimensions, limit, offset }: QueryPlan, order: Sql): Sql {
  if (dimensions.length === 0) return sql`SELECT * FROM g`;
  const end = limit === undefined ? sql`` : sql` LIMIT ${keyword(String(limit))}`;
  const start = offset ? sql` OFFSET ${keyword(String(offset))}` : sql``;
  return sql`SELECT * FROM g ORDER BY ${order}${end}${start}`;
}

/** Selects the groups of each grouping set in order, up to the limit of the set. */
function emitSets(plan: QueryPlan, order: Sql): Sql {
  const window = sql`OVER (PARTITION BY ${keyword(resultColumns.set)}`;
  const limits = listSets(plan).map(({ mask, limit }) => {
    const isSet = sql`${keyword(resultColumns.set)} = ${keyword(String(mask))}`;
    return limit === undefined ? isSet : sql`(${isSet} AND i <= ${keyword(String(limit))})`;
  });
  return sql`SELECT * FROM (SELECT *, count(*) ${window}) AS ${keyword(resultColumns.groupCount)}, row_number() ${window} ORDER BY ${order}) AS i FROM g) AS w WHERE ${join(limits, ' OR ')} ORDER BY ${keyword(resultColumns.set)}, i`;
}

/**
 * The grouping sets of a plan. The first one has all dimensions. The mask is the result of SQL's
 * `grouping`: one bit for each dimension, set if the dimension is absent. The last dimension is bit 0.
 */
export function listSets({ dimensions, limit, subtotals = [] }: QueryPlan) {
  const all = dimensions.map((_dimension, index) => index);
  return [{ dimensions: all, limit }, ...subtotals].map((set) => {
    const bits = all.map((index) => Number(!set.dimensions.includes(index)));
    return {
      dimensions: set.dimensions,
      limit: set.limit,
      mask: bits.reduce((mask, bit) => 2 * mask + bit, 0),
    };
  });
}

/** The columns of `r`. Equal expressions share a column. */
class RowColumns {
  readonly #columns = new Map<string, { name: Sql; value: Sql }>();
  readonly #isInline: boolean;

  /** @param isInline whether values without a name are written in place */
  constructor(isInline: boolean) {
    this.#isInline = isInline;
  }

  add(value: Sql, name?: string): Sql {
    if (this.#isInline && name === undefined) return value;
    const text = JSON.stringify(value);
    const known = name === undefined ? this.#columns.get(text) : undefined;
    if (known) return known.name;
    const column = { name: keyword(name ?? `a${this.#columns.size}`), value };
    this.#columns.set(name ?? text, column);
    return column.name;
  }

  list(): Sql[] {
    return [...this.#columns.values()].map(({ name, value }) => sql`${value} AS ${name}`);
  }

  select(): Sql {
    return this.#columns.size === 0 ? sql`1 AS one` : join(this.list());
  }
}
