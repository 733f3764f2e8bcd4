import type {
  AuthorizeContext as HostAuthorizeContext,
  MintOptions,
  PortalUser,
  ProvisionContext as HostProvisionContext,
  Tenants as HostTenants,
} from '@portal-embed/host';
import type { Request } from 'express';

/** Tenants by exact host name, or a function that finds the tenant of a request. */
export type Tenants = HostTenants<Request>;

type Options<User extends PortalUser> = MintOptions<User, Request>;
type Result<Name extends 'authorize' | 'provision'> = ReturnType<
  NonNullable<Options<PortalUser>[Name]>
>;

/** What host calls `context` is called `req` in Express. */
type WithReq<Given extends { context: Request }> = Omit<Given, 'context'> & { req: Request };

export type AuthorizeContext<User extends PortalUser> = WithReq<
  HostAuthorizeContext<User, Request>
>;
export type ProvisionContext<User extends PortalUser> = WithReq<
  HostProvisionContext<User, Request>
>;
/** Describes a user and what they may see; `null` if they must not be created. */
export type Provision<User extends PortalUser> = (
  context: ProvisionContext<User>,
) => Result<'provision'>;

export interface PortalEmbedOptions<User extends PortalUser> extends Omit<
  Options<User>,
  'authorize' | 'provision'
> {
  /**
   * Decides whether this user may have what the browser asks for: `false` refuses, `true` grants, a
   * policy (a plain object) limits, sets and locks. Default: grant, and let the portal check access.
   */
  authorize?: ((context: AuthorizeContext<User>) => Result<'authorize'>) | undefined;
  /**
   * Describes a user whom the portal does not know: they are created and linked before the mint. The
   * key needs more permissions than for mints; `portal-embed-check --provision` names missing ones.
   * Default: no user is created, and the answer is `no_portal_user`.
   */
  provision?: Provision<User> | undefined;
}

/** Translates the callbacks of an Express application into host's. */
export function toMintOptions<User extends PortalUser>({
  authorize,
  provision,
  ...rest
}: PortalEmbedOptions<User>): Options<User> {
  return {
    ...rest,
    authorize: passReq<HostAuthorizeContext<User, Request>, Result<'authorize'>>(authorize),
    provision: passReq<HostProvisionContext<User, Request>, Result<'provision'>>(provision),
  };
}

function passReq<Given extends { context: Request }, Returned>(
  callback: ((given: WithReq<Given>) => Returned) | undefined,
): ((given: Given) => Returned) | undefined {
  // Anything but a function is refused together with the other options.
  if (typeof callback !== 'function') return callback;
  return ({ context, ...given }) => callback({ ...given, req: context });
}
