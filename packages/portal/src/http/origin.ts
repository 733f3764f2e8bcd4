import type { Request } from 'express';

import { parseOrigin } from '../organizations/origins.ts';

/** Returns the origin that the browser sees, also behind a trusted proxy; `undefined` if invalid. */
export const requestOrigin = (req: Request): string | undefined =>
  parseOrigin(`${req.protocol}://${req.host}`);
