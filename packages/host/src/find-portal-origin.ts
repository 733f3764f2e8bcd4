import { parseOptions } from '@portal-embed/contract';
import { z } from 'zod';

import type { Authority } from './authority.ts';
import { beforeDeadline, limitTime } from './limit-time.ts';
import { createFindTenant } from './tenants.ts';
import type { Tenants } from './tenants.ts';

const maxWaitMs = 1_000;

// The adapter's policy library checks its own options.
const optionsSchema = z.strictObject(
  { tenants: z.unknown().optional(), contentSecurityPolicy: z.unknown().optional() },
  'needs an object with tenants',
);

/**
 * Creates a look-up of the portal that the pages of a request may frame, for an adapter's
 * Content-Security-Policy. It finds `undefined` for an unknown tenant, and where the look-up fails or
 * takes longer than a second: a page without its frame is better than no page.
 *
 * @throws TypeError if the options are not valid; the message says what to fix.
 */
export function createFindPortalOrigin<Context>(
  options: { tenants: Tenants<Context>; contentSecurityPolicy?: unknown },
  caller: string,
): (context: Context, authority: Authority | undefined) => Promise<string | undefined> {
  parseOptions(optionsSchema, options, caller);
  const findTenant = createFindTenant(options.tenants, caller);
  return async (context, authority) => {
    using time = limitTime(maxWaitMs);
    try {
      const found = await beforeDeadline(findTenant(context, authority), time.signal);
      return found.portalOrigin;
    } catch {
      return undefined;
    }
  };
}
