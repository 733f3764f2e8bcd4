import { idSchema } from '@portal-embed/contract';
import type { Response } from 'express';

import type { Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import { findLogo } from '../organizations/store.ts';

/** Sends a logo. Its address contains its hash, so browsers may cache it. */
export async function sendLogo(
  db: Database,
  res: Response,
  { organizationId, name }: { organizationId: string; name: string },
): Promise<void> {
  const id = idSchema.safeParse(organizationId).data;
  const hash = /^([0-9a-f]{64})\.png$/.exec(name)?.[1];
  const logo = id && hash ? await findLogo(db, { id, hash }) : undefined;
  if (!logo)
    throw new PortalError('not_found', 'This logo does not exist. It may have been replaced.');
  res.type('png').set('Cache-Control', 'public, max-age=31536000, immutable').send(logo);
}
