import { emailKey } from '@portal-embed/contract';

import type { CallOptions } from './call.ts';
import type { PortalClient } from './client.ts';

/**
 * Whether the portal knows a user with this e-mail address, in any letter case. Takes the permission
 * `users:read`, and as many calls as there are pages of users whose address contains this one.
 *
 * @throws PortalApiError of the call that failed.
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
