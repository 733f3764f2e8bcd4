import { randomUUID } from 'node:crypto';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../auth/actor.ts';
import { requireOperator } from '../auth/permissions.ts';
import { inTransaction, type Database } from '../db/connection/open.ts';
import { retryConflicts } from '../db/query/conflicts.ts';
import { pruneLog } from '../db/query/prune-log.ts';
import { PortalError } from '../errors.ts';
import { parseOrigin } from './origins.ts';
import * as store from './store.ts';

/**
 * Creates an organization and returns its id, which never changes.
 *
 * @param input.slug short name for the command line, unique in the portal
 * @param input.accentColor `#rrggbb` of the organization's pages, in lower case
 * @param input.operator who creates it, for the activity log; default `operator`
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
 * Deletes an organization with everything that is its own, both logs included: whoever asks for
 * that wants nothing of it left. That it was deleted stays in the activity log, under its id.
 * Its API keys, URLs and sessions end first and for themselves, with an entry of their own; all the
 * rest goes at once.
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
    // Only now: what was minted meanwhile has its entry, and nothing more is minted.
    await pruneLog(transaction, 'activity_entries', organizationId, 'infinity');
    await recordChange({ ...ctx, db: transaction }, { action, subject }, async () => {});
  };
  // Else those who mint and open would wait, with a connection each, for as long as the rest takes.
  await retryConflicts(() => inTransaction(ctx.db, endAccess));
  // What was under way then and the deletion may each wait for a row that the other one has.
  await retryConflicts(() => inTransaction(ctx.db, remove));
}

/** The id of the organization with this slug, or with this id itself. */
export async function findOrganization(
  db: Database,
  slugOrId: string,
): Promise<string | undefined> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(slugOrId);
  const row = await (isId ? store.findById(db, slugOrId) : store.findBySlug(db, slugOrId));
  return row?.id;
}

/** The addresses of the organization's portal, and the origins that may embed it. */
export async function findOrigins(ctx: Context): Promise<Origins> {
  requireOperator(ctx);
  const organizations = await store.listOrganizations(ctx.db);
  const found = organizations.find(({ id }) => id === ctx.organizationId);
  return { addresses: found?.addresses, embedOrigins: found?.embed_origins };
}

export interface Origins {
  addresses?: readonly string[] | undefined;
  embedOrigins?: readonly string[] | undefined;
}

/**
 * Sets where the organization's portal answers and which origins may embed it, each in place of
 * what was set before; what is not given stays. What was minted and opened at an address that is
 * given up ends. Returns them as they are stored.
 *
 * @throws `address_taken` when another organization's portal answers at one of the addresses.
 */
export async function setOrigins(ctx: Context, input: Origins): Promise<Origins> {
  requireOperator(ctx);
  const addresses = parseOrigins(input.addresses);
  if (addresses?.includes(ctx.publicUrl))
    throw new PortalError(
      'invalid_request',
      `${ctx.publicUrl} is the portal's own address, which every organization can use. Leave it out.`,
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
    if (embedOrigins)
      await store.replaceEmbedOrigins(transaction, ctx.organizationId, embedOrigins);
  });
  return { addresses, embedOrigins };
}

/** What happens when a custom filter names no column: a note, or no report. */
export const unappliedFilterSettings = ['note', 'refuse'] as const;

/**
 * Sets what happens when a custom filter names no column of a report: the report is shown with a
 * note (`note`, the default) or refused (`refuse`).
 */
export async function setUnappliedFilters(
  ctx: Context,
  unappliedFilters: (typeof unappliedFilterSettings)[number],
): Promise<void> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const details = { unappliedFilters };
  const activity = { action: 'setUnappliedFilters', subject: organizationId, details } as const;
  await recordChange(ctx, activity, (transaction) =>
    store.setUnappliedFilters(transaction, organizationId, unappliedFilters),
  );
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
