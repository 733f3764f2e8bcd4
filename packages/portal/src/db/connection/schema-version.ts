import fs from 'node:fs/promises';

import { PortalError } from '../../errors.ts';
import { packageFolder } from '../../package-folder.ts';
import { version } from '../../version.ts';

/** Runs a query: a pool, a connection, or the `ping` of the readiness check. */
export interface Queryable {
  query: (text: string) => Promise<{ rows: unknown[] }>;
}

interface AppliedMigration {
  name: string;
  /** The oldest release that works with the schema after it; `null` for any. */
  oldest_release: string | null;
}

export const migrationsFolder = new URL('migrations/', packageFolder);

// As JSON, because the schema of release 0.1 lacks the column.
const migrationColumns = "name, to_jsonb(applied) ->> 'oldest_release' AS oldest_release";

/** Returns the applied migrations; none for an empty database. */
export const readApplied = (db: Queryable): Promise<AppliedMigration[]> =>
  readRows(db, `SELECT ${migrationColumns} FROM schema_migrations AS applied`);

/**
 * Checks with one query whether this release works with the schema, and whether there is an organization.
 *
 * @throws `portal_outdated`
 */
export async function readReadiness(db: Queryable): Promise<{ isEmpty: boolean }> {
  const rows = await readRows<AppliedMigration & { has_organization: boolean }>(
    db,
    `SELECT ${migrationColumns}, EXISTS (SELECT FROM organizations) AS has_organization
    FROM schema_migrations AS applied`,
  );
  requireUsable(rows);
  return { isEmpty: !rows.some((row) => row.has_organization) };
}

/** Returns no rows if the tables do not exist. */
async function readRows<Row>(db: Queryable, query: string): Promise<Row[]> {
  try {
    return (await db.query(query)).rows as Row[];
  } catch (error) {
    if ((error as { code?: unknown }).code === '42P01') return [];
    throw error;
  }
}

/** Returns the names of missing migrations of this release. */
export async function findMissing(applied: readonly AppliedMigration[]): Promise<string[]> {
  const known = new Set(applied.map(({ name }) => name));
  return (await listMigrations()).filter((name) => !known.has(name));
}

/** Returns the names of the migrations of this release, in the order in which they are applied. */
export async function listMigrations(): Promise<string[]> {
  const files = await fs.readdir(migrationsFolder);
  return files.filter((name) => name.endsWith('.sql')).toSorted();
}

/** @throws `portal_outdated` if an applied migration requires a newer release. */
export function requireUsable(applied: readonly AppliedMigration[], ours = version): void {
  const oldest = applied
    .flatMap(({ oldest_release }) => oldest_release ?? [])
    .toSorted(compareReleases)
    .at(-1);
  if (oldest === undefined || compareReleases(ours, oldest) >= 0) return;
  throw new PortalError(
    'portal_outdated',
    `The database was migrated for release ${oldest} or later, and this portal is ${ours}. Install release ${oldest} or later.`,
  );
}

export const schemaOutdated = (isEmpty: boolean, missing: readonly string[]): PortalError =>
  new PortalError(
    'schema_outdated',
    isEmpty
      ? 'The database has no portal tables yet. Check that it is the right database, then run `portal migrate`.'
      : `The database has an older schema: it lacks ${missing.join(', ')}. Run \`portal migrate\`, then try again.`,
  );

export const compareReleases = new Intl.Collator('en', { numeric: true }).compare;

/** Reads, from the header of a migration, the oldest release that works with the schema after it. */
export const readOldestRelease = (migration: string): string | null =>
  /^-- Oldest release: (\d+\.\d+\.\d+)$/m.exec(migration)?.[1] ?? null;
