import { PortalError } from '../../errors.ts';
import { databaseLimits } from './limits.ts';

/** What needs a connection: the hot path, the service itself, or a request of an organization. */
export type Claim = 'hot' | 'service' | { organizationId: string };

export interface Capacity {
  /** Connections in use at once. */
  total: number;
  /** How many of them only the hot path may use. */
  reserved: number;
  /** How many one organization may use at once, not counting the hot path. */
  perOrganization: number;
}

/** Reserves a third of the connections for the hot path; an organization may use half of the rest. */
export function computeCapacity(total: number): Capacity {
  const reserved = Math.floor(total / 3);
  return { total, reserved, perOrganization: Math.ceil((total - reserved) / 2) };
}

const { turn } = databaseLimits;

/** How long the hot path goes first when the first request of an organization begins to wait. */
const firstHeadStartMs = 50;
/** After the turn of an organization, the hot path goes first for this many times its duration. */
const headStartFactor = 3;
const maxHeadStartMs = 1_000;

interface Waiter {
  start: () => void;
  reject: (error: Error) => void;
}

/** Running and waiting requests of one organization, or of the service itself. */
interface Lane {
  running: number;
  maxRunning: number;
  waiting: Set<Waiter>;
}

/**
 * Decides which request uses the database next. The hot path goes first and has reserved turns. The
 * organizations follow in rotation, so that none delays another. If the hot path never stops waiting,
 * they still get about a quarter of the time of one connection. Otherwise the mints of one organization
 * would stop the requests of all others.
 */
export class ConnectionTurns {
  readonly #capacity: Capacity;
  #running = 0;
  /** Running requests outside the hot path. */
  #sharing = 0;
  readonly #hot = new Set<Waiter>();
  /** Until then, the hot path goes first. */
  #headStartEnd = 0;
  /** Lanes in use, in the order of the rotation. */
  readonly #lanes = new Map<string, Lane>();

  constructor(capacity: Capacity) {
    this.#capacity = capacity;
  }

  /** How many requests wait. */
  get waiting(): number {
    return [...this.#lanes.values()].reduce(
      (sum, { waiting }) => sum + waiting.size,
      this.#hot.size,
    );
  }

  /**
   * Waits for a turn and returns a function that ends it. The service itself has no time limit.
   *
   * @throws `overloaded` after five seconds.
   */
  acquire(claim: Claim): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const queue = claim === 'hot' ? this.#hot : this.#openLane(claim).waiting;
      if (claim !== 'hot' && this.#isRotationIdle) this.#extendHeadStart(firstHeadStartMs);
      let timer: NodeJS.Timeout | undefined;
      const waiter: Waiter = {
        start: () => {
          clearTimeout(timer);
          const startedAt = performance.now();
          resolve(() => this.#end(claim, performance.now() - startedAt));
        },
        reject: (error) => {
          clearTimeout(timer);
          queue.delete(waiter);
          reject(error);
        },
      };
      if (claim !== 'service') timer = setTimeout(() => waiter.reject(overloaded(claim)), turn.ms);
      queue.add(waiter);
      this.#startNext();
    });
  }

  /** Rejects all requests that wait. */
  rejectAll(error: Error): void {
    const lanes = [...this.#lanes.values()].map(({ waiting }) => waiting);
    for (const waiters of [this.#hot, ...lanes]) for (const waiter of waiters) waiter.reject(error);
  }

  #openLane(claim: Exclude<Claim, 'hot'>): Lane {
    const key = chooseLane(claim);
    let lane = this.#lanes.get(key);
    if (!lane) {
      const { total, reserved, perOrganization } = this.#capacity;
      const maxRunning = claim === 'service' ? total - reserved : perOrganization;
      lane = { running: 0, maxRunning, waiting: new Set() };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  /** No organization has a turn or waits for one. */
  get #isRotationIdle(): boolean {
    return this.#sharing === 0 && [...this.#lanes.values()].every(({ waiting }) => !waiting.size);
  }

  #extendHeadStart(ms: number): void {
    const end = performance.now() + Math.min(ms, maxHeadStartMs);
    this.#headStartEnd = Math.max(this.#headStartEnd, end);
  }

  #end(claim: Claim, durationMs: number): void {
    this.#running--;
    if (claim !== 'hot') {
      this.#extendHeadStart(headStartFactor * durationMs);
      this.#sharing--;
      const lane = this.#openLane(claim);
      lane.running--;
      if (lane.running === 0 && lane.waiting.size === 0) this.#lanes.delete(chooseLane(claim));
    }
    this.#startNext();
  }

  #startNext(): void {
    while (this.#running < this.#capacity.total) {
      const isHotFirst = performance.now() < this.#headStartEnd;
      const waiter =
        (isHotFirst ? undefined : this.#nextInRotation()) ??
        takeFirst(this.#hot) ??
        this.#nextInRotation();
      if (!waiter) return;
      this.#running++;
      waiter.start();
    }
  }

  #nextInRotation(): Waiter | undefined {
    const { total, reserved } = this.#capacity;
    if (this.#sharing >= total - reserved) return undefined;
    for (const [key, lane] of this.#lanes) {
      if (lane.running >= lane.maxRunning || lane.waiting.size === 0) continue;
      this.#lanes.delete(key);
      this.#lanes.set(key, lane);
      lane.running++;
      this.#sharing++;
      return takeFirst(lane.waiting);
    }
    return undefined;
  }
}

const chooseLane = (claim: Exclude<Claim, 'hot'>): string =>
  claim === 'service' ? '' : claim.organizationId;

function takeFirst(waiters: Set<Waiter>): Waiter | undefined {
  for (const waiter of waiters) {
    waiters.delete(waiter);
    return waiter;
  }
  return undefined;
}

const overloaded = (claim: Claim): PortalError =>
  new PortalError(
    turn.code,
    claim === 'hot'
      ? 'The portal is overloaded.'
      : 'This organization has too many requests in progress.',
    {
      advice:
        claim === 'hot' ? 'Try again in a few seconds.' : 'Wait for their answers, then try again.',
      retryAfter: turn.retryAfter,
    },
  );
