import type { HostRequest, HostResponse } from '@portal-embed/contract';

import { runCallback } from './callback.ts';
import type { ConnectedTenant } from './connect.ts';
import { beforeDeadline } from './limit-time.ts';
import type { Limits } from './limits.ts';
import { mintFor } from './mint.ts';
import type { MintOptions, PortalUser } from './options.ts';
import { applyPolicy, readPolicy } from './policy.ts';
import { createProvisioner } from './provisioning.ts';
import { isSlow } from './read-body.ts';
import { requireSignedIn } from './signed-in-user.ts';
import type { SignedInUser } from './signed-in-user.ts';
import type { Tenant, TenantInfo } from './tenant.ts';
import type { FoundTenant } from './tenants.ts';
import type { CountMint } from './user-rate.ts';

interface GrantInput<User extends PortalUser, Context> {
  context: Context;
  found: FoundTenant;
  signal: AbortSignal;
  requestId: string;
  countMint: CountMint;
  /** Reads what the browser asks for. Called once, after the user is known. */
  readAsked: () => Promise<HostRequest>;
  /** Called as soon as the user is known, and again if they are looked up again. */
  onUser: (user: User) => void;
}

interface Granted<User extends PortalUser> {
  url: HostResponse;
  tenant: TenantInfo;
  user: User;
  request: HostRequest;
}

/**
 * Creates the way from a request to a URL: user, rate, what the browser asks for, policy, key, mint.
 * It throws a `Refusal` or what a callback threw.
 */
export function createGrantUrl<User extends PortalUser, Context>(
  options: MintOptions<User, Context>,
  limits: Limits,
  connect: (hostName: string, tenant: Tenant) => Promise<ConnectedTenant>,
): (input: GrantInput<User, Context>) => Promise<Granted<User>> {
  const { authorize = () => true } = options;
  const createProvisioning = createProvisioner(options.provision, limits.timeoutMs);

  const findUser = (context: Context, { hostName }: TenantInfo): Promise<SignedInUser<User>> =>
    runCallback('user', async () => requireSignedIn(await options.user(context), hostName));

  return async ({ context, found, signal, requestId, countMint, readAsked, onUser }) => {
    const { tenant: checked, info: tenant, portalOrigin } = found;
    const identify = async () => {
      const identified = await beforeDeadline(findUser(context, tenant), signal, 'user');
      onUser(identified.user);
      return identified;
    };
    // Before the body, so that requests without a user are refused unread.
    const first = await identify();
    await countMint(tenant.organizationId, first.userEmail);
    const reading = readAsked();
    const isBodySlow = await isSlow(reading);
    const asked = await beforeDeadline(reading, signal, 'the body');
    // The user may have signed out while the body was under way.
    const { user, userEmail } = isBodySlow ? await identify() : first;
    const decision = runCallback('authorize', async () =>
      readPolicy(await authorize({ user, tenant, request: asked, context })),
    );
    const granted = applyPolicy(asked, await beforeDeadline(decision, signal, 'authorize'));
    const connected = await beforeDeadline(connect(tenant.hostName, checked), signal, 'apiKey');
    const url = await mintFor({ ...connected, portalOrigin }, userEmail, granted, {
      signal,
      requestId,
      provisioning: createProvisioning(
        connected,
        { user, tenant, context },
        { signal, requestId, userEmail },
      ),
    });
    return { url, tenant, user, request: granted };
  };
}
