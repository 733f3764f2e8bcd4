import { PortalApiError, provisionUser } from '@portal-embed/client';
import type { UserState } from '@portal-embed/client';
import { LRUCache } from 'lru-cache';

import { beforeDeadline } from './limit-time.ts';
import type { PortalUser } from './options.ts';
import { readUserState } from './read-user-state.ts';
import { Refusal } from './refusal.ts';
import type { ConnectedTenant, TenantInfo } from './tenant.ts';

export interface ProvisionContext<User extends PortalUser> {
  user: User;
  tenant: TenantInfo;
}

/** What a user shall be and may see; `null` if this one shall not be created. */
export type Provision<User extends PortalUser> = (
  context: ProvisionContext<User>,
) => Omit<UserState, 'email'> | null | Promise<Omit<UserState, 'email'> | null>;

/** Brings one user to the portal. */
export interface Provisioning {
  /** Waits for the calls that are under way, and makes those again that were left unfinished. */
  settle: () => Promise<void>;
  /** Whether the user was, or is, half provisioned at some time since this visit began. */
  hasOverlapped: () => boolean;
  /** Provisions the user; `false` if that is not wanted. */
  ensure: () => Promise<boolean>;
}

export type CreateProvisioning<User extends PortalUser> = (
  connected: ConnectedTenant,
  context: ProvisionContext<User>,
  signal: AbortSignal,
) => Provisioning;

const mostRemembered = 10_000;

/**
 * Provisions users whom the portal does not know. However many requests of one user arrive
 * together, the calls are made once; they outlive the request that started them.
 */
export function createProvisioner<User extends PortalUser>(
  provision: Provision<User> | undefined,
  timeoutMs: number,
): CreateProvisioning<User> {
  const running = new Map<string, Promise<boolean>>();
  // No visit lasts longer than the deadline, so none looks further back.
  const endedAt = new LRUCache<string, number>({ max: mostRemembered, ttl: 2 * timeoutMs });
  const unfinished = new LRUCache<string, true>({ max: mostRemembered });

  async function run(key: string, connected: ConnectedTenant, context: ProvisionContext<User>) {
    const { client, gate } = connected;
    const answer = Promise.resolve(provision!(context));
    const state = readUserState(await beforeDeadline(answer, AbortSignal.timeout(timeoutMs)));
    const signal = AbortSignal.timeout(timeoutMs);
    const { email } = context.user;
    try {
      if (state)
        await gate.run(() => provisionUser(client, { ...state, email }, { signal }), signal);
    } catch (error) {
      if (error instanceof PortalApiError && error.leftBehind) unfinished.set(key, true);
      throw error === signal.reason ? new Refusal('portal_timeout', { cause: error }) : error;
    }
    unfinished.delete(key);
    endedAt.set(key, performance.now());
    return state !== null;
  }

  return (connected, context, signal) => {
    const { organizationId, apiUrl } = connected.tenant;
    const key = JSON.stringify([apiUrl, organizationId, context.user.email.toLowerCase()]);
    const startedAt = performance.now();

    const join = () => {
      const known = running.get(key);
      if (known) return beforeDeadline(known, signal);
      const work = run(key, connected, context).finally(() => running.delete(key));
      running.set(key, work);
      return beforeDeadline(work, signal);
    };
    const hasEnded = () => (endedAt.get(key) ?? -1) >= startedAt;
    const hasOverlapped = () => running.has(key) || unfinished.has(key) || hasEnded();

    return {
      hasOverlapped,
      async settle() {
        if (running.has(key) || unfinished.has(key)) await join();
      },
      async ensure() {
        if (!provision) return false;
        // Somebody else's visit has provisioned while this one asked.
        return (!running.has(key) && hasEnded()) || join();
      },
    };
  };
}
