import type { Request } from 'express';

import type { Database } from '../db/connection/open.ts';
import { requestOrigin } from '../http/origin.ts';
import { logoPath } from '../organizations/logo-path.ts';
import { findLook } from '../organizations/store.ts';
import type { Appearance } from './documents.ts';

const unknownOrganization: Appearance = {
  organizationName: undefined,
  accentColor: undefined,
  look: null,
  homeUrl: null,
  logo: null,
  language: null,
  embedOrigins: [],
  hasFrames: false,
};

/** Appearance of error pages. Any origin may frame them, because the database may be unavailable. */
export const defaultAppearance: Appearance = { ...unknownOrganization, embedOrigins: ['*'] };

/**
 * Finds the appearance of a page and its embed origins. Without an id, the address of the request
 * decides; the service's own address belongs to no organization.
 *
 * @param framed names of the platforms that show frames. Default: `hasFrames` is not asked
 */
export async function findAppearance(
  db: Database,
  req: Request,
  {
    framed = [],
    organizationId,
  }: { framed?: readonly string[]; organizationId?: string | undefined } = {},
): Promise<Appearance & { organizationId: string | undefined }> {
  const address = requestOrigin(req);
  const by = organizationId === undefined ? address && { address } : { id: organizationId };
  const look = by && (await findLook(db, by, framed));
  if (!look) return { ...unknownOrganization, organizationId: undefined };
  return {
    organizationId: look.id,
    organizationName: look.name,
    accentColor: look.accent_color,
    look: look.look,
    homeUrl: look.home_url,
    logo: logoPath(look.id, look.logo_hash),
    language: look.language,
    embedOrigins: look.embed_origins,
    hasFrames: look.has_frames,
  };
}
