import type { Request } from 'express';

import type { Database } from '../db/connection/open.ts';
import { requestOrigin } from '../http/origin.ts';
import { findLook } from '../organizations/store.ts';
import type { Appearance } from './documents.ts';

const unknownOrganization: Appearance = {
  organizationName: undefined,
  accentColor: undefined,
  embedOrigins: [],
};

/**
 * Of a page that says no more than that we failed. Who may frame it is in the database, which may be
 * what failed; a page that nobody may frame would be told from no portal at all.
 */
export const defaultAppearance: Appearance = { ...unknownOrganization, embedOrigins: ['*'] };

/**
 * The look of a page and who may frame it. Without an id it is the organization whose address the
 * request came to; the service's own address is nobody's.
 */
export async function findAppearance(
  db: Database,
  req: Request,
  organizationId?: string,
): Promise<Appearance> {
  const address = requestOrigin(req);
  const by = organizationId === undefined ? address && { address } : { id: organizationId };
  const look = by && (await findLook(db, by));
  if (!look) return unknownOrganization;
  return {
    organizationName: look.name,
    accentColor: look.accent_color,
    embedOrigins: look.embed_origins,
  };
}
