import { describe, expect, it, vi } from 'vitest';

import { duckdb } from '../emit/duckdb.ts';
import { keyword, type Statement } from '../emit/sql.ts';
import type { Row } from '../engine/messages.ts';
import { QueryTurns, type Owner } from '../limits/turns.ts';
import { Slices } from '../slices.ts';
import type { Source } from '../source.ts';
import { QueryCache } from './query-cache.ts';

const live = new AbortController().signal;
const owner = { organizationId: 'acme', userId: 'ann' };
type Query = Statement & Partial<Pick<Source, 'key' | 'maxAgeMs'>>;
const sum: Query = { text: 'SELECT sum(s)', values: ['West'] };

/** A cache over a source whose queries wait for their turns and then until they are answered. */
function createStage({ cacheMb = 1, concurrency = 1, perUser = 1 } = {}) {
  const turns = new QueryTurns({ concurrency, perUser });
  const running: { owner: string; text: string; answer: (value: unknown) => void }[] = [];
  const query = vi.fn<Source['query']>((asker, asked, signal, onStart) =>
    turns.run(asker, signal, () => {
      onStart?.();
      signal.throwIfAborted();
      return new Promise<Row[]>((resolve, reject) => {
        const answer = (value: unknown) => {
          running.splice(running.indexOf(entry), 1);
          if (value instanceof Error) reject(value);
          else resolve([{ value: value as number }]);
        };
        const entry = { owner: asker.userId, text: asked.text, answer };
        running.push(entry);
        signal.addEventListener('abort', () => answer(signal.reason));
      });
    }),
  );
  const clock = { now: 0 };
  const cache = new QueryCache({ cacheMb }, () => new Date(clock.now), new Slices());
  const askAs = (asker: Owner, { key = '1', maxAgeMs, ...asked }: Query = sum, signal = live) => {
    const source: Source = { dialect: duckdb, from: keyword('t'), columns: new Map(), key, query };
    return cache.query(
      asker,
      maxAgeMs === undefined ? source : { ...source, maxAgeMs },
      asked,
      signal,
    );
  };
  const ask = (asked: Query = sum, user = 'ann', signal = live) =>
    askAs({ ...owner, userId: user }, asked, signal).then(
      (rows) => rows[0]?.['value'] ?? null,
      (error: Error) => error.message,
    );
  /** Waits until a query runs, and answers it. */
  const answer = async (value: unknown, index = 0) => {
    await expect.poll(() => running[index]).toBeDefined();
    running[index]?.answer(value);
  };
  return { ask, askAs, answer, running, turns, query, clock };
}

describe('cached results', () => {
  it('an equal query is answered from the cache', async () => {
    const { ask, answer, query } = createStage();
    const first = ask();
    await answer(5);
    expect([await first, await ask(), await ask(sum, 'bob')]).toEqual([5, 5, 5]);
    expect(query).toHaveBeenCalledOnce();
  });

  it.each<[string, Query]>([
    ['statement', { ...sum, text: 'SELECT max(s)' }],
    ['value', { ...sum, values: ['East'] }],
    ['list of values', { ...sum, values: [['West']] }],
    ['version of the files', { ...sum, key: '2' }],
  ])('a query with another %s is not answered from the cache', async (_part, other) => {
    const { ask, answer } = createStage();
    const first = ask();
    await answer(5);
    await first;
    const second = ask(other);
    await answer(6);
    expect(await second).toBe(6);
  });

  it('a query of another organization is not answered from the cache', async () => {
    const { askAs, ask, answer } = createStage();
    const first = ask();
    await answer(5);
    await first;
    const second = askAs({ organizationId: 'globex', userId: 'ann' });
    await answer(6);
    expect(await second).toEqual([{ value: 6 }]);
  });

  it('changing a result does not change the cached one', async () => {
    const { askAs, ask, answer } = createStage();
    const first = askAs(owner);
    await answer(5);
    (await first).length = 0;
    (await askAs(owner)).length = 0;
    expect(await ask()).toBe(5);
  });

  it('a result is reused until the maximum age of its source', async () => {
    const { ask, answer, clock, query } = createStage();
    const recent = { ...sum, maxAgeMs: 1_000 };
    const first = ask(recent);
    clock.now = 600;
    await answer(5);
    expect(await first).toBe(5);
    clock.now = 999;
    expect(await ask(recent)).toBe(5);
    expect(query).toHaveBeenCalledOnce();
    clock.now = 1_000;
    const second = ask(recent);
    await answer(6);
    expect(await second).toBe(6);
  });

  it('with a maximum age of 0, no result is reused', async () => {
    const { ask, answer } = createStage();
    for (const value of [5, 6]) {
      const asked = ask({ ...sum, maxAgeMs: 0 });
      await answer(value);
      expect(await asked).toBe(value);
    }
  });

  it('a failure is not cached', async () => {
    const { ask, answer } = createStage();
    const first = ask();
    await answer(new Error('out of memory'));
    expect(await first).toBe('out of memory');
    const second = ask();
    await answer(5);
    expect(await second).toBe(5);
  });

  it('the least recently used results are evicted', async () => {
    const { ask, answer, query } = createStage();
    const text = 'x'.repeat(100_000);
    for (const value of ['a', 'b', 'c', 'd', 'e', 'f', 'a']) {
      const asked = ask({ ...sum, values: [value] });
      await answer(text);
      expect(await asked).toBe(text);
    }
    expect(query).toHaveBeenCalledTimes(7);
    expect(await ask({ ...sum, values: ['f'] })).toBe(text);
    expect(query).toHaveBeenCalledTimes(7);
  });

  it('with no memory for the cache, nothing is cached', async () => {
    const { ask, answer, query } = createStage({ cacheMb: 0 });
    for (const value of [5, 6]) {
      const asked = ask();
      await answer(value);
      expect(await asked).toBe(value);
    }
    expect(query).toHaveBeenCalledTimes(2);
  });
});

