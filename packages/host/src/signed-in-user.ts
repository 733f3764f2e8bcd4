import { HostConfigurationError } from './callback.ts';
import type { PortalUser } from './options.ts';
import { Refusal } from './refusal.ts';

export interface SignedInUser<User extends PortalUser> {
  user: User;
  userEmail: string;
}

/** Checks that the user is signed in at a host name. Throws a `Refusal` or a `HostConfigurationError`. */
export function requireSignedIn<User extends PortalUser>(
  user: User | null | undefined,
  hostName: string,
): SignedInUser<User> {
  if (!user) throw new Refusal('not_signed_in');
  const { email: userEmail, hostName: signedInAt } = user;
  if (typeof userEmail !== 'string' || userEmail === '')
    throw new HostConfigurationError('The user must be an object with an email.');
  if (!isSignedInAt(signedInAt, hostName)) throw new Refusal('not_signed_in');
  return { user, userEmail };
}

function isSignedInAt(hostName: unknown, current: string): boolean {
  if (hostName === undefined) return true;
  // A token may hold any value. Only a string can match.
  return typeof hostName === 'string' && hostName.toLowerCase().replace(/\.$/, '') === current;
}
