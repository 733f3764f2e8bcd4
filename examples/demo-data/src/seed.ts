import { permissions, type Permission } from '@portal-embed/contract';
import {
  authenticateKey,
  createApiKey,
  createGroup,
  createOrganization,
  createRole,
  createUser,
  findGroup,
  findOrganization,
  findOrigins,
  importDataset,
  importReport,
  inTransaction,
  linkReports,
  linkUsers,
  listReports,
  operatorContext,
  setOrigins,
  type Context,
  type Database,
} from '@portal-embed/portal';

import type { DemoEnvironment } from './environment.ts';
import { people } from './people.ts';
import { flights, superstore } from './reports.ts';

const viewer = 3;

const organizations = {
  acme: { slug: 'acme', name: 'Acme', accentColor: '#0f6e56', group: 'Sales leads' },
  globex: { slug: 'globex', name: 'Globex', accentColor: '#7a3fb0', group: 'Operations' },
} as const;

/** Where the demo of this start listens. */
export interface DemoAddresses {
  portalUrl: string;
  portal: { acme: string; globex: string };
  host: { acme: string; globex: string };
}

/**
 * Brings the portal's database to the demo's state: everything at the first start, and at each
 * later one the addresses, with new API keys where `known` has none that work.
 */
export async function seedDemo(
  db: Database,
  addresses: DemoAddresses,
  known: Partial<DemoEnvironment>,
): Promise<DemoEnvironment> {
  const publicUrl = addresses.portalUrl;
  return inTransaction(db, async (transaction) => {
    const scope = { db: transaction, publicUrl };
    const acme = await ensureOrganization(scope, 'acme', seedAcme);
    const sales = await findReport(acme, superstore.report.name);
    const delays = await findReport(acme, flights.report.name);
    const globex = await ensureOrganization(scope, 'globex', (ctx) =>
      seedGlobex(ctx, { reportId: delays.id, datasetId: delays.dataset_id }),
    );
    await replaceOrigins(acme, addresses.portal.acme, addresses.host.acme, {
      portal: known.ACME_BASE_URL,
      host: known.HOST_URL_ACME,
    });
    await replaceOrigins(globex, addresses.portal.globex, addresses.host.globex, {
      portal: known.GLOBEX_BASE_URL,
      host: known.HOST_URL_GLOBEX,
    });
    return {
      PORTAL_URL: publicUrl,
      HOST_URL_ACME: addresses.host.acme,
      HOST_URL_GLOBEX: addresses.host.globex,
      ACME_API_KEY: await ensureKey(acme, known.ACME_API_KEY, permissions),
      ACME_LIMITED_API_KEY: await ensureKey(acme, known.ACME_LIMITED_API_KEY, ['users:read']),
      ACME_ORGANIZATION_ID: acme.organizationId,
      ACME_BASE_URL: addresses.portal.acme,
      ACME_GROUP_ID: await requireGroup(acme, organizations.acme.group),
      GLOBEX_API_KEY: await ensureKey(globex, known.GLOBEX_API_KEY, permissions),
      GLOBEX_LIMITED_API_KEY: await ensureKey(globex, known.GLOBEX_LIMITED_API_KEY, ['users:read']),
      GLOBEX_ORGANIZATION_ID: globex.organizationId,
      GLOBEX_BASE_URL: addresses.portal.globex,
      GLOBEX_GROUP_ID: await requireGroup(globex, organizations.globex.group),
      SALES_REPORT_ID: sales.id,
      SALES_DATASET_ID: sales.dataset_id,
      FLIGHTS_REPORT_ID: delays.id,
    };
  });
}

async function ensureOrganization(
  scope: { db: Database; publicUrl: string },
  slug: 'acme' | 'globex',
  seed: (ctx: Context) => Promise<void>,
): Promise<Context> {
  const known = await findOrganization(scope.db, slug);
  if (known) return operatorContext({ ...scope, organizationId: known });
  const { group: _group, ...organization } = organizations[slug];
  const organizationId = await createOrganization(scope.db, organization);
  const ctx = operatorContext({ ...scope, organizationId });
  for (const person of people[slug]) await createUser(ctx, { ...person, role: viewer });
  await seed(ctx);
  return ctx;
}

async function seedAcme(ctx: Context): Promise<void> {
  const datasetId = await importDataset(ctx, superstore.dataset);
  const sales = await importReport(ctx, { ...superstore.report, datasetId });
  const flightsDatasetId = await importDataset(ctx, flights.dataset);
  const delays = await importReport(ctx, { ...flights.report, datasetId: flightsDatasetId });

  const [west, east, all, none] = people.acme.map((person) => person.email);
  for (const userEmail of [west!, east!])
    await linkReports(ctx, { userEmail, reports: [sales, delays] });
  for (const userEmail of [all!, none!]) await linkReports(ctx, { userEmail, reports: [sales] });
  await createGroup(ctx, {
    name: organizations.acme.group,
    memberEmails: [all!],
    reports: [delays],
  });

  const members: Partial<Record<string, string>> = { West: west!, East: east! };
  for (const region of superstore.regions) {
    const predicate = { column: 'Region', in: [region] };
    await createRole(ctx, { datasetId, name: region, predicate });
    const usersEmails = [all!, members[region]].filter((email) => email !== undefined);
    await linkUsers(ctx, { datasetId, role: region, usersEmails });
  }
}

/** Globex imports the same report of the same dataset: its ids are the platform's. */
async function seedGlobex(
  ctx: Context,
  ids: { reportId: string; datasetId: string },
): Promise<void> {
  const { datasetId, reportId } = ids;
  await importDataset(ctx, { ...flights.dataset, id: datasetId });
  await importReport(ctx, { ...flights.report, datasetId, id: reportId });
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
  const owner = await authenticateKey(ctx, known).catch(() => undefined);
  if (known && owner?.organizationId === ctx.organizationId) {
    const { permissions: held } = owner.actor;
    if (held.size === wanted.length && wanted.every((each) => held.has(each))) return known;
  }
  const name = wanted.length === permissions.length ? 'Demo' : 'Demo, limited';
  return (await createApiKey(ctx, { name, permissions: wanted })).key;
}

async function findReport(ctx: Context, reportName: string) {
  const page = await listReports(ctx, { reportName, pageNumber: 1, pageSize: 1 });
  const report = page.data[0];
  if (!report)
    throw new Error(`The demo's report "${reportName}" is gone. Delete the data directory.`);
  return report;
}

async function requireGroup(ctx: Context, name: string): Promise<string> {
  const id = await findGroup(ctx, name);
  if (!id) throw new Error(`The demo's group "${name}" is gone. Delete the data directory.`);
  return id;
}