describe('equal queries at the same time', () => {
  it('a query that is asked again as its last asker leaves runs once for the next askers', async () => {
    const { ask, answer, running, query } = createStage({ concurrency: 3, perUser: 3 });
    const leaving = new AbortController();
    const first = ask(sum, 'ann', leaving.signal);
    await expect.poll(() => running.length).toBe(1);
    leaving.abort();
    const second = ask();
    await first;
    await new Promise(setImmediate);
    const third = ask(sum, 'bob');
    await new Promise(setImmediate);
    expect(query).toHaveBeenCalledTimes(2);
    await answer(5);
    expect([await second, await third]).toEqual([5, 5]);
  });

  it('are computed once', async () => {
    const { ask, answer, running, turns } = createStage({ concurrency: 3 });
    const all = ['ann', 'bob', 'cy'].map((user) => ask(sum, user));
    await expect.poll(() => [running.length, turns.usage().waiting]).toEqual([1, 0]);
    await answer(5);
    expect(await Promise.all(all)).toEqual([5, 5, 5]);
    expect(turns.usage()).toEqual({ running: 0, waiting: 0 });
  });

  it('a query is computed in the first turn of any reader who waits for it', async () => {
    const { ask, answer, running } = createStage({ concurrency: 2 });
    const busy = ask({ ...sum, text: 'SELECT slow' }, 'ann');
    const all = [ask(sum, 'ann'), ask(sum, 'bob')];
    await expect.poll(() => running.map((query) => query.owner)).toEqual(['ann', 'bob']);
    await answer(5, 1);
    expect(await Promise.all(all)).toEqual([5, 5]);
    await answer(1);
    expect(await busy).toBe(1);
  });

  it('a shared query continues while another reader waits for it', async () => {
    const { ask, answer, running } = createStage();
    const gone = new AbortController();
    const first = ask(sum, 'ann', gone.signal);
    const second = ask(sum, 'bob');
    await expect.poll(() => running).toHaveLength(1);
    gone.abort(new Error('gone'));
    expect(await first).toBe('gone');
    await answer(5);
    expect(await second).toBe(5);
  });

  it('a query is aborted when its last reader leaves, and can run again', async () => {
    const { ask, answer, running, turns } = createStage();
    const gone = new AbortController();
    const all = [ask(sum, 'ann', gone.signal), ask(sum, 'bob', gone.signal)];
    await expect.poll(() => running).toHaveLength(1);
    gone.abort(new Error('gone'));
    expect(await Promise.all(all)).toEqual(['gone', 'gone']);
    expect(running).toEqual([]);
    await expect.poll(() => turns.usage().running).toBe(0);
    const again = ask();
    await answer(5);
    expect(await again).toBe(5);
  });

  it('a reader who leaves while waiting leaves the queue', async () => {
    const { ask, answer, turns } = createStage();
    const busy = ask({ ...sum, text: 'SELECT slow' });
    const gone = new AbortController();
    const first = ask(sum, 'ann', gone.signal);
    const second = ask(sum, 'bob');
    expect(turns.usage().waiting).toBe(2);
    gone.abort(new Error('gone'));
    expect([await first, turns.usage().waiting]).toEqual(['gone', 1]);
    await answer(1);
    await busy;
    await answer(5);
    expect(await second).toBe(5);
  });

  it('a failure fails all readers who wait', async () => {
    const { ask, answer } = createStage();
    const all = [ask(sum, 'ann'), ask(sum, 'bob')];
    await answer(new Error('out of memory'));
    expect(await Promise.all(all)).toEqual(['out of memory', 'out of memory']);
  });
});
