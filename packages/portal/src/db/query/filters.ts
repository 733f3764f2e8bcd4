export { emailKey } from '@portal-embed/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** A condition on the rows of a table. */
export interface Filter {
  condition: RawBuilder<SqlBool>;
  /** A weaker condition that has an index, if the condition itself has none. */
  indexed?: RawBuilder<SqlBool>;
}

/** Whether `column` contains `part`, ignoring case; `%` and `_` are ordinary characters. */
export const contains = (column: string, part: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} ILIKE ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`;

/** Like `contains`, for a table with an index on the column's `text_parts`. */
export const containsIndexed = (organizationId: string, column: string, part: string): Filter => ({
  condition: contains(column, part),
  indexed: sql<SqlBool>`text_parts(organization_id, ${sql.ref(column)}, 1)
    @> text_parts(${organizationId}, ${part}, 3)`,
});

/** Whether one of the columns contains `part`; each has an index on its `text_parts`. */
export function anyContainsIndexed(
  organizationId: string,
  columns: readonly string[],
  part: string,
): Filter {
  const filters = columns.map((column) => containsIndexed(organizationId, column, part));
  return {
    condition: anyOf(filters.map(({ condition }) => condition)),
    indexed: anyOf(filters.map(({ indexed }) => indexed!)),
  };
}

const anyOf = (conditions: readonly RawBuilder<SqlBool>[]) =>
  sql<SqlBool>`(${sql.join(conditions, sql` OR `)})`;

/** Combines conditions so that an index finds the matches. */
export const combineFilters = (filters: readonly Filter[]): RawBuilder<SqlBool> =>
  sql.join(
    filters.flatMap(({ condition, indexed }) => (indexed ? [indexed, condition] : [condition])),
    sql` AND `,
  );
