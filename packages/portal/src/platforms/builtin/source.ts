import type { FieldType } from '@portal-embed/report-model';

import type { QueryCache } from './cache/query-cache.ts';
import type { ColumnType, Dialect } from './emit/dialect.ts';
import { Emitter } from './emit/query.ts';
import type { Sql, Statement } from './emit/sql.ts';
import type { Row } from './engine/messages.ts';
import type { Owner } from './engine/turns.ts';
import type { PlanResult, QueryPlan } from './plan/plan.ts';
import { readResult } from './plan/results.ts';
import type { Slices } from './slices.ts';

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

/** Answers the plans of one reader over a source. */
export function answerPlans(
  cache: QueryCache,
  owner: Owner,
  source: Source,
  timeZone: string,
  signal: AbortSignal,
  slices: Slices,
): (plan: QueryPlan) => Promise<PlanResult> {
  const { dialect, from, columns } = source;
  const emitter = new Emitter(dialect, { from, columns, timeZone });
  return async (plan) => {
    await slices.next(owner, signal);
    const rows = await cache.query(owner, source, emitter.emit(plan), signal);
    await slices.next(owner, signal);
    return readResult(plan, rows);
  };
}
