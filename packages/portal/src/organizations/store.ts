import type { Look } from '@portal-embed/contract/frame';
import { sql, type Expression, type Selectable } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import type { Schema } from '../db/schema.ts';

export type OrganizationRow = Selectable<Schema['organizations']>;

/** Inserts the organization; returns whether its slug was new. */
export async function insertOrganization(
  db: Database,
  organization: { id: string; slug: string; name: string; accentColor: string },
): Promise<boolean> {
  const { accentColor, ...rest } = organization;
  const result = await db
    .insertInto('organizations')
    .values({ ...rest, accent_color: accentColor })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export interface OrganizationDetails extends OrganizationRow {
  addresses: string[];
  embed_origins: string[];
}

const embedOrigins = sql<string[]>`ARRAY(
  SELECT origin FROM organization_embed_origins
  WHERE organization_id = organizations.id ORDER BY origin
)`.as('embed_origins');

const selectDetails = (db: Database) =>
  db
    .selectFrom('organizations')
    .selectAll()
    .select([
      sql<string[]>`ARRAY(
        SELECT origin FROM organization_addresses
        WHERE organization_id = organizations.id ORDER BY origin
      )`.as('addresses'),
      embedOrigins,
    ]);

export const listOrganizations = (db: Database): Promise<OrganizationDetails[]> =>
  selectDetails(db)
    .orderBy(sql`slug COLLATE "C"`)
    .execute();

export const findDetails = (db: Database, id: string): Promise<OrganizationDetails | undefined> =>
  selectDetails(db).where('id', '=', id).executeTakeFirst();

/** Whether a report of the organization is of one of the platforms. Without platforms it costs nothing. */
export const hasFrames = (
  organizationId: Expression<string>,
  platforms: Expression<readonly string[]>,
) => sql<boolean>`(cardinality(${platforms}::text[]) > 0 AND EXISTS (
  SELECT FROM reports
  WHERE reports.organization_id = ${organizationId} AND reports.platform = ANY(${platforms}::text[])
))`;

/** Addresses of the organization's portal. */
export async function listAddresses(db: Database, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('organization_addresses')
    .select('origin')
    .where('organization_id', '=', organizationId)
    .orderBy('origin')
    .execute();
  return rows.map(({ origin }) => origin);
}

const selectSlug = (db: Database, id: string) =>
  db.selectFrom('organizations').select('slug').where('id', '=', id);

/** Returns the organization's slug, locked against changes of its row until the transaction ends. */
export const lockForChange = async (db: Database, id: string): Promise<string | undefined> =>
  (await selectSlug(db, id).forNoKeyUpdate().executeTakeFirst())?.slug;

/** Returns the organization's slug, locked against new references until the transaction ends. */
export const lockForDeletion = async (db: Database, id: string): Promise<string | undefined> =>
  (await selectSlug(db, id).forUpdate().executeTakeFirst())?.slug;

/** Ends API keys, URLs and sessions, in the order in which each creates the next. */
export async function endAccess(db: Database, organizationId: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: sql`now()` })
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .execute();
  for (const table of ['identity_urls', 'portal_sessions'] as const)
    await db.deleteFrom(table).where('organization_id', '=', organizationId).execute();
}

export async function deleteOrganization(db: Database, id: string): Promise<void> {
  await db.deleteFrom('organizations').where('id', '=', id).execute();
}

export function findBySlug(db: Database, slug: string): Promise<OrganizationRow | undefined> {
  return db.selectFrom('organizations').selectAll().where('slug', '=', slug).executeTakeFirst();
}

