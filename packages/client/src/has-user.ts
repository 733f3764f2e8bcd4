import { emailKey } from '@portal-embed/contract';

import type { CallOptions } from './call.ts';
import type { PortalClient } from './client.ts';

/**
 * Whether the portal has a user with this e-mail, in any letter case. Requires the permission
 * `users:read`. Makes one call per page of users whose e-mail contains this one.
 *
 * @throws PortalApiError if a call fails.
 */
export async function hasUser(
  client: PortalClient,
  email: string,
  options: CallOptions = {},
): Promise<boolean> {
  for await (const user of client.users.iterate({ email }, options))
    if (emailKey(user.email) === emailKey(email)) return true;
  return false;
}
