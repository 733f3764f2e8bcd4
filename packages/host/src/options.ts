import type { HostRequest } from '@portal-embed/contract';
import { z } from 'zod';

import { limitsSchema } from './limits.ts';
import type { Limits } from './limits.ts';
import type { Hooks } from './observe.ts';
import type { Policy } from './policy.ts';
import type { Provision } from './provisioning.ts';
import type { TenantInfo } from './tenant.ts';
import type { Tenants } from './tenants.ts';

/** The signed-in user, as your application knows them. */
export interface PortalUser {
  /** Identifies the user in the portal and appears in its access log. */
  email: string;
  /**
   * The host name at which this user signed in. At any other host name the user counts as not signed
   * in. Set it wherever tenants share a session store or a signing key. Without it, a user could copy
   * their session to the host name of another tenant.
   */
  hostName?: string | undefined;
}

export interface AuthorizeContext<User extends PortalUser, Context> {
  /** What `user` returned. */
  user: User;
  tenant: TenantInfo;
  /** What the browser asks for: checked, but not to be trusted. */
  request: HostRequest;
  /** The framework's own request. */
  context: Context;
}

/** The options of every entry: of `createMinter` and of each adapter. */
export interface MintOptions<User extends PortalUser, Context> extends Hooks<User> {
  /** The portal of each host name, or a function that finds the tenant of a request. */
  tenants: Tenants<Context>;
  /**
   * Returns the user of the current session, or `null` if no user is signed in. Never read it from the
   * body. It is called again after a slow body, so that a user who signed out meanwhile gets no URL. If
   * it reads a session that an earlier middleware has loaded, such as that of express-session, it does
   * not notice the sign-out.
   */
  user: (context: Context) => User | null | undefined | Promise<User | null | undefined>;
  /**
   * Decides whether this user may have what the browser asks for: `false` refuses, `true` grants, a
   * policy (a plain object) limits, sets and locks. Default: grant, and let the portal check access.
   */
  authorize?:
    | ((context: AuthorizeContext<User, Context>) => boolean | Policy | Promise<boolean | Policy>)
    | undefined;
  /**
   * Describes a user whom the portal does not know: they are created and linked before the mint. The
   * key needs more permissions than for mints; `portal-embed-check --provision` names missing ones.
   * Default: no user is created, and the answer is `no_portal_user`.
   */
  provision?: Provision<User, Context> | undefined;
  /**
   * Whether `GET {mount}/open?reportId=…` opens a report in a browser tab of its own: for "open in a
   * new tab", links in mails and native web views. Default false.
   */
  allowOpen?: boolean | undefined;
  /** Bounds in time and number. */
  limits?: Partial<Limits> | undefined;
}

const createFunctionSchema = (error: string) =>
  z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', error);
export const optionalFunction = createFunctionSchema('must be a function').optional();

const logger = z.custom(
  (value) =>
    ['info', 'warn', 'error'].every(
      (level) => typeof (value as Record<string, unknown> | null)?.[level] === 'function',
    ),
  'must have the functions info, warn and error, as pino and console have',
);

export const mintOptionsSchema = z.strictObject(
  {
    // Checked with the table.
    tenants: z.unknown().optional(),
    user: createFunctionSchema(
      'must be a function that returns the signed-in user of a request, or null',
    ),
    authorize: createFunctionSchema(
      'must be a function that returns true, false or a policy',
    ).optional(),
    provision: optionalFunction,
    allowOpen: z.boolean('must be true or false').optional(),
    limits: limitsSchema.prefault({}),
    onMint: optionalFunction,
    onRefuse: optionalFunction,
    onError: optionalFunction,
    logger: logger.optional(),
  } satisfies Record<keyof MintOptions<PortalUser, unknown>, z.ZodType>,
  'needs an object with tenants and user',
);
