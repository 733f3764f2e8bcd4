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
import { Refusal, toCallRefusal } from './refusal.ts';
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

/** Creates and links one user in the portal. */
export interface Provisioning {
  /** Waits for running calls of this process, and repeats calls that were left unfinished. */
  finishPending: () => Promise<void>;
  /**
   * After a refusal: waits for calls of this or another process that may explain it. `false` if there
   * can be none.
   */
  waitForOthers: () => Promise<boolean>;
  /** Provisions the user; `false` if the application does not want that. */
  ensureProvisioned: () => Promise<boolean>;
}

interface MintCall {
  /** Whom to provision. */
  userEmail: string;
  signal: AbortSignal;
  /** Names the calls of this mint in the portal's log. */
  requestId: string;
}

export type CreateProvisioning<User extends PortalUser, Context> = (
  connected: ConnectedTenant,
  context: ProvisionContext<User, Context>,
  mint: MintCall,
) => Provisioning;

const maxRemembered = 10_000;
// Another process may take this long for its calls.
const pauseMs = 500;

/**
 * Creates the provisioning of users whom the portal does not know. Concurrent requests of one user
 * share one run of the calls, which outlives the request that started it. Each process makes the
 * calls itself, with the same result.
 */
export function createProvisioner<User extends PortalUser, Context>(
  provision: Provision<User, Context> | undefined,
  timeoutMs: number,
): CreateProvisioning<User, Context> {
  const running = new Map<string, Promise<boolean>>();
  // No mint lasts longer than the deadline, so none needs older entries.
  const endedAt = new LRUCache<string, number>({ max: maxRemembered, ttl: 2 * timeoutMs });
  const unfinished = new LRUCache<string, true>({ max: maxRemembered });
  // Users whom no other process can still be provisioning.
  const known = new LRUCache<string, true>({ max: maxRemembered });

  async function run(
    key: string,
    connected: ConnectedTenant,
    context: ProvisionContext<User, Context>,
    { userEmail, requestId }: MintCall,
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
      throw toCallRefusal(error);
    }
    unfinished.delete(key);
    endedAt.set(key, performance.now());
    known.set(key, true);
    return state !== null;
  }

  return (connected, context, mint) => {
    const { signal, userEmail } = mint;
    const { organizationId, apiUrl } = connected.tenant;
    const key = JSON.stringify([apiUrl, organizationId, emailKey(userEmail)]);
    const startedAt = performance.now();

    const inTime = (work: Promise<boolean>) =>
      beforeDeadline(work, signal, 'the user to be provisioned');
    const join = () => {
      const underWay = running.get(key);
      if (underWay) return inTime(underWay);
      const work = run(key, connected, context, mint).finally(() => running.delete(key));
      running.set(key, work);
      return inTime(work);
    };
    const hasEnded = () => (endedAt.get(key) ?? -1) >= startedAt;
    const isHalfDone = () => running.has(key) || unfinished.has(key);

    return {
      async finishPending() {
        if (isHalfDone()) await join();
      },
      async waitForOthers() {
        if (isHalfDone()) await join();
        else if (!hasEnded()) {
          if (!provision || known.has(key)) return false;
          await beforeDeadline(sleep(pauseMs), signal);
          known.set(key, true);
        }
        return true;
      },
      async ensureProvisioned() {
        if (!provision) return false;
        // Another request may have provisioned the user during this mint.
        return (!running.has(key) && hasEnded()) || join();
      },
    };
  };
}
