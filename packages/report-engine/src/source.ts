import type { FieldType } from '@portal-embed/report-model';

import type { ColumnType, Dialect } from './emit/dialect.ts';
import { Emitter } from './emit/query.ts';
import { readResult } from './emit/results.ts';
import type { Sql, Statement } from './emit/sql.ts';
import type { Row } from './engine/messages.ts';
import type { Owner } from './limits/turns.ts';
import type { PlanResult, QueryPlan } from './plan/plan.ts';
import { readClock } from './plan/time.ts';

/** Where the rows of a dataset are, in files or in a database, and how to ask for them. */
export interface Source {
  dialect: Dialect;
  /** What FROM names, without an alias. */
  from: Sql;
  columns: ReadonlyMap<string, ColumnType>;
  /** Distinguishes statements over these rows from equal ones over others. */
  key: string;
  /** How old a kept result may be, in milliseconds. Default: no limit, as `key` has a version. */
  maxAgeMs?: number;
  /**
   * Waits for the owner's turn, then runs the statement. Aborting `signal` stops it.
   *
   * @param onStart called when its turn has come; it may abort `signal`
   * @throws `ReportError`, or the reason of `signal`
   */
  query: (
    owner: Owner,
    statement: Statement,
    signal: AbortSignal,
    onStart?: () => void,
  ) => Promise<Row[]>;
}

/** Column → the field type in which it is read. */
export const typesOf = ({ dialect, columns }: Source): ReadonlyMap<string, FieldType> =>
  new Map([...columns].map(([column, { name }]) => [column, dialect.fieldTypeOf(name)]));

/** Column → its values in the order of its type. */
export const ordersOf = ({ dialect, columns }: Source): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...columns].flatMap(([column, { name }]) => {
      const order = dialect.orderOf?.(name);
      return order ? [[column, order] as const] : [];
    }),
  );

/**
 * Answers plans over a source. `query` runs their statements. The date of `today()` is one of their
 * values, so that a cached result is not used on another day.
 */
export function answerPlans(
  query: (statement: Statement) => Promise<readonly Row[]>,
  { dialect, from, columns }: Pick<Source, 'dialect' | 'from' | 'columns'>,
  timeZone: string,
  now: Date,
): (plan: QueryPlan) => Promise<PlanResult> {
  const today = readClock(now, timeZone).slice(0, 10);
  const emitter = new Emitter(dialect, { from, columns, timeZone, today });
  return async (plan) => readResult(plan, await query(emitter.emit(plan)));
}
