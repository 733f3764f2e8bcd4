import { keyword, sql, type Sql } from './sql.ts';

/** Rounds half away from zero. Beyond 2^52 a double has no fraction. */
export function roundHalf(value: Sql, digits: Sql | undefined): Sql {
  const scale = digits ? sql`pow(10, ${digits})` : sql`1`;
  const limit = keyword(String(2 ** 52));
  return sql`CASE WHEN abs(${value}) * ${scale} >= ${limit} THEN ${value} ELSE sign(${value}) * floor(abs(${value}) * ${scale} + 0.5) / ${scale} END`;
}
