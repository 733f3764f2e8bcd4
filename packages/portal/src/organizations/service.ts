import { randomUUID } from 'node:crypto';

import type { Look } from '@portal-embed/contract/frame';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator, requireOperator } from '../actor/permissions.ts';
import { inTransaction, type Database } from '../db/connection/open.ts';
import { retryConflicts } from '../db/query/conflicts.ts';
import { pruneLog } from '../db/query/prune-log.ts';
import { PortalError } from '../errors.ts';
import { encodeLogo } from './logo.ts';
import { isOfAdministration, parseHomeUrl, parseOrigin } from './origins.ts';
import * as store from './store.ts';

/**
 * Creates an organization and returns its id, which never changes.
 *
 * @param input.slug short name for the command line, unique in the portal
 * @param input.accentColor `#rrggbb` of the organization's pages, in lower case
 * @param input.operator name in the activity log; default `operator`
 */
export async function createOrganization(
  db: Database,
  input: { slug: string; name: string; accentColor: string; operator?: string },
): Promise<string> {
  const id = randomUUID();
  const { operator = 'operator', ...organization } = input;
  const { slug: subject, ...details } = organization;
  await recordChange(
    { db, organizationId: id, actor: { kind: 'operator', name: operator } },
    { action: 'createOrganization', subject, details },
    async (transaction) => {
      if (await store.insertOrganization(transaction, { id, ...organization })) return;
      throw new PortalError(
        'organization_exists',
        `The organization "${subject}" exists already. Choose another slug.`,
      );
    },
  );
  return id;
}

export const listOrganizations = (db: Database): Promise<store.OrganizationDetails[]> =>
  store.listOrganizations(db);

/**
 * Deletes an organization with all its data and both logs. One entry of the activity log remains: that
 * it was deleted. API keys, URLs and sessions end first, in a transaction and entry of their own.
 */
export async function deleteOrganization(ctx: Context): Promise<void> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const action = 'deleteOrganization';
  const endAccess = async (transaction: Database) => {
    const subject = await store.lockForChange(transaction, organizationId);
    if (subject === undefined) return;
    const activity = { action, subject, details: { ended: 'access' } } as const;
    await recordChange({ ...ctx, db: transaction }, activity, () =>
      store.endAccess(transaction, organizationId),
    );
  };
  const remove = async (transaction: Database) => {
    const subject = await store.lockForDeletion(transaction, organizationId);
    if (subject === undefined) return;
    await pruneLog(transaction, 'audit_entries', organizationId, 'infinity');
    await store.deleteOrganization(transaction, organizationId);
    // From here on, nothing is minted, so no later entry can appear.
    await pruneLog(transaction, 'activity_entries', organizationId, 'infinity');
    await recordChange({ ...ctx, db: transaction }, { action, subject }, async () => {});
  };
  // Otherwise mints and redeems would wait for the whole deletion, each with a connection.
  await retryConflicts(() => inTransaction(ctx.db, endAccess));
  // Requests in flight and the deletion may wait for each other's rows.
  await retryConflicts(() => inTransaction(ctx.db, remove));
}

/** Returns the id of the organization with this slug or id. */
export async function findOrganization(
  db: Database,
  slugOrId: string,
): Promise<string | undefined> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(slugOrId);
  const row = await (isId ? store.findById(db, slugOrId) : store.findBySlug(db, slugOrId));
  return row?.id;
}

/** Addresses of the organization's portal, and the origins that may embed it. */
export async function findOrigins(ctx: Context): Promise<Origins> {
  requireAdministrator(ctx);
  const found = await store.findDetails(ctx.db, ctx.organizationId);
  return { addresses: found?.addresses, embedOrigins: found?.embed_origins };
}

export interface Origins {
  addresses?: readonly string[] | undefined;
  embedOrigins?: readonly string[] | undefined;
}

/**
 * Replaces the given lists: addresses, embed origins or both. Returns them as stored. URLs and sessions
 * at removed addresses end.
 *
 * @param input.beforeAdding is called before an embed origin is added, and may throw to refuse it
 * @param input.adminUrl origin of the administration, whose host name no address may have
 * @throws `address_taken` if an address belongs to another organization
 */
export async function setOrigins(
  ctx: Context,
  {
    beforeAdding,
    adminUrl,
    ...input
  }: Origins & { beforeAdding?: () => void; adminUrl?: string | undefined },
): Promise<Origins> {
  requireAdministrator(ctx);
  // No two organizations can have the same address, so only operators assign addresses.
  if (input.addresses) requireOperator(ctx);
  const addresses = parseOrigins(input.addresses);
  if (addresses?.includes(ctx.publicUrl))
    throw new PortalError(
      'invalid_request',
      `${ctx.publicUrl} is the portal's own address, which every organization can use. Leave it out.`,
    );
  const reserved = addresses?.find((address) =>
    isOfAdministration(address, { adminUrl, publicUrl: ctx.publicUrl }),
  );
  if (reserved !== undefined)
    throw new PortalError(
      'invalid_request',
      `${reserved} has the host name of PORTAL_ADMIN_URL, at which only the administration is answered. Use another host name.`,
    );
  const embedOrigins = parseOrigins(input.embedOrigins);
  const activity = {
    action: 'setOrigins',
    subject: ctx.organizationId,
    details: { addresses, embedOrigins },
  } as const;
  await recordChange(ctx, activity, async (transaction) => {
    await store.lockForChange(transaction, ctx.organizationId);
    if (addresses) {
      const taken = await store.replaceAddresses(transaction, ctx.organizationId, addresses);
      if (taken.length > 0)
        throw new PortalError(
          'address_taken',
          `Nothing was changed: ${taken.join(', ')} belongs to another organization. Use another address.`,
        );
    }
    if (embedOrigins) {
      const before = await store.findDetails(transaction, ctx.organizationId);
      const isAdded = (origin: string) => !before?.embed_origins.includes(origin);
      if (embedOrigins.some(isAdded)) beforeAdding?.();
      await store.replaceEmbedOrigins(transaction, ctx.organizationId, embedOrigins);
    }
  });
  return { addresses, embedOrigins };
}

