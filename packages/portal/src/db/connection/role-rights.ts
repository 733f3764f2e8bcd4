import { sql } from 'kysely';

import { ConfigurationError } from '../../errors.ts';
import type { Database } from './open.ts';

/** What the role that runs the portal may do in PostgreSQL. */
export interface RoleRights {
  role: string;
  /** Whether it may change the portal's tables. */
  isOwner: boolean;
  /**
   * Tables of the portal's owner whose rows it may not read and write. Entries of the two logs need only
   * be read and added.
   */
  lacking: string[];
  /** How many connections it may open. */
  connections: number;
}

/** Reads the rights of the role on the portal's tables. */
export async function readRights(db: Database): Promise<RoleRights> {
  const { rows } = await sql<RoleRights>`
    WITH ours AS (
      SELECT oid, relnamespace, relowner FROM pg_class WHERE oid = 'schema_migrations'::regclass
    )
    SELECT current_user AS role,
      pg_has_role(ours.relowner, 'USAGE') AS "isOwner",
      ARRAY(
        SELECT each.relname::text FROM pg_class AS each
        WHERE each.relkind IN ('r', 'p') AND each.oid <> ours.oid
          AND each.relnamespace = ours.relnamespace AND each.relowner = ours.relowner
          AND NOT (has_table_privilege(each.oid, 'SELECT') AND has_table_privilege(each.oid, 'INSERT')
            AND (
              each.relname IN ('activity_entries', 'audit_entries')
              OR has_table_privilege(each.oid, 'UPDATE') AND has_table_privilege(each.oid, 'DELETE')
            ))
        ORDER BY each.relname) AS lacking,
      LEAST(
        current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int,
        NULLIF(rolconnlimit, -1)) AS connections
    FROM ours, pg_roles WHERE rolname = current_user`.execute(db);
  return rows[0]!;
}

/** Tables without which no link opens. */
const essential = new Set(['identity_urls', 'portal_sessions', 'users']);

/** @throws `ConfigurationError` if the role may not read and write the rows of the essential tables */
export function requireRights(rights: RoleRights): void {
  if (rights.lacking.some((table) => essential.has(table)))
    throw new ConfigurationError(describeLacking(rights));
}

/** Says which tables the role may not read and write, and what to do. */
export const describeLacking = ({ role, lacking }: RoleRights): string =>
  `The role "${role}" of PORTAL_DATABASE_URL may not read and write these tables: ${listFirst(lacking)}. If they are tables of the portal, run as their owner: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "${role}".`;

const listFirst = (names: readonly string[]): string =>
  names.length <= 5
    ? names.join(', ')
    : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;
