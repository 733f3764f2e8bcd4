import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createTemporaryFolder } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { FileCache, type FetchFile } from './cache.ts';

const minute = 60_000;

/** A cache of 100 bytes with a clock that tests move. Files are named by one letter. */
function createCache({ waitMs = 10_000 } = {}) {
  const folder = createTemporaryFolder('portal-cache-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const clock = { now: Date.UTC(2026, 0, 1) };
  const events: string[] = [];
  const cache = new FileCache({
    folder,
    maxBytes: 100,
    waitMs,
    onFailed: (error, name) => events.push(`${name} failed: ${(error as Error).message}`),
    onReturned: (name) => events.push(`${name} returned`),
    now: () => clock.now,
  });
  const write =
    (size: number): FetchFile =>
    async (target) =>
      fs.writeFileSync(target, 'x'.repeat(size));
  const use = async (name: string, size: number) =>
    (await cache.take(name, size, write(size))).release();
  return {
    cache,
    folder,
    clock,
    events,
    write,
    use,
    list: () => fs.readdirSync(folder).toSorted(),
  };
}

it('callers of one file share its fetch, and later ones need none', async () => {
  const { cache, write } = createCache();
  let fetches = 0;
  const fetch: FetchFile = (target) => {
    fetches += 1;
    return write(10)(target);
  };
  const files = await Promise.all([1, 2, 3].map(() => cache.take('a', 10, fetch)));
  files.push(await cache.take('a', 10, fetch));
  expect(fetches).toBe(1);
  expect(new Set(files.map((file) => fs.readFileSync(file.path, 'utf8').length))).toEqual(
    new Set([10]),
  );
});

it('the least recently used files make room for a new one', async () => {
  const { clock, use, list } = createCache();
  for (const name of ['a', 'b', 'c']) {
    await use(name, 30);
    clock.now += minute;
  }
  await use('a', 30);
  clock.now += 2 * minute;
  await use('d', 40);
  expect(list()).toEqual(['a', 'c', 'd']);
});

it('a file that is leased or was used in the last minute is not evicted', async () => {
  const { cache, clock, write, use, list } = createCache();
  const leased = await cache.take('a', 50, write(50));
  clock.now += 10 * minute;
  await use('b', 50);
  clock.now += minute / 2;
  const refused = { reason: 'not_fetched', message: expect.stringContaining('PORTAL_FILES_CACHE') };
  await expect(use('c', 50)).rejects.toMatchObject(refused);
  expect(list()).toEqual(['a', 'b']);
  leased.release();
  clock.now += 11_000;
  await use('c', 50);
  expect(list()).toEqual(['b', 'c']);
});

it('concurrent fetches do not use the same free space', async () => {
  const { use, list } = createCache();
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => use(name, 40)));
  expect(results.map(({ status }) => status).toSorted()).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  expect(list()).toHaveLength(2);
});

it('a fetch that fails leaves nothing, is reported once, and is tried again after ten seconds', async () => {
  const { cache, clock, events, use, list } = createCache();
  let fetches = 0;
  const fail: FetchFile = async (target) => {
    fetches += 1;
    fs.writeFileSync(target, 'part');
    throw new Error('damaged');
  };
  for (const seconds of [0, 9, 1]) {
    clock.now += seconds * 1_000;
    await expect(cache.take('a', 10, fail)).rejects.toMatchObject({ reason: 'not_fetched' });
  }
  expect([fetches, list(), events]).toEqual([2, [], ['a failed: damaged']]);
  expect(cache.failureOf('a')).toMatchObject({ message: 'damaged' });
  clock.now += 10_000;
  await use('a', 10);
  expect([cache.failureOf('a'), events.at(-1)]).toEqual([undefined, 'a returned']);
});

it('a caller that waits too long is asked to try again, and the fetch goes on', async () => {
  const { cache, write, use } = createCache({ waitMs: 20 });
  let finish = () => {};
  const slow: FetchFile = async (target) => {
    await new Promise<void>((resolve) => (finish = resolve));
    await write(10)(target);
  };
  await expect(cache.take('a', 10, slow)).rejects.toThrow('is being fetched');
  finish();
  await expect.poll(() => use('a', 10).then(() => 'here')).toBe('here');
});

it('files of a crash are removed after an hour, and files that the database forgot after a minute', async () => {
  const { cache, folder, clock, use, list } = createCache();
  await use('a', 10);
  await use('b', 10);
  const left = path.join(folder, 'left.tmp');
  fs.writeFileSync(left, '');
  fs.utimesSync(left, clock.now / 1_000, clock.now / 1_000);
  await cache.removeUnknown(async () => new Set(['a']));
  expect(list()).toEqual(['a', 'b', 'left.tmp']);
  clock.now += 59 * minute;
  await cache.removeUnknown(async () => new Set(['a']));
  await use('c', 10);
  expect(list()).toEqual(['a', 'c', 'left.tmp']);
  clock.now += 2 * minute;
  await use('d', 10);
  expect(list()).toEqual(['a', 'c', 'd']);
});

it('a reader always finds the file that it leased, however often others need its place', async () => {
  const { cache, clock, write } = createCache();
  const names = ['a', 'b', 'c', 'd'];
  let opened = 0;
  const reader = async (start: number) => {
    for (let round = start; round < start + 60; round += 1) {
      // Nothing is recent, so leases alone protect a file.
      clock.now += 2 * minute;
      const name = names[round % names.length]!;
      const file = await cache.take(name, 40, write(40)).catch((error: { reason?: string }) => {
        // Two of the four files fit, and both may be leased.
        if (error.reason !== 'not_fetched') throw error;
        return undefined;
      });
      if (!file) continue;
      await delay(round % 5);
      expect(fs.readFileSync(file.path, 'utf8')).toHaveLength(40);
      opened += 1;
      file.release();
    }
  };
  await Promise.all([0, 1, 2, 3].map(reader));
  expect(opened).toBeGreaterThan(20);
});
