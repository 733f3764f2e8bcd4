import { setImmediate as onImmediate } from 'node:timers';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';

import { expect, it, onTestFinished, vi } from 'vitest';

import type { Owner } from './limits/turns.ts';
import { Slices } from './slices.ts';

const user = { organizationId: 'acme', userId: 'west' };
const colleague = { organizationId: 'acme', userId: 'east' };
const other = { organizationId: 'globex', userId: 'west' };

/** Whether an owner gets the event loop within some of its turns. */
async function isServed(slices: Slices, owner: Owner): Promise<boolean> {
  const controller = new AbortController();
  const served = slices.next(owner, controller.signal).then(
    () => true,
    () => false,
  );
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  controller.abort();
  return served;
}

it.each([
  ['100 ms of the event loop, nobody waits', 100, [true, true, true]],
  ['a second of the event loop, only this user waits', 1_000, [false, true, true]],
  ['10 s of the event loop, the organization waits', 10_000, [false, false, true]],
])('after a user has used %s', async (_title, usedMs, expected) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const slices = new Slices();
  expect(await isServed(slices, user)).toBe(true);
  await slices.next(user, new AbortController().signal);
  vi.advanceTimersByTime(usedMs);
  await setImmediate();
  const served = [];
  for (const owner of [user, colleague, other]) served.push(await isServed(slices, owner));
  expect(served).toEqual(expected);
});

it('a user who has long used nothing waits after a second of the event loop, too', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const slices = new Slices();
  const use = async (usedMs: number) => {
    await slices.next(user, new AbortController().signal);
    vi.advanceTimersByTime(usedMs);
    await setImmediate();
  };
  await use(10);
  vi.advanceTimersByTime(3_600_000);
  await use(1_000);
  expect(await isServed(slices, user)).toBe(false);
});

it('other requests are answered first when a turn of the event loop has taken two milliseconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const slices = new Slices();
  const { signal } = new AbortController();
  await slices.next(user, signal);
  let isAnswered = false;
  onImmediate(() => (isAnswered = true));
  vi.advanceTimersByTime(2);
  await slices.next(user, signal);
  expect(isAnswered).toBe(false);
  vi.advanceTimersByTime(1);
  await slices.next(user, signal);
  expect(isAnswered).toBe(true);
});

it('other requests are answered first when callers that ask at once have used two milliseconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const slices = new Slices();
  const { signal } = new AbortController();
  let served = 0;
  const ask = async () => {
    await slices.next(user, signal);
    vi.advanceTimersByTime(1);
    served += 1;
  };
  let servedBefore: number | undefined;
  onImmediate(() => (servedBefore = served));
  await Promise.all(Array.from({ length: 20 }, ask));
  expect(servedBefore).toBe(3);
});

it('a user does not wait for all slices of a colleague', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const slices = new Slices();
  const { signal } = new AbortController();
  await slices.next(user, signal);
  vi.advanceTimersByTime(3);
  const served: string[] = [];
  const ask = async (owner: Owner) => {
    await slices.next(owner, signal);
    served.push(owner.userId);
  };
  await Promise.all([...Array.from({ length: 5 }, () => ask(user)), ask(colleague)]);
  expect(served.indexOf(colleague.userId)).toBeLessThan(4);
});

it('a user who has waited long enough is served again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const slices = new Slices();
  await slices.next(user, new AbortController().signal);
  vi.advanceTimersByTime(1_000);
  await setImmediate();
  expect(await isServed(slices, user)).toBe(false);
  vi.advanceTimersByTime(10_000);
  expect(await isServed(slices, user)).toBe(true);
});

it('a user who leaves does not wait any longer', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const slices = new Slices();
  await slices.next(user, new AbortController().signal);
  vi.advanceTimersByTime(1_000);
  await setImmediate();
  const reader = new AbortController();
  const waiting = slices.next(user, reader.signal).catch(() => 'left');
  reader.abort();
  expect(await Promise.race([waiting, delay(1_000, 'waits')])).toBe('left');
});

it('a reader who has left gets no slice', async () => {
  await expect(new Slices().next(user, AbortSignal.abort())).rejects.toThrow('aborted');
});
