import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Whether `column` contains `part`, ignoring case; `%` and `_` are ordinary characters. */
export const contains = (column: string, part: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} ILIKE ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`;

/** The form in which an e-mail is unique, found and sorted. */
export const emailKey = (email: string): string => email.toLowerCase();
