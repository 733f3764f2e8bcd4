import type pg from 'pg';

import { ConfigurationError } from '../../errors.ts';

type Queryable = Pick<pg.Pool, 'query'>;

/** The oldest version of PostgreSQL that the portal is tested with. */
const oldestVersion = 15;

/**
 * Checks that the server is new enough, and that the role may use a schema.
 *
 * @throws `ConfigurationError`
 */
export async function requireServer(pool: Queryable): Promise<void> {
  const { rows } = await pool.query<{ number: string; role: string; schema: string | null }>(`
    SELECT current_setting('server_version_num') AS number, current_user AS role,
      current_schema() AS schema`);
  const { number, role, schema } = rows[0]!;
  const version = Math.floor(Number(number) / 10_000);
  if (version < oldestVersion)
    throw new ConfigurationError(
      `The server of PORTAL_DATABASE_URL is PostgreSQL ${version}; the portal needs ${oldestVersion} or later. Upgrade the server, or use another one.`,
    );
  if (schema === null)
    throw new ConfigurationError(
      `The role "${role}" of PORTAL_DATABASE_URL may use no schema of the database. Run as the owner of the database: GRANT USAGE ON SCHEMA public TO "${role}".`,
    );
}

/** @throws `ConfigurationError` if a migration failed because the role may not change tables */
export function explainMissingRight(error: unknown): never {
  if ((error as { code?: unknown }).code !== '42501') throw error;
  throw new ConfigurationError(
    `The role of PORTAL_DATABASE_URL may not migrate the database (${(error as Error).message}). Run \`portal migrate\` with the address of the role that owns the tables, and set PORTAL_MIGRATE=off for this one.`,
  );
}
