// #region route
import type { Minter } from '@portal-embed/host';

import { createMint } from '../../../lib/policy.ts';

let mint: Minter<Request> | undefined;

// `next build` loads this file, where the variables of the tenants may be missing.
const handle = (request: Request) => (mint ??= createMint())(request);

export const POST = (request: Request) => handle(request);
export const OPTIONS = POST;
// #endregion
