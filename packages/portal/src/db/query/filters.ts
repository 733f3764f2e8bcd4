export { emailKey } from '@portal-embed/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** A condition on the rows of a table. */
export interface Filter {
  condition: RawBuilder<SqlBool>;
  /** What follows from the condition and has an index, where the condition itself has none. */
  indexed?: RawBuilder<SqlBool>;
}

/** Whether `column` contains `part`, ignoring case; `%` and `_` are ordinary characters. */
export const contains = (column: string, part: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} ILIKE ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`;

/** The same, for a table that has an index of the column's `text_parts`. */
export const containsIndexed = (organizationId: string, column: string, part: string): Filter => ({
  condition: contains(column, part),
  indexed: sql<SqlBool>`text_parts(organization_id, ${sql.ref(column)}, 1)
    @> text_parts(${organizationId}, ${part}, 3)`,
});

/** All conditions at once, in a form that finds the matches through an index. */
export const matchesOf = (filters: readonly Filter[]): RawBuilder<SqlBool> =>
  sql.join(
    filters.flatMap(({ condition, indexed }) => (indexed ? [indexed, condition] : [condition])),
    sql` AND `,
  );
