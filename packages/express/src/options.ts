import type { HostRequest } from '@portal-embed/contract';
import type { Request } from 'express';

import type { Limits } from './limits.ts';
import type { Hooks, Logger } from './observe.ts';
import type { Policy } from './policy.ts';
import type { Provision } from './provisioning.ts';
import type { TenantInfo } from './tenant.ts';
import type { Tenants } from './tenants.ts';

/** The signed-in user, as your application knows them. */
export interface PortalUser {
  /** Identifies the user in the portal and appears in its access log. */
  email: string;
  /**
   * The host name this user signed in at, `req.hostname`. Under any other the user counts as not
   * signed in. Give it wherever tenants share a session store or a signing key: else a user of one
   * tenant could take their session to the host name of another by hand.
   */
  hostName?: string | undefined;
}

export interface AuthorizeContext<User extends PortalUser> {
  /** What `user` returned. */
  user: User;
  tenant: TenantInfo;
  /** What the browser asks for, checked but not to be trusted. */
  request: HostRequest;
  req: Request;
}

export interface PortalEmbedOptions<User extends PortalUser> extends Hooks<User> {
  /** Which portal belongs to which host name; or a function that finds the tenant of a request. */
  tenants: Tenants;
  /**
   * The user of the current session; `null` if nobody is signed in. Never read it from the body. It
   * is asked once more after a body that came late, so that who has signed out meanwhile gets no URL.
   * A session that a middleware in front has read stays as it was: to cover that too, mount
   * `express.json({ inflate: false })` in front of the session.
   */
  user: (req: Request) => User | null | undefined | Promise<User | null | undefined>;
  /**
   * Whether this user may have what the browser asks for: `false` refuses, `true` grants, a policy
   * (a plain object) limits, sets and locks. Default: grant, and let the portal check the user's access.
   */
  authorize?:
    | ((context: AuthorizeContext<User>) => boolean | Policy | Promise<boolean | Policy>)
    | undefined;
  /**
   * What a user shall be whom the portal does not know yet: the middleware creates and links them,
   * then mints. The key needs the permissions `users:read`, `users:write`, `report-access:write`
   * and `rls:write`. Default: nobody is created, and the answer is `no_portal_user`.
   */
  provision?: Provision<User> | undefined;
  /** Bounds in time and number. */
  limits?: Partial<Limits> | undefined;
}

const optionNames = new Set<string>([
  'tenants',
  'user',
  'authorize',
  'provision',
  'limits',
  'onMint',
  'onRefuse',
  'onError',
  'logger',
] satisfies (keyof PortalEmbedOptions<PortalUser>)[]);

/** Throws a `TypeError` that says what to fix. */
export function checkOptions<User extends PortalUser>(options: PortalEmbedOptions<User>): void {
  if (typeof options !== 'object' || options === null)
    fail('needs an object with tenants and user');
  for (const name of Object.keys(options))
    if (!optionNames.has(name))
      fail(`has no option "${name}"; it knows ${[...optionNames].join(', ')}`);
  const { user, authorize, logger } = options;
  if (typeof user !== 'function')
    fail('user must be a function that returns the signed-in user of a request, or null');
  if (authorize !== undefined && typeof authorize !== 'function')
    fail('authorize must be a function that returns true, false or a policy');
  for (const hook of ['provision', 'onMint', 'onRefuse', 'onError'] as const)
    if (options[hook] !== undefined && typeof options[hook] !== 'function')
      fail(`${hook} must be a function`);
  for (const level of ['info', 'warn', 'error'] as const)
    if (logger !== undefined && typeof (logger as Logger | null)?.[level] !== 'function')
      fail(`logger must have the function ${level}, as pino and console have`);
}

function fail(what: string): never {
  throw new TypeError(`portalEmbed: ${what}.`);
}
