import { sql, type Selectable } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { emailKey } from '../db/query/filters.ts';
import type { Schema } from '../db/schema.ts';

export type OperatorRow = Selectable<Schema['operators']> & {
  /** Whether the operator has accepted an invitation. */
  has_password: boolean;
};

export const findOperator = (db: Database, email: string) =>
  db
    .selectFrom('operators')
    .select('id')
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();

export async function insertOperator(
  db: Database,
  { id, email, name }: { id: string; email: string; name: string },
): Promise<string> {
  await db
    .insertInto('operators')
    .values({ id, email, name, email_key: emailKey(email) })
    .execute();
  return id;
}

export function listOperators(db: Database): Promise<OperatorRow[]> {
  return db
    .selectFrom('operators')
    .leftJoin('admin_accounts', 'operator_id', 'operators.id')
    .selectAll('operators')
    .select(sql<boolean>`password_hash IS NOT NULL`.as('has_password'))
    .orderBy('email_key')
    .execute();
}

export async function deleteOperator(db: Database, email: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('operators')
    .where('email_key', '=', emailKey(email))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
