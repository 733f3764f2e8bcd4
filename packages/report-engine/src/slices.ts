import { setImmediate as onImmediate } from 'node:timers';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';

import { sliceTurns } from './limits/limits.ts';
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

interface Debt {
  ms: number;
  /** When `ms` was counted. */
  at: number;
}

/** Milliseconds that each owner has used, reduced by its share of the time since then. */
class Debts {
  readonly #budget: Budget;
  readonly #debts = new LRUCache<string, Debt>({ max: 10_000 });

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** What is left of a debt. */
  #read({ ms, at }: Debt, now: number): number {
    return Math.max(0, ms - (now - at) * this.#budget.share);
  }

  add(key: string, ms: number): void {
    const now = performance.now();
    let debt = this.#debts.get(key);
    if (!debt) this.#debts.set(key, (debt = { ms: 0, at: now }));
    debt.ms = this.#read(debt, now) + ms;
    debt.at = now;
  }

  /** How long the owner has to wait, in milliseconds. */
  waitOf(key: string): number {
    const { burstMs, share } = this.#budget;
    const debt = this.#debts.get(key);
    return debt ? Math.max(0, (this.#read(debt, performance.now()) - burstMs) / share) : 0;
  }
}

/** Milliseconds of one turn of the event loop, after which other requests are answered. */
const turnMs = 2;

/**
 * Divides the event loop among reports: large results are read and written in slices, between which
 * other requests are answered. Users take turns, and one who has used much waits longer.
 */
export class Slices {
  readonly #turns = new QueryTurns(sliceTurns);
  readonly #users = new Debts(budgets.ofUser);
  readonly #organizations = new Debts(budgets.ofOrganization);
  /** When the current turn of the event loop began, as far as it is known. */
  #turnBegan: number | undefined;
  /** Who uses the event loop, and since when. */
  #running: { owner: Owner; since: number } | undefined;

  /** Resolves when the owner may use the event loop until the next `await`. */
  async next(owner: Owner, signal: AbortSignal): Promise<void> {
    const waitMs = Math.max(
      this.#users.waitOf(keyOf(owner)),
      this.#organizations.waitOf(owner.organizationId),
    );
    if (waitMs > 0) await delay(waitMs, undefined, { signal });
    // Each turn costs as much as a small result.
    if (waitMs > 0 || this.#running || this.#readTurnMs() > turnMs)
      await this.#turns.run(owner, signal, () => this.#waitForPrevious());
    signal.throwIfAborted();
    this.#charge(owner);
  }

  async #waitForPrevious(): Promise<void> {
    // Tiles that share one result ask at once. By the next tick, the previous one has done its work.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    if (this.#readTurnMs() > turnMs) await setImmediate();
  }

  #readTurnMs(): number {
    const now = performance.now();
    if (this.#turnBegan === undefined) {
      this.#turnBegan = now;
      onImmediate(() => (this.#turnBegan = undefined));
    }
    return now - this.#turnBegan;
  }

  /** Charges the time until the next call, or until the event loop does something else, to the owner. */
  #charge(owner: Owner): void {
    const since = performance.now();
    if (this.#running) this.#end(since);
    else process.nextTick(() => this.#end(performance.now()));
    this.#running = { owner, since };
  }

  #end(now: number): void {
    const { owner, since } = this.#running!;
    this.#running = undefined;
    this.#users.add(keyOf(owner), now - since);
    this.#organizations.add(owner.organizationId, now - since);
  }
}

const keyOf = ({ organizationId, userId }: Owner) => `${organizationId} ${userId}`;
