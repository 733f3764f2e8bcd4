import { setImmediate } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { createGate, Overload } from './gate.ts';

const hang = () => new Promise<never>(() => {});
const never = new AbortController().signal;

it('work with an aborted signal neither runs nor waits', async () => {
  const gate = createGate(1, 1);
  const reason = new Error('time is up');
  const fired = AbortSignal.abort(reason);
  let runs = 0;
  const work = async () => {
    runs += 1;
  };
  await expect(gate.run(work, fired)).rejects.toBe(reason);
  void gate.run(hang, never);
  await expect(gate.run(work, fired)).rejects.toBe(reason);
  expect(runs).toBe(0);
});

it('queued work runs in order, and work beyond the queue is rejected', async () => {
  const gate = createGate(1, 2);
  let release = () => {};
  const order: number[] = [];
  const first = gate.run(() => new Promise<void>((resolve) => (release = resolve)), never);
  const waiting = [1, 2].map((n) => gate.run(async () => void order.push(n), never));
  await expect(gate.run(hang, never)).rejects.toBeInstanceOf(Overload);
  release();
  await Promise.all([first, ...waiting]);
  expect(order).toEqual([1, 2]);
});

it('failed work frees its place', async () => {
  const gate = createGate(1, 0);
  const failure = new Error('no');
  for (let n = 0; n < 2; n += 1)
    await expect(gate.run(() => Promise.reject(failure), never)).rejects.toBe(failure);
});

it('no more work than allowed runs at the same time while queued work starts', async () => {
  const gate = createGate(2, 20);
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await setImmediate();
    running -= 1;
  };
  for (let wave = 0; wave < 2; wave += 1)
    await Promise.all(Array.from({ length: 10 }, () => gate.run(work, never)));
  expect(most).toBe(2);
});

it('aborted work in the queue takes no place', async () => {
  const gate = createGate(1, 1);
  let release = () => {};
  const first = gate.run(() => new Promise<void>((resolve) => (release = resolve)), never);
  const aborting = new AbortController();
  const waiting = gate.run(hang, aborting.signal);
  aborting.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  const next = gate.run(async () => 'in', never);
  release();
  expect(await Promise.all([first, next])).toEqual([undefined, 'in']);
  expect(await gate.run(async () => 'in', never)).toBe('in');
});

it('running work keeps its place when its signal aborts', async () => {
  const gate = createGate(1, 1);
  const aborting = new AbortController();
  let release = () => {};
  const first = gate.run(
    () => new Promise<void>((resolve) => (release = resolve)),
    aborting.signal,
  );
  aborting.abort();
  let hasStarted = false;
  const second = gate.run(async () => void (hasStarted = true), never);
  await setImmediate();
  expect(hasStarted).toBe(false);
  release();
  await Promise.all([first, second]);
});
