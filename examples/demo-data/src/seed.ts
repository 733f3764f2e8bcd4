import { permissions, type Permission } from '@portal-embed/contract';
import {
  authenticateKey,
  createApiKey,
  createGroup,
  createOrganization,
  createUser,
  findGroup,
  findOrganization,
  findOrigins,
  inviteUser,
  inTransaction,
  linkReports,
  linkUsers,
  operatorContext,
  setOrigins,
  type Context,
  type Database,
} from '@portal-embed/portal';

import { applyPart, flights, superstore, type PartIds } from './content.ts';
import type { DemoEnvironment } from './environment.ts';
import { administrator, people } from './people.ts';

const viewer = 3;

const organizations = {
  acme: { slug: 'acme', name: 'Acme', accentColor: '#0f6e56', group: 'Sales leads' },
  globex: { slug: 'globex', name: 'Globex', accentColor: '#7a3fb0', group: 'Operations' },
} as const;

/** Where the demo of this start listens. */
export interface DemoAddresses {
  portalUrl: string;
  /** A host name of its own, because cookies ignore ports. */
  adminUrl: string;
  portal: { acme: string; globex: string };
  host: { acme: string; globex: string };
}

/**
 * Brings the portal's database to the demo's state: everything at the first start, and at each
 * later one the content and the addresses, with new API keys where `known` has none that work.
 *
 * @param datasetFolder folder of the portal's dataset files
 */
export async function seedDemo(
  db: Database,
  addresses: DemoAddresses,
  known: Partial<DemoEnvironment>,
  datasetFolder: string,
): Promise<DemoEnvironment> {
  const publicUrl = addresses.portalUrl;
  return inTransaction(db, async (transaction) => {
    const scope = { db: transaction, publicUrl };
    const acme = await ensureOrganization(scope, 'acme');
    const sales = await applyPart(acme.ctx, superstore, datasetFolder);
    const delays = await applyPart(acme.ctx, flights, datasetFolder);
    if (acme.isNew) await seedAcme(acme.ctx, sales, delays);
    const globex = await ensureOrganization(scope, 'globex');
    // Another organization may have the same report: its ids are those of another system.
    await applyPart(globex.ctx, flights, datasetFolder, delays);
    if (globex.isNew) await seedGlobex(globex.ctx, delays);
    await replaceOrigins(acme.ctx, addresses.portal.acme, addresses.host.acme, {
      portal: known.ACME_BASE_URL,
      host: known.HOST_URL_ACME,
    });
    await replaceOrigins(globex.ctx, addresses.portal.globex, addresses.host.globex, {
      portal: known.GLOBEX_BASE_URL,
      host: known.HOST_URL_GLOBEX,
    });
    return {
      REPORTS_URL: publicUrl,
      HOST_URL_ACME: addresses.host.acme,
      HOST_URL_GLOBEX: addresses.host.globex,
      ACME_API_KEY: await ensureKey(acme.ctx, known.ACME_API_KEY, permissions),
      ACME_LIMITED_API_KEY: await ensureKey(acme.ctx, known.ACME_LIMITED_API_KEY, ['users:read']),
      ACME_ORGANIZATION_ID: acme.ctx.organizationId,
      ACME_BASE_URL: addresses.portal.acme,
      ACME_GROUP_ID: await requireGroup(acme.ctx, organizations.acme.group),
      GLOBEX_API_KEY: await ensureKey(globex.ctx, known.GLOBEX_API_KEY, permissions),
      GLOBEX_LIMITED_API_KEY: await ensureKey(globex.ctx, known.GLOBEX_LIMITED_API_KEY, [
        'users:read',
      ]),
      GLOBEX_ORGANIZATION_ID: globex.ctx.organizationId,
      GLOBEX_BASE_URL: addresses.portal.globex,
      GLOBEX_GROUP_ID: await requireGroup(globex.ctx, organizations.globex.group),
      SALES_REPORT_ID: sales.reportId,
      SALES_DATASET_ID: sales.datasetId,
      FLIGHTS_REPORT_ID: delays.reportId,
    };
  });
}