export function findById(db: Database, id: string): Promise<OrganizationRow | undefined> {
  return db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Finds the appearance of the organization with this id or address.
 *
 * @param framed `has_frames` says whether a report is of one of these platforms
 */
export function findLook(
  db: Database,
  by: { id: string } | { address: string },
  framed: readonly string[],
): Promise<
  | (Pick<
      OrganizationDetails,
      | 'id'
      | 'name'
      | 'accent_color'
      | 'look'
      | 'home_url'
      | 'logo_hash'
      | 'language'
      | 'embed_origins'
    > & { has_frames: boolean })
  | undefined
> {
  const query = db
    .selectFrom('organizations')
    .select([
      'id',
      'name',
      'accent_color',
      'look',
      'home_url',
      'logo_hash',
      'language',
      embedOrigins,
      hasFrames(sql.ref('organizations.id'), sql.val(framed)).as('has_frames'),
    ]);
  if ('id' in by) return query.where('id', '=', by.id).executeTakeFirst();
  return query
    .innerJoin('organization_addresses', 'organization_id', 'organizations.id')
    .where('origin', '=', by.address)
    .executeTakeFirst();
}

/**
 * Replaces the addresses and ends URLs and sessions at removed ones, because another organization may
 * register them next. Returns the given `origins`, without duplicates, that belong to another
 * organization and were not set.
 */
export async function replaceAddresses(
  db: Database,
  organizationId: string,
  origins: readonly string[],
): Promise<string[]> {
  const had = await db
    .deleteFrom('organization_addresses')
    .where('organization_id', '=', organizationId)
    .returning('origin')
    .execute();
  const givenUp = had.map((row) => row.origin).filter((origin) => !origins.includes(origin));
  if (givenUp.length > 0)
    // URLs first, because they create sessions.
    for (const table of ['identity_urls', 'portal_sessions'] as const)
      await db
        .deleteFrom(table)
        .where('organization_id', '=', organizationId)
        .where('address', 'in', givenUp)
        .execute();
  if (origins.length === 0) return [];
  const set = await db
    .insertInto('organization_addresses')
    .values(origins.map((origin) => ({ origin, organization_id: organizationId })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('origin')
    .execute();
  return origins.filter((origin) => !set.some((row) => row.origin === origin));
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

export async function setUnappliedFilters(
  db: Database,
  id: string,
  unappliedFilters: OrganizationRow['unapplied_filters'],
): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ unapplied_filters: unappliedFilters })
    .where('id', '=', id)
    .execute();
}

export function changeSettings(
  db: Database,
  id: string,
  settings: {
    name: string;
    timeZone: string;
    language: string | null;
    homeUrl: string | null;
    unappliedFilters: OrganizationRow['unapplied_filters'];
  },
): Promise<OrganizationRow> {
  return db
    .updateTable('organizations')
    .set({
      name: settings.name,
      time_zone: settings.timeZone,
      language: settings.language,
      home_url: settings.homeUrl,
      unapplied_filters: settings.unappliedFilters,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function changeAppearance(
  db: Database,
  id: string,
  change: {
    accentColor: string;
    look?: Look | undefined;
    logo?: { png: Buffer; hash: string } | null | undefined;
  },
): Promise<OrganizationRow> {
  const { accentColor, look, logo } = change;
  return db
    .updateTable('organizations')
    .set({
      accent_color: accentColor,
      ...(look && { look: JSON.stringify(look) }),
      ...(logo === undefined ? {} : { logo: logo?.png ?? null, logo_hash: logo?.hash ?? null }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findLogo(
  db: Database,
  { id, hash }: { id: string; hash: string },
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select('logo')
    .where('id', '=', id)
    .where('logo_hash', '=', hash)
    .executeTakeFirst();
  return row?.logo ?? undefined;
}

/** @param days `undefined` leaves a log as it is */
export function setLogRetention(
  db: Database,
  id: string,
  days: { access: number | null | undefined; activity: number | null | undefined },
): Promise<OrganizationRow> {
  return db
    .updateTable('organizations')
    .set({ access_log_days: days.access, activity_log_days: days.activity })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function setHomeUrl(db: Database, id: string, homeUrl: string | null): Promise<void> {
  await db.updateTable('organizations').set({ home_url: homeUrl }).where('id', '=', id).execute();
}
