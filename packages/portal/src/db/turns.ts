import { PortalError } from '../errors.ts';

/** Who asks for a connection: the hot path, the service itself, or an organization's request. */
export type Claim = 'hot' | 'service' | { organizationId: string };

export interface Capacity {
  /** Connections in use at once. */
  total: number;
  /** How many of them only the hot path may use. */
  reserved: number;
  /** How many one organization may use at once, beside the hot path. */
  perOrganization: number;
}

/** Divides the connections: a third for the hot path, half of the others for one organization. */
export function capacityOf(total: number): Capacity {
  const reserved = Math.floor(total / 3);
  return { total, reserved, perOrganization: Math.max(1, Math.ceil((total - reserved) / 2)) };
}

/** How long an organization's request waits for its turn. */
const waitLimitMs = 5_000;

interface Waiter {
  start: () => void;
  reject: (error: Error) => void;
}

/** Turns in use, and requests that wait, of one organization or of the service itself. */
interface Lane {
  working: number;
  most: number;
  waiting: Set<Waiter>;
}

/**
 * Decides who works on the database next. The hot path goes first and has turns of its own; the
 * organizations follow in rotation, so that none keeps another waiting.
 */
export class Turns {
  readonly #capacity: Capacity;
  readonly #waitLimitMs: number;
  #working = 0;
  /** Of those that work, the ones outside the hot path. */
  #sharing = 0;
  readonly #hot = new Set<Waiter>();
  /** In the order of the rotation; only lanes that are in use. */
  readonly #lanes = new Map<string, Lane>();

  constructor(capacity: Capacity, options: { waitLimitMs?: number } = {}) {
    this.#capacity = capacity;
    this.#waitLimitMs = options.waitLimitMs ?? waitLimitMs;
  }

  /** How many wait. */
  get waiting(): number {
    return [...this.#lanes.values()].reduce(
      (sum, { waiting }) => sum + waiting.size,
      this.#hot.size,
    );
  }

  /**
   * Waits for a turn and returns how to end it. The service itself waits as long as it takes.
   *
   * @throws `overloaded` after five seconds.
   */
  take(claim: Claim): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const queue = claim === 'hot' ? this.#hot : this.#laneOf(claim).waiting;
      let timer: NodeJS.Timeout | undefined;
      const waiter: Waiter = {
        start: () => {
          clearTimeout(timer);
          resolve(() => this.#end(claim));
        },
        reject: (error) => {
          clearTimeout(timer);
          queue.delete(waiter);
          reject(error);
        },
      };
      if (claim !== 'service')
        timer = setTimeout(() => waiter.reject(overloaded(claim)), this.#waitLimitMs);
      queue.add(waiter);
      this.#startNext();
    });
  }

  /** Refuses everybody who waits. */
  rejectAll(error: Error): void {
    const lanes = [...this.#lanes.values()].map(({ waiting }) => waiting);
    for (const waiters of [this.#hot, ...lanes]) for (const waiter of waiters) waiter.reject(error);
  }

  #laneOf(claim: Exclude<Claim, 'hot'>): Lane {
    const key = keyOf(claim);
    let lane = this.#lanes.get(key);
    if (!lane) {
      const { total, reserved, perOrganization } = this.#capacity;
      const most = claim === 'service' ? total - reserved : perOrganization;
      lane = { working: 0, most, waiting: new Set() };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  #end(claim: Claim): void {
    this.#working--;
    if (claim !== 'hot') {
      this.#sharing--;
      const lane = this.#laneOf(claim);
      lane.working--;
      if (lane.working === 0 && lane.waiting.size === 0) this.#lanes.delete(keyOf(claim));
    }
    this.#startNext();
  }

  #startNext(): void {
    while (this.#working < this.#capacity.total) {
      const waiter = takeFirst(this.#hot) ?? this.#nextInRotation();
      if (!waiter) return;
      this.#working++;
      waiter.start();
    }
  }

  #nextInRotation(): Waiter | undefined {
    const { total, reserved } = this.#capacity;
    if (this.#sharing >= total - reserved) return undefined;
    for (const [key, lane] of this.#lanes) {
      if (lane.working >= lane.most || lane.waiting.size === 0) continue;
      this.#lanes.delete(key);
      this.#lanes.set(key, lane);
      lane.working++;
      this.#sharing++;
      return takeFirst(lane.waiting);
    }
    return undefined;
  }
}

const keyOf = (claim: Exclude<Claim, 'hot'>): string =>
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
    'overloaded',
    claim === 'hot'
      ? 'The portal has too much to do at the moment. Try again in a few seconds.'
      : 'This organization has too many requests at work. Wait for their answers, then try again.',
    undefined,
    2,
  );
