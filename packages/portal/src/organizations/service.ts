import { randomUUID } from 'node:crypto';

import { recordChange } from '../activity/service.ts';
import { requireOperator, type Context } from '../context.ts';
import type { Database } from '../db/open.ts';
import { PortalError } from '../errors.ts';
import { parseOrigin } from './origins.ts';
import * as store from './store.ts';

/**
 * Creates an organization and returns its id, which never changes.
 *
 * @param input.slug short name for the command line, unique in the portal
 * @param input.accentColor `#rrggbb` of the organization's pages
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
    { db, organizationId: id, operator, apiKeyId: undefined },
    { action: 'createOrganization', subject, details },
    (transaction) => store.insertOrganization(transaction, { id, ...organization }),
  );
  return id;
}

/** The id of the organization with this short name. */
export async function findOrganization(db: Database, slug: string): Promise<string | undefined> {
  return (await store.findBySlug(db, slug))?.id;
}

/**
 * Sets where the organization's portal answers and which origins may embed it, in place of what was
 * set before.
 */
export async function setOrigins(
  ctx: Context,
  input: { addresses: readonly string[]; embedOrigins: readonly string[] },
): Promise<void> {
  requireOperator(ctx);
  const addresses = input.addresses.map(requireOrigin);
  const embedOrigins = input.embedOrigins.map(requireOrigin);
  const activity = {
    action: 'setOrigins',
    subject: ctx.organizationId,
    details: { addresses, embedOrigins },
  } as const;
  await recordChange(ctx, activity, async (transaction) => {
    await store.replaceAddresses(transaction, ctx.organizationId, addresses);
    await store.replaceEmbedOrigins(transaction, ctx.organizationId, embedOrigins);
  });
}

function requireOrigin(address: string): string {
  const origin = parseOrigin(address);
  if (origin) return origin;
  throw new PortalError(
    'invalid_request',
    `"${address}" is not an origin. Write it like https://reports.example, without a path.`,
  );
}
