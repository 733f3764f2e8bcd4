import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { computeCapacity, ConnectionTurns, type Claim } from './turns.ts';

/** Waits until all turns that can start have started. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Records the order in which turns start, and ends them on demand. */
function recordTurns(turns: ConnectionTurns) {
  const order: string[] = [];
  const ends: (() => void)[] = [];
  return {
    order,
    acquire: async (name: string, claim: Claim) => {
      // A turn that the test does not wait for is refused later.
      const end = await turns.acquire(claim).catch(() => undefined);
      if (!end) return;
      order.push(name);
      ends.push(end);
    },
    endFirst: async () => {
      await settle();
      ends.shift()!();
    },
  };
}

const acme = { organizationId: 'acme' };
const globex = { organizationId: 'globex' };

describe('turns', () => {
  it('a third of the connections is reserved for the hot path; half of the rest is the limit per organization', () => {
    expect(computeCapacity(10)).toEqual({ total: 10, reserved: 3, perOrganization: 4 });
    expect(computeCapacity(1)).toEqual({ total: 1, reserved: 0, perOrganization: 1 });
  });

  it('the hot path does not wait while an organization uses its whole share', async () => {
    const { acquire, order } = recordTurns(new ConnectionTurns(computeCapacity(10)));
    for (let n = 0; n < 64; n++) void acquire('acme', acme);
    for (let n = 0; n < 64; n++) void acquire('service', 'service');
    void acquire('hot', 'hot');
    await settle();
    expect(order.filter((name) => name === 'acme')).toHaveLength(4);
    expect(order.filter((name) => name === 'service')).toHaveLength(3);
    expect(order.at(-1)).toBe('hot');
  });

  it('a single connection serves the hot path first, then the organizations in rotation', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { acquire, order, endFirst } = recordTurns(new ConnectionTurns(computeCapacity(1)));
    void acquire('first', 'service');
    for (const n of [1, 2, 3]) void acquire(`acme ${n}`, acme);
    for (const n of [1, 2]) void acquire(`globex ${n}`, globex);
    void acquire('hot', 'hot');
    for (let n = 0; n < 7; n++) await endFirst();
    expect(order).toEqual(['first', 'hot', 'acme 1', 'globex 1', 'acme 2', 'globex 2', 'acme 3']);
  });

  it('organizations get a quarter of the time while the hot path never stops waiting', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { acquire, order, endFirst } = recordTurns(new ConnectionTurns(computeCapacity(1)));
    for (let n = 0; n < 99; n++) void acquire('hot', 'hot');
    for (let n = 0; n < 2; n++)
      for (const claim of [acme, globex]) void acquire(claim.organizationId, claim);
    for (let n = 0; n < 18; n++) {
      vi.advanceTimersByTime(10);
      await endFirst();
    }
    const hot = (times: number) => Array.from({ length: times }, () => 'hot');
    expect(order).toEqual(
      [hot(5), 'acme', hot(3), 'globex', hot(3), 'acme', hot(3), 'globex'].flat(),
    );
  });

  it('after a long turn of an organization, the hot path goes first for a second', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { acquire, order, endFirst } = recordTurns(new ConnectionTurns(computeCapacity(1)));
    void acquire('acme', acme);
    await settle();
    for (let n = 0; n < 9; n++) void acquire('hot', 'hot');
    void acquire('globex', globex);
    vi.advanceTimersByTime(10_000);
    await endFirst();
    for (let n = 0; n < 6; n++) {
      vi.advanceTimersByTime(250);
      await endFirst();
    }
    expect(order).toEqual(['acme', 'hot', 'hot', 'hot', 'hot', 'globex', 'hot']);
  });

  it('a request that waits five seconds for its turn is rejected as overloaded', async () => {
    vi.useFakeTimers();
    try {
      const turns = new ConnectionTurns(computeCapacity(1));
      const end = await turns.acquire(acme);
      const late = turns.acquire(acme).catch((error: unknown) => error);
      const hot = turns.acquire('hot').catch((error: unknown) => error);
      const service = turns.acquire('service');
      await vi.advanceTimersByTimeAsync(4_999);
      expect(turns.waiting).toBe(3);
      await vi.advanceTimersByTimeAsync(1);
      const error = { code: 'overloaded', retryAfter: 2 };
      const ofOrganization = expect.stringContaining('This organization has too many requests');
      expect(await late).toMatchObject({
        ...error,
        message: ofOrganization,
        advice: 'Wait for their answers, then try again.',
      });
      const ofPortal = expect.stringContaining('The portal is overloaded');
      expect(await hot).toMatchObject({
        ...error,
        message: ofPortal,
        advice: 'Try again in a few seconds.',
      });
      expect(turns.waiting).toBe(1);
      end();
      (await service)();
      expect(turns.waiting).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('rejectAll rejects all waiting requests, and the next turn starts', async () => {
    const turns = new ConnectionTurns(computeCapacity(1));
    const end = await turns.acquire(acme);
    const claims: Claim[] = ['hot', 'service', acme, globex];
    const waiting = claims.map((claim) =>
      turns.acquire(claim).catch((error: Error) => error.message),
    );
    turns.rejectAll(new Error('away'));
    expect(await Promise.all(waiting)).toEqual(claims.map(() => 'away'));
    expect(turns.waiting).toBe(0);
    end();
    (await turns.acquire(globex))();
  });

  it('the service alone may use all connections that are not reserved', async () => {
    const { acquire, order } = recordTurns(new ConnectionTurns(computeCapacity(10)));
    for (let n = 0; n < 10; n++) void acquire('service', 'service');
    await settle();
    expect(order).toHaveLength(7);
  });

  it('when a request ends, the next one of its organization starts', async () => {
    const { acquire, order, endFirst } = recordTurns(new ConnectionTurns(computeCapacity(10)));
    for (let n = 0; n < 4; n++) void acquire('acme', acme);
    await endFirst();
    for (let n = 0; n < 4; n++) void acquire('acme', acme);
    await settle();
    expect(order).toHaveLength(5);
  });

  it('waiting requests stay queued when the last running one of their organization ends', async () => {
    const { acquire, order, endFirst } = recordTurns(new ConnectionTurns(computeCapacity(1)));
    void acquire('acme 1', acme);
    for (const name of ['acme 2', 'acme 3']) void acquire(name, acme);
    void acquire('globex', globex);
    for (let n = 0; n < 4; n++) await endFirst();
    expect(order).toEqual(['acme 1', 'acme 2', 'globex', 'acme 3']);
  });

  it('an organization without requests loses its place in the rotation', async () => {
    const { acquire, order, endFirst } = recordTurns(new ConnectionTurns(computeCapacity(1)));
    void acquire('acme 1', acme);
    await endFirst();
    void acquire('first', 'service');
    void acquire('globex', globex);
    void acquire('acme 2', acme);
    for (let n = 0; n < 3; n++) await endFirst();
    expect(order).toEqual(['acme 1', 'first', 'globex', 'acme 2']);
  });

  it('a request leaves no timer behind, whether it is served or rejected', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const turns = new ConnectionTurns(computeCapacity(1));
      const end = await turns.acquire(acme);
      const served = turns.acquire('hot');
      const rejected = turns.acquire(globex).catch(() => {});
      expect(vi.getTimerCount()).toBe(2);
      end();
      await served;
      turns.rejectAll(new Error('away'));
      await rejected;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