/** Invites Acme's administrator, and returns the link, which works once within 24 hours. */
export async function inviteAdministrator(
  db: Database,
  { portalUrl, adminUrl }: DemoAddresses,
): Promise<string> {
  const organizationId = (await findOrganization(db, 'acme'))!;
  const ctx = operatorContext({ db, publicUrl: portalUrl, organizationId });
  const { token } = await inviteUser(ctx, administrator);
  return `${adminUrl}/admin/invitation#${token}`;
}

async function ensureOrganization(
  scope: { db: Database; publicUrl: string },
  slug: 'acme' | 'globex',
): Promise<{ ctx: Context; isNew: boolean }> {
  const known = await findOrganization(scope.db, slug);
  if (known) return { ctx: operatorContext({ ...scope, organizationId: known }), isNew: false };
  const { group: _group, ...organization } = organizations[slug];
  const organizationId = await createOrganization(scope.db, organization);
  const ctx = operatorContext({ ...scope, organizationId });
  for (const person of people[slug]) await createUser(ctx, { ...person, role: viewer });
  return { ctx, isNew: true };
}

async function seedAcme(ctx: Context, sales: PartIds, delays: PartIds): Promise<void> {
  const [west, east, all, none] = people.acme.map((person) => person.email);
  for (const userEmail of [west!, east!])
    await linkReports(ctx, { userEmail, reports: [sales.reportId, delays.reportId] });
  for (const userEmail of [all!, none!])
    await linkReports(ctx, { userEmail, reports: [sales.reportId] });
  await createGroup(ctx, {
    name: organizations.acme.group,
    memberEmails: [all!],
    reports: [delays.reportId],
  });

  const members: Partial<Record<string, string>> = { West: west!, East: east! };
  for (const role of ['West', 'East', 'Central', 'South']) {
    const usersEmails = [all!, members[role]].filter((email) => email !== undefined);
    await linkUsers(ctx, { datasetId: sales.datasetId, role, usersEmails });
  }
}

async function seedGlobex(ctx: Context, { reportId }: PartIds): Promise<void> {
  const userEmail = people.globex[0].email;
  await linkReports(ctx, { userEmail, reports: [reportId] });
  await createGroup(ctx, {
    name: organizations.globex.group,
    memberEmails: [userEmail],
    reports: [],
  });
}

/** Replaces the origins of the earlier start with this start's. Other origins stay registered. */
async function replaceOrigins(
  ctx: Context,
  portal: string,
  host: string,
  earlier: { portal: string | undefined; host: string | undefined },
): Promise<void> {
  const { addresses = [], embedOrigins = [] } = await findOrigins(ctx);
  if (addresses.includes(portal) && embedOrigins.includes(host)) return;
  await setOrigins(ctx, {
    addresses: [...addresses.filter((address) => address !== earlier.portal), portal],
    embedOrigins: [...embedOrigins.filter((origin) => origin !== earlier.host), host],
  });
}

/**
 * Returns the key that an earlier start wrote down if it is valid and has the wanted permissions, and
 * otherwise a new one. Existing keys lack a permission that a new release adds.
 */
async function ensureKey(
  ctx: Context,
  known: string | undefined,
  wanted: readonly Permission[],
): Promise<string> {
  const owner = known && (await authenticateKey(ctx, known).catch(() => undefined));
  if (owner && owner.organizationId === ctx.organizationId) {
    const { permissions: held } = owner.actor;
    if (held.size === wanted.length && wanted.every((each) => held.has(each))) return known;
  }
  const name = wanted.length === permissions.length ? 'Demo' : 'Demo, limited';
  return (await createApiKey(ctx, { name, permissions: wanted })).key;
}

async function requireGroup(ctx: Context, name: string): Promise<string> {
  const id = await findGroup(ctx, name);
  if (!id) throw new Error(`The demo's group "${name}" is gone. Delete the data directory.`);
  return id;
}
