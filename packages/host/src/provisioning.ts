import { setTimeout as sleep } from 'node:timers/promises';

import { PortalApiError, provisionUser } from '@portal-embed/client';
import type { UserState } from '@portal-embed/client';
import { emailKey } from '@portal-embed/contract';
import { LRUCache } from 'lru-cache';

import { runCallback } from './callback.ts';
import type { ConnectedTenant } from './connect.ts';
import { beforeDeadline } from './limit-time.ts';
import type { PortalUser } from './options.ts';
import { readUserState } from './read-user-state.ts';
import { Refusal, refusalOfProvisioning } from './refusal.ts';
import type { TenantInfo } from './tenant.ts';

export interface ProvisionContext<User extends PortalUser, Context> {
  user: User;
  tenant: TenantInfo;
  /** The framework's own request, of the first mint of this user. */
  context: Context;
}

/** Describes a user and what they may see; `null` if they must not be created. */
export type Provision<User extends PortalUser, Context> = (
  context: ProvisionContext<User, Context>,
) => Omit<UserState, 'email'> | null | Promise<Omit<UserState, 'email'> | null>;

/** Brings one user to the portal. */
export interface Provisioning {
  /** Waits for the calls that are under way, and makes those again that were left unfinished. */
  settle: () => Promise<void>;
  /**
   * After a refusal: waits until a user is complete who may have been half provisioned when they were
   * refused, here or by another process; `false` if they were not.
   */
  outwait: () => Promise<boolean>;
  /** Provisions the user; `false` if that is not wanted. */
  ensure: () => Promise<boolean>;
}

interface Visit {
  /** Whom to provision. */
  userEmail: string;
  signal: AbortSignal;
  /** Under which the calls that this visit starts are found in the portal's log. */
  requestId: string;
}

export type CreateProvisioning<User extends PortalUser, Context> = (
  connected: ConnectedTenant,
  context: ProvisionContext<User, Context>,
  visit: Visit,
) => Provisioning;

const mostRemembered = 10_000;
// As long as another process may take for its calls.
const pauseMs = 500;

/**
 * Provisions users whom the portal does not know. However many requests of one user arrive
 * together, the calls are made once in this process; they outlive the request that started them. Of
 * several processes each makes them, and they come to the same.
 */
export function createProvisioner<User extends PortalUser, Context>(
  provision: Provision<User, Context> | undefined,
  timeoutMs: number,
): CreateProvisioning<User, Context> {
  const running = new Map<string, Promise<boolean>>();
  // No visit lasts longer than the deadline, so none looks further back.
  const endedAt = new LRUCache<string, number>({ max: mostRemembered, ttl: 2 * timeoutMs });
  const unfinished = new LRUCache<string, true>({ max: mostRemembered });
  // Whom no other process can be provisioning any more.
  const known = new LRUCache<string, true>({ max: mostRemembered });

  async function run(
    key: string,
    connected: ConnectedTenant,
    context: ProvisionContext<User, Context>,
    { userEmail, requestId }: Visit,
  ) {
    const { client, gate } = connected;
    const state = await runCallback('provision', async () => {
      const answer = Promise.resolve(provision!(context));
      return readUserState(
        await beforeDeadline(answer, AbortSignal.timeout(timeoutMs), 'provision'),
      );
    });
    const signal = AbortSignal.timeout(timeoutMs);
    const options = { signal, requestId };
    try {
      if (state)
        await gate.run(
          () => provisionUser(client, { ...state, email: userEmail }, options),
          signal,
        );
    } catch (error) {
      if (error === signal.reason) throw new Refusal('portal_timeout', { cause: error });
      if (!(error instanceof PortalApiError)) throw error;
      if (error.leftBehind) unfinished.set(key, true);
      throw refusalOfProvisioning(error);
    }
    unfinished.delete(key);
    endedAt.set(key, performance.now());
    known.set(key, true);
    return state !== null;
  }

  return (connected, context, visit) => {
    const { signal, userEmail } = visit;
    const { organizationId, apiUrl } = connected.tenant;
    const key = JSON.stringify([apiUrl, organizationId, emailKey(userEmail)]);
    const startedAt = performance.now();

    const inTime = (work: Promise<boolean>) =>
      beforeDeadline(work, signal, 'the user to be provisioned');
    const join = () => {
      const underWay = running.get(key);
      if (underWay) return inTime(underWay);
      const work = run(key, connected, context, visit).finally(() => running.delete(key));
      running.set(key, work);
      return inTime(work);
    };
    const hasEnded = () => (endedAt.get(key) ?? -1) >= startedAt;
    const isHalfDone = () => running.has(key) || unfinished.has(key);

    return {
      async settle() {
        if (isHalfDone()) await join();
      },
      async outwait() {
        if (isHalfDone()) await join();
        else if (!hasEnded()) {
          if (!provision || known.has(key)) return false;
          await beforeDeadline(sleep(pauseMs), signal);
          known.set(key, true);
        }
        return true;
      },
      async ensure() {
        if (!provision) return false;
        // Somebody else's visit has provisioned while this one asked.
        return (!running.has(key) && hasEnded()) || join();
      },
    };
  };
}
