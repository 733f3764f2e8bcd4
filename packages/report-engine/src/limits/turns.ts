import { ReportError, type QueryUsage } from '#platform';

import { defaultWaiting, organizationShare } from './limits.ts';

/** The user for whom a query runs. */
export interface Owner {
  organizationId: string;
  userId: string;
}

export interface TurnLimits {
  /** Maximum number of running queries. */
  concurrency: number;
  /**
   * Maximum number of running queries of one organization, so that others need not wait for its slow
   * queries. Default: three quarters of all.
   */
  perOrganization?: number;
  /** Maximum number of running queries of one user. */
  perUser: number;
  /** Maximum number of waiting queries of one organization. Default: 2,000. */
  maxWaiting?: number;
  /** Maximum wait of a query in milliseconds. Default: 60,000. */
  maxWaitMs?: number;
}

/** Starts one waiting query. */
type Start = () => void;

/**
 * A fair queue. Turns rotate among organizations, and within an organization among its users, so that
 * no user waits for all queries of another.
 */
export class QueryTurns {
  readonly #limits: Required<TurnLimits>;
  /** Organization → user → queue. Both maps are in rotation order: a turn moves its entry to the end. */
  readonly #waiting = new Map<string, Map<string, Start[]>>();
  readonly #runningByUser = new Counts();
  readonly #runningByOrganization = new Counts();
  #running = 0;

  constructor(limits: TurnLimits) {
    const perOrganization = Math.ceil(limits.concurrency * organizationShare);
    this.#limits = { perOrganization, ...defaultWaiting, ...limits };
  }

  /**
   * Runs `work` when it is the owner's turn.
   *
   * @throws `ReportError` if too many queries wait or this one waits too long; the reason of
   *   `signal` if it aborts.
   */
  async run<Result>(
    owner: Owner,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await this.#wait(owner, signal);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#runningByUser.add(formatUserKey(owner), -1);
      this.#runningByOrganization.add(owner.organizationId, -1);
      this.#startNext();
    }
  }

  usage(): QueryUsage {
    let waiting = 0;
    for (const organizationId of this.#waiting.keys())
      waiting += this.#countWaiting(organizationId);
    return { running: this.#running, waiting };
  }

  #wait(owner: Owner, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#countWaiting(owner.organizationId) >= this.#limits.maxWaiting) throw overloaded();
    return new Promise((resolve, reject) => {
      const endWait = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const start = () => {
        endWait();
        resolve();
      };
      const giveUp = (error: unknown) => {
        endWait();
        this.#remove(owner, start);
        reject(error);
      };
      const abort = () => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(overloaded()), this.#limits.maxWaitMs);
      signal.addEventListener('abort', abort);
      this.#add(owner, start);
      this.#startNext();
    });
  }

  #add({ organizationId, userId }: Owner, start: Start): void {
    const users = this.#waiting.get(organizationId) ?? new Map<string, Start[]>();
    this.#waiting.set(organizationId, users);
    users.set(userId, [...(users.get(userId) ?? []), start]);
  }

  #remove({ organizationId, userId }: Owner, start: Start): void {
    const users = this.#waiting.get(organizationId);
    const left = users?.get(userId)?.filter((each) => each !== start) ?? [];
    if (left.length > 0) users?.set(userId, left);
    else users?.delete(userId);
    if (users?.size === 0) this.#waiting.delete(organizationId);
  }

  #startNext(): void {
    const { concurrency, perOrganization, perUser } = this.#limits;
    if (this.#running === concurrency) return;
    for (const [organizationId, users] of this.#waiting) {
      if (this.#runningByOrganization.get(organizationId) >= perOrganization) continue;
      for (const [userId, [start, ...left]] of users) {
        const user = formatUserKey({ organizationId, userId });
        if (!start || this.#runningByUser.get(user) >= perUser) continue;
        users.delete(userId);
        if (left.length > 0) users.set(userId, left);
        this.#waiting.delete(organizationId);
        if (users.size > 0) this.#waiting.set(organizationId, users);
        this.#running += 1;
        this.#runningByUser.add(user, 1);
        this.#runningByOrganization.add(organizationId, 1);
        start();
        return;
      }
    }
  }

  #countWaiting(organizationId: string): number {
    let waiting = 0;
    for (const queue of this.#waiting.get(organizationId)?.values() ?? []) waiting += queue.length;
    return waiting;
  }
}

/** Numbers by key. Zeros are not kept. */
class Counts {
  readonly #counts = new Map<string, number>();

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, change: number): void {
    const count = this.get(key) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

const formatUserKey = ({ organizationId, userId }: Owner) => `${organizationId} ${userId}`;

const overloaded = () =>
  new ReportError('overloaded', 'Too many queries wait for the report engine.');
