import { sql } from 'kysely';

import { ConfigurationError } from '../../errors.ts';
import type { Database } from './open.ts';

/** What the role that runs the portal may do in PostgreSQL. */
export interface RoleRights {
  role: string;
  /** Whether it may change the portal's tables. */
  isOwner: boolean;
  /** The portal's tables whose rows it may not read and write. */
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
            AND has_table_privilege(each.oid, 'UPDATE') AND has_table_privilege(each.oid, 'DELETE'))
        ORDER BY each.relname) AS lacking,
      LEAST(
        current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int,
        NULLIF(rolconnlimit, -1)) AS connections
    FROM ours, pg_roles WHERE rolname = current_user`.execute(db);
  return rows[0]!;
}

/** @throws `ConfigurationError` if the role may not read and write the rows of all tables */
export function requireRights({ role, lacking }: RoleRights): void {
  if (lacking.length === 0) return;
  throw new ConfigurationError(
    `The role "${role}" of PORTAL_DATABASE_URL may not read and write all tables of the portal, such as ${lacking[0]}. Run as their owner: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "${role}".`,
  );
}
