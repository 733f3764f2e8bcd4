import { getEventListeners } from 'node:events';

import { describe, expect, it, vi } from 'vitest';

import { QueryTurns, type Owner, type TurnLimits } from './turns.ts';

const createOwner = (name: string): Owner => ({
  organizationId: name.slice(0, 1),
  userId: name.slice(0, 2),
});

/**
 * Queues queries named after organization, user and number (`a1-2`), records the order in which they
 * start, and ends them on demand.
 */
function createStage(limits: Partial<TurnLimits> = {}) {
  const turns = new QueryTurns({ concurrency: 1, perUser: 100, ...limits });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const queue = (name: string, signal = new AbortController().signal) => {
    const ended = turns.run(createOwner(name), signal, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
    // A query that still waits when its test ends is refused a minute later.
    ended.catch(() => {});
    return ended;
  };
  const queueAll = async (names: string) => {
    // Some still wait when the test ends.
    for (const name of names.split(' ')) queue(name).catch(() => {});
    await new Promise(setImmediate);
  };
  const endOne = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { turns, queue, queueAll, started, endOne };
}

describe('turns', () => {
  it('rotate among organizations, and within one among its users', async () => {
    const { queueAll, started, endOne } = createStage();
    await queueAll('a1-1 a1-2 a1-3 a2-1 a2-2 b1-1 b1-2');
    for (let ended = 0; ended < 7; ended += 1) await endOne();
    expect(started.join(' ')).toBe('a1-1 a1-2 b1-1 a2-1 b1-2 a1-3 a2-2');
  });

  it('no more queries run than the concurrency allows', async () => {
    const { turns, queueAll, started, endOne } = createStage({ concurrency: 2 });
    await queueAll('a1-1 b1-1 c1-1 a2-1');
    expect(started).toHaveLength(2);
    expect(turns.usage()).toEqual({ running: 2, waiting: 2 });
    await endOne();
    expect(started).toHaveLength(3);
  });

  it('a user at the limit leaves free turns to others', async () => {
    const { queueAll, started, endOne } = createStage({ concurrency: 4, perUser: 2 });
    await queueAll('a1-1 a1-2 a1-3 a1-4');
    expect(started.join(' ')).toBe('a1-1 a1-2');
    await queueAll('a2-1');
    expect(started.at(-1)).toBe('a2-1');
    await endOne();
    expect(started.at(-1)).toBe('a1-3');
  });

  it('an organization at the limit leaves free turns to others', async () => {
    const { queueAll, started, endOne } = createStage({ concurrency: 4 });
    await queueAll('a1-1 a2-1 a3-1 a4-1 b1-1');
    expect(started.join(' ')).toBe('a1-1 a2-1 a3-1 b1-1');
    await endOne();
    expect(started.at(-1)).toBe('a4-1');
  });

  it('a query that fails gives its turn to the next one', async () => {
    const { turns } = createStage();
    const { signal } = new AbortController();
    const fail = () => Promise.reject(new Error('broken'));
    await expect(turns.run(createOwner('a1'), signal, fail)).rejects.toThrow('broken');
    expect(await turns.run(createOwner('b1'), signal, async () => 'done')).toBe('done');
    expect(turns.usage()).toEqual({ running: 0, waiting: 0 });
  });

  it('an aborted query leaves the queue at once', async () => {
    const { turns, queue, queueAll, started, endOne } = createStage();
    await queueAll('a1-1');
    const gone = new AbortController();
    const waiting = queue('a1-2', gone.signal);
    const next = queue('a1-3');
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(turns.usage().waiting).toBe(1);
    await endOne();
    await endOne();
    await next;
    expect(started.join(' ')).toBe('a1-1 a1-3');
  });

  it('a query that is aborted before it waits does not run', async () => {
    const { turns, queue, started } = createStage();
    await expect(queue('a1-1', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect([started, turns.usage()]).toEqual([[], { running: 0, waiting: 0 }]);
  });

  it('users with the same id in two organizations have separate limits', async () => {
    const { turns } = createStage({ concurrency: 4, perUser: 1 });
    const { signal } = new AbortController();
    for (const organizationId of ['a', 'a', 'b'])
      turns
        .run({ organizationId, userId: 'same' }, signal, () => new Promise(() => {}))
        .catch(() => {});
    await new Promise(setImmediate);
    expect(turns.usage()).toEqual({ running: 2, waiting: 1 });
  });

  it('an organization or user without a waiting query loses its place in the rotation', async () => {
    const { queue, queueAll, started, endOne } = createStage();
    await queueAll('x1-1');
    const leave = async (name: string) => {
      const gone = new AbortController();
      const waiting = queue(name, gone.signal).catch(() => {});
      gone.abort();
      await waiting;
    };
    await leave('a1-1');
    await queueAll('b1-1 a1-2 c1-1');
    await leave('c2-1');
    await queueAll('c3-1 c2-2');
    for (let ended = 0; ended < 6; ended += 1) await endOne();
    expect(started.join(' ')).toBe('x1-1 b1-1 a1-2 c1-1 c3-1 c2-2');
  });

  it('an organization whose queries have all started waits behind others for its next one', async () => {
    const { queueAll, started, endOne } = createStage();
    await queueAll('a1-1 a1-2');
    await endOne();
    await queueAll('b1-1 a1-3');
    for (let ended = 0; ended < 3; ended += 1) await endOne();
    expect(started.join(' ')).toBe('a1-1 a1-2 b1-1 a1-3');
  });

  it('a query leaves no timer and no listener behind, whether it starts or is aborted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { queue, endOne } = createStage();
      const [running, gone] = [new AbortController(), new AbortController()];
      const first = queue('a1-1', running.signal);
      const aborted = queue('a1-2', gone.signal).catch(() => {});
      expect(vi.getTimerCount()).toBe(1);
      gone.abort();
      await aborted;
      expect(vi.getTimerCount()).toBe(0);
      for (const { signal } of [running, gone])
        expect(getEventListeners(signal, 'abort')).toEqual([]);
      await endOne();
      await first;
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a queue that is full', () => {
  it('a full queue refuses the organization that fills it, and no other', async () => {
    const { queue, queueAll, turns } = createStage({ maxWaiting: 2 });
    await queueAll('a1-1 a1-2 a2-1');
    await expect(queue('a3-1')).rejects.toMatchObject({
      reason: 'overloaded',
      message: 'Too many queries wait for the report engine.',
    });
    await queueAll('b1-1');
    expect(turns.usage()).toEqual({ running: 1, waiting: 3 });
  });

  it('a query that waits longer than the limit is refused', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { queue, queueAll, turns } = createStage({ maxWaitMs: 1_000 });
      await queueAll('a1-1');
      const refused = queue('a1-2').catch((error: unknown) => error);
      vi.advanceTimersByTime(999);
      expect(turns.usage().waiting).toBe(1);
      vi.advanceTimersByTime(1);
      expect(await refused).toMatchObject({ reason: 'overloaded' });
      expect(turns.usage()).toEqual({ running: 1, waiting: 0 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('by default, 2,000 queries of an organization may wait', async () => {
    const { queue, turns } = createStage();
    void queue('a1-0');
    const readers = Array.from({ length: 2_000 }, () => new AbortController());
    const waiting = readers.map(({ signal }) => queue('a1-1', signal));
    await expect(queue('a2-1')).rejects.toMatchObject({ reason: 'overloaded' });
    expect(turns.usage().waiting).toBe(2_000);
    for (const reader of readers) reader.abort();
    await Promise.allSettled(waiting);
    expect(turns.usage().waiting).toBe(0);
  });

  it('by default, a query waits for at most a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { queue, turns } = createStage();
      void queue('a1-0');
      const refused = queue('a1-1').catch((error: unknown) => error);
      vi.advanceTimersByTime(59_999);
      expect(turns.usage().waiting).toBe(1);
      vi.advanceTimersByTime(1);
      expect(await refused).toMatchObject({ reason: 'overloaded' });
    } finally {
      vi.useRealTimers();
    }
  });
});
