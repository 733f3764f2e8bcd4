import type { QueryCache } from '../cache/query-cache.ts';
import { duckdb } from '../emit/duckdb.ts';
import { Emitter } from '../emit/query.ts';
import type { Owner } from '../engine/turns.ts';
import type { PlanResult, QueryPlan } from '../plan/plan.ts';
import { readResult } from '../plan/results.ts';
import type { OpenedFiles } from './datasets.ts';

/** Answers the plans of one reader over a dataset's files. */
export function createSource(
  cache: QueryCache,
  owner: Owner,
  { files, columns }: OpenedFiles,
  timeZone: string,
  signal: AbortSignal,
): (plan: QueryPlan) => Promise<PlanResult> {
  const emitter = new Emitter(duckdb, { name: 'dataset', columns, timeZone });
  return async (plan) => {
    const { text, values } = emitter.emit(plan);
    const { rows } = await cache.query(owner, { dataset: files, text, values }, signal);
    return readResult(plan, rows);
  };
}
