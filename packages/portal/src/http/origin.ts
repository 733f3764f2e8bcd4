import type { Request } from 'express';

import { parseOrigin } from '../organizations/origins.ts';

/** The origin that the browser sees, behind a trusted proxy too; `undefined` for a broken one. */
export const requestOrigin = (req: Request): string | undefined =>
  parseOrigin(`${req.protocol}://${req.host}`);
