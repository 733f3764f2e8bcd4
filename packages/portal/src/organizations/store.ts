import type { Selectable } from 'kysely';

import type { Database } from '../db/open.ts';
import type { Schema } from '../db/schema.ts';

export type OrganizationRow = Selectable<Schema['organizations']>;

export async function insertOrganization(
  db: Database,
  organization: { id: string; slug: string; name: string; accentColor: string },
): Promise<void> {
  const { accentColor, ...rest } = organization;
  await db
    .insertInto('organizations')
    .values({ ...rest, accent_color: accentColor })
    .execute();
}

export function findBySlug(db: Database, slug: string): Promise<OrganizationRow | undefined> {
  return db.selectFrom('organizations').selectAll().where('slug', '=', slug).executeTakeFirst();
}

export function findById(db: Database, id: string): Promise<OrganizationRow | undefined> {
  return db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findByAddress(db: Database, origin: string): Promise<OrganizationRow | undefined> {
  return db
    .selectFrom('organizations')
    .innerJoin('organization_addresses', 'organization_id', 'organizations.id')
    .selectAll('organizations')
    .where('origin', '=', origin)
    .executeTakeFirst();
}

export async function listEmbedOrigins(db: Database, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('organization_embed_origins')
    .select('origin')
    .where('organization_id', '=', organizationId)
    .orderBy('origin')
    .execute();
  return rows.map((row) => row.origin);
}

export async function replaceAddresses(
  db: Database,
  organizationId: string,
  origins: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('organization_addresses')
    .where('organization_id', '=', organizationId)
    .execute();
  if (origins.length > 0)
    await db
      .insertInto('organization_addresses')
      .values(origins.map((origin) => ({ origin, organization_id: organizationId })))
      .execute();
}

export async function replaceEmbedOrigins(
  db: Database,
  organizationId: string,
  origins: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('organization_embed_origins')
    .where('organization_id', '=', organizationId)
    .execute();
  if (origins.length > 0)
    await db
      .insertInto('organization_embed_origins')
      .values(origins.map((origin) => ({ origin, organization_id: organizationId })))
      .execute();
}
