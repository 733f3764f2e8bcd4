import { setImmediate, setTimeout as delay } from 'node:timers/promises';

import { BoundedMap } from '#server-kit';

import { sliceTurns } from './limits/table.ts';
import { QueryTurns, type Owner } from './limits/turns.ts';

/** Milliseconds of the event loop that an owner may use at once, and the part of the time beyond them. */
interface Budget {
  burstMs: number;
  share: number;
}

const budgets: { ofUser: Budget; ofOrganization: Budget } = {
  ofUser: { burstMs: 400, share: 0.06 },
  ofOrganization: { burstMs: 2_000, share: 0.6 },
};

/** Milliseconds that each owner has used, reduced by its share of the time since then. */
class Debts {
  readonly #budget: Budget;
  readonly #debts = new BoundedMap<{ ms: number; at: number }>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  #read(key: string, now: number): number {
    const { ms, at } = this.#debts.get(key) ?? { ms: 0, at: now };
    return Math.max(0, ms - (now - at) * this.#budget.share);
  }

  add(key: string, ms: number): void {
    const now = performance.now();
    this.#debts.set(key, { ms: this.#read(key, now) + ms, at: now });
  }

  /** How long the owner has to wait, in milliseconds. */
  waitOf(key: string): number {
    const { burstMs, share } = this.#budget;
    return Math.max(0, (this.#read(key, performance.now()) - burstMs) / share);
  }
}

/**
 * Divides the event loop among reports: large results are read and written in slices, between which
 * other requests are answered. Users take turns, and one who has used much waits longer.
 */
export class Slices {
  readonly #turns = new QueryTurns(sliceTurns);
  readonly #users = new Debts(budgets.ofUser);
  readonly #organizations = new Debts(budgets.ofOrganization);

  /** Resolves when the owner may use the event loop until the next `await`. */
  async next(owner: Owner, signal: AbortSignal): Promise<void> {
    const { organizationId, userId } = owner;
    const user = `${organizationId} ${userId}`;
    const waitMs = Math.max(this.#users.waitOf(user), this.#organizations.waitOf(organizationId));
    if (waitMs > 0) await delay(waitMs, undefined, { signal });
    await this.#turns.run(owner, signal, () => setImmediate());
    const started = performance.now();
    // It runs after the slice and before other work of the event loop, which the owner does not pay for.
    process.nextTick(() => {
      const usedMs = performance.now() - started;
      this.#users.add(user, usedMs);
      this.#organizations.add(organizationId, usedMs);
    });
  }
}
