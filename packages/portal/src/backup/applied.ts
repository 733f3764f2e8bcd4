import {
  findMissing,
  listMigrations,
  readApplied,
  requireUsable,
  schemaOutdated,
} from '../db/connection/schema-version.ts';
import { PortalError } from '../errors.ts';
import { version } from '../version.ts';
import type { Session } from './session.ts';

/**
 * Returns the names of the applied migrations of a database that has exactly those of this release.
 *
 * @throws `schema_outdated`; `portal_outdated` if a newer release has migrated it, because this one does
 *   not know its tables
 */
export async function findApplied(db: Session): Promise<string[]> {
  const applied = await readApplied({ query: async (text) => ({ rows: await db.query(text) }) });
  requireUsable(applied);
  const missing = await findMissing(applied);
  if (missing.length > 0) throw schemaOutdated(applied.length === 0, missing);
  const known = await listMigrations();
  const names = applied.map(({ name }) => name).toSorted();
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new PortalError(
      'portal_outdated',
      `A newer release has migrated the database (${unknown.join(', ')}), and this portal is ${version}. Run the command of that release.`,
    );
  return names;
}
