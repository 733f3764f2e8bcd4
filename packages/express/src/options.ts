import type { HostRequest } from '@portal-embed/contract';
import type { Request } from 'express';

import type { Policy } from './policy.ts';
import type { TenantInfo } from './tenant.ts';
import type { Tenants } from './tenants.ts';

/** The signed-in user, as your application knows them. */
export interface PortalUser {
  /** Identifies the user in the portal and appears in its access log. */
  email: string;
}

export interface AuthorizeContext<User extends PortalUser> {
  /** What `user` returned. */
  user: User;
  tenant: TenantInfo;
  /** What the browser asks for, checked but not to be trusted. */
  request: HostRequest;
  req: Request;
}

export interface PortalEmbedOptions<User extends PortalUser> {
  /** Which portal belongs to which host name; or a function that finds the tenant of a request. */
  tenants: Tenants;
  /** The user of the current session; `null` if nobody is signed in. Never read it from the body. */
  user: (req: Request) => User | null | undefined | Promise<User | null | undefined>;
  /**
   * Whether this user may have what the browser asks for: `false` refuses, `true` grants, a policy
   * limits, sets and locks. Default: grant, and let the portal check the user's access.
   */
  authorize?:
    | ((context: AuthorizeContext<User>) => boolean | Policy | Promise<boolean | Policy>)
    | undefined;
  /** How long the portal may take in all, in milliseconds. Default 5,000. */
  timeoutMs?: number | undefined;
}

const optionNames = new Set<string>([
  'tenants',
  'user',
  'authorize',
  'timeoutMs',
] satisfies (keyof PortalEmbedOptions<PortalUser>)[]);

/** Throws a `TypeError` that says what to fix. */
export function checkOptions<User extends PortalUser>(options: PortalEmbedOptions<User>): void {
  if (typeof options !== 'object' || options === null)
    fail('needs an object with tenants and user');
  for (const name of Object.keys(options))
    if (!optionNames.has(name))
      fail(`has no option "${name}"; it knows ${[...optionNames].join(', ')}`);
  const { user, authorize, timeoutMs = 1 } = options;
  if (typeof user !== 'function')
    fail('user must be a function that returns the signed-in user of a request, or null');
  if (authorize !== undefined && typeof authorize !== 'function')
    fail('authorize must be a function that returns true, false or a policy');
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1)
    fail('timeoutMs must be a whole number of milliseconds, at least 1');
}

function fail(what: string): never {
  throw new TypeError(`portalEmbed: ${what}.`);
}
