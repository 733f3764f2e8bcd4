import type { FieldType } from '@portal-embed/report-model';

import { sql, type Sql } from './sql.ts';

/**
 * Writes a number of characters or a position as an integer. A literal is checked already. Another
 * number is rounded down, and null below `least`, because engines differ in what they make of it.
 */
export const countCharacters = (
  value: Sql,
  type: FieldType | undefined,
  least: 0 | 1,
  integer: (value: Sql) => Sql,
): Sql =>
  integer(
    type === 'integer'
      ? value
      : sql`CASE WHEN ${value} >= 1000000000 THEN 1000000000 WHEN ${value} >= ${least === 0 ? sql`0` : sql`1`} THEN floor(${value}) END`,
  );