/** Ways to handle a custom filter that names no column: a note, or no report. */
export const unappliedFilterSettings = ['note', 'refuse'] as const;

/**
 * Sets what happens when a custom filter names no column of a report: the report is shown with a
 * note (`note`, the default) or refused (`refuse`).
 */
export async function setUnappliedFilters(
  ctx: Context,
  unappliedFilters: (typeof unappliedFilterSettings)[number],
): Promise<void> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const details = { unappliedFilters };
  const activity = { action: 'setUnappliedFilters', subject: organizationId, details } as const;
  await recordChange(ctx, activity, (transaction) =>
    store.setUnappliedFilters(transaction, organizationId, unappliedFilters),
  );
}

/**
 * Sets the address of the organization's application, to which readers without a session go back.
 * `null` removes it. Returns it as stored.
 */
export async function setHomeUrl(ctx: Context, address: string | null): Promise<string | null> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const homeUrl = address === null ? null : requireHomeUrl(address);
  const activity = { action: 'setHomeUrl', subject: organizationId, details: { homeUrl } } as const;
  await recordChange(ctx, activity, (transaction) =>
    store.setHomeUrl(transaction, organizationId, homeUrl),
  );
  return homeUrl;
}

/** Days after which entries leave each log; `null` for never. */
export interface LogRetention {
  accessLogDays: number | null;
  activityLogDays: number | null;
}

/**
 * Sets how long entries stay in the logs of the organization; a log that is not given stays as it is.
 * Older entries are removed within a minute. Only operators may: an administrator could otherwise remove
 * the traces of what they did.
 */
export async function setLogRetention(
  ctx: Context,
  retention: { [Log in keyof LogRetention]: LogRetention[Log] | undefined },
): Promise<LogRetention> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const activity = {
    action: 'setLogRetention',
    subject: organizationId,
    details: retention,
  } as const;
  const row = await recordChange(ctx, activity, (transaction) =>
    store.setLogRetention(transaction, organizationId, {
      access: retention.accessLogDays,
      activity: retention.activityLogDays,
    }),
  );
  return { accessLogDays: row.access_log_days, activityLogDays: row.activity_log_days };
}

/** Settings that an administrator changes together. */
export interface SettingsChange {
  name: string;
  /** IANA name. */
  timeZone: string;
  /** BCP 47 tag; `null` for English. */
  language: string | null;
  homeUrl: string | null;
  unappliedFilters: (typeof unappliedFilterSettings)[number];
}

/** @throws `invalid_request` for a time zone, language or address that is not valid */
export async function changeSettings(
  ctx: Context,
  change: SettingsChange,
): Promise<store.OrganizationRow> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const settings = {
    ...change,
    timeZone: requireTimeZone(change.timeZone),
    language: change.language === null ? null : requireLanguage(change.language),
    homeUrl: change.homeUrl === null ? null : requireHomeUrl(change.homeUrl),
  };
  const activity = {
    action: 'changeSettings',
    subject: organizationId,
    details: settings,
  } as const;
  return recordChange(ctx, activity, (transaction) =>
    store.changeSettings(transaction, organizationId, settings),
  );
}

/**
 * Changes the look of the organization's pages.
 *
 * @param change.accentColor `#rrggbb`
 * @param change.look replaces the look; `undefined` keeps it
 * @param change.logo the bytes of a PNG; `null` removes it, `undefined` keeps it
 * @throws `invalid_request` for a logo that cannot be used
 */
export function changeAppearance(
  ctx: Context,
  change: { accentColor: string; look?: Look | undefined; logo?: Buffer | null | undefined },
): Promise<store.OrganizationRow> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const accentColor = change.accentColor.toLowerCase();
  const logo = change.logo && encodeLogo(change.logo);
  const { look } = change;
  const details = {
    accentColor,
    ...(look && { look }),
    ...(logo === undefined ? {} : { logo: logo?.hash ?? null }),
  };
  const activity = { action: 'changeAppearance', subject: organizationId, details } as const;
  return recordChange(ctx, activity, (transaction) =>
    store.changeAppearance(transaction, organizationId, { accentColor, look, logo }),
  );
}

function requireTimeZone(name: string): string {
  const timeZone = canonicalize(name);
  // Intl also knows offsets and old names, which a database may not know.
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  if (timeZone !== undefined && known.includes(timeZone)) return timeZone;
  throw new PortalError(
    'invalid_request',
    `"${name}" is not a time zone. Write it like Europe/Lisbon.`,
  );
}

function canonicalize(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function requireLanguage(tag: string): string {
  try {
    return new Intl.Locale(tag).toString();
  } catch {
    throw new PortalError(
      'invalid_request',
      `"${tag}" is not a language tag. Write it like pt-BR.`,
    );
  }
}

const parseOrigins = (origins: readonly string[] | undefined) =>
  origins && [...new Set(origins.map(requireOrigin))];

function requireOrigin(address: string): string {
  const origin = parseOrigin(address);
  if (origin) return origin;
  throw new PortalError(
    'invalid_request',
    `"${address}" is not an origin. Write it like https://reports.example, without a path.`,
  );
}

function requireHomeUrl(address: string): string {
  const homeUrl = parseHomeUrl(address);
  if (homeUrl) return homeUrl;
  throw new PortalError(
    'invalid_request',
    `"${address}" is not a web address of at most 2,000 characters. Write it like https://app.acme.example/reports.`,
  );
}
