import { provisionUser } from '@portal-embed/client';
import type { UserState } from '@portal-embed/client';

import type { PortalUser } from './options.ts';
import type { ConnectedTenant, TenantInfo } from './tenant.ts';

export interface ProvisionContext<User extends PortalUser> {
  user: User;
  tenant: TenantInfo;
}

/** What a user shall be and may see; `null` if this one shall not be created. */
export type Provision<User extends PortalUser> = (
  context: ProvisionContext<User>,
) => Omit<UserState, 'email'> | null | Promise<Omit<UserState, 'email'> | null>;

/** Brings a user to the portal; `false` if that is not wanted. */
export type EnsureUser<User extends PortalUser> = (
  connected: ConnectedTenant,
  context: ProvisionContext<User>,
  signal: AbortSignal,
) => Promise<boolean>;

/**
 * Provisions users whom the portal does not know. However many requests of one user arrive
 * together, the calls are made once; they outlive the request that started them.
 */
export function createEnsureUser<User extends PortalUser>(
  provision: Provision<User> | undefined,
  timeoutMs: number,
): EnsureUser<User> {
  const running = new Map<string, Promise<boolean>>();

  async function ensure({ client, gate }: ConnectedTenant, context: ProvisionContext<User>) {
    const state = await provision!(context);
    if (!state) return false;
    const signal = AbortSignal.timeout(timeoutMs);
    const { email } = context.user;
    await gate.run(() => provisionUser(client, { ...state, email }, { signal }), signal);
    return true;
  }

  return async (connected, context, signal) => {
    if (!provision) return false;
    const { organizationId, apiUrl } = connected.tenant;
    const key = JSON.stringify([apiUrl, organizationId, context.user.email.toLowerCase()]);
    const known = running.get(key);
    const work = known ?? ensure(connected, context).finally(() => running.delete(key));
    if (!known) running.set(key, work);
    return orAbort(work, signal);
  };
}

/** Waits for shared work no longer than the signal allows, and leaves the work to the others. */
function orAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}
