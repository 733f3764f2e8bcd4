import { expect, it } from 'vitest';

import { createTurns } from './turns.ts';

/** Works that end when the test says so, and the order in which they began. */
function stage(concurrency: number) {
  const takeTurn = createTurns(concurrency);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const queue = (owner: string, name: string) =>
    takeTurn(owner, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const endOne = async () => {
    ends.shift()!();
    await new Promise(setImmediate);
  };
  return { takeTurn, queue, begun, endOne };
}

it('those who wait take turns, each with their own in the order in which they came', async () => {
  const { queue, begun, endOne } = stage(1);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void queue(name[0]!, name);
  await new Promise(setImmediate);
  for (let ended = 0; ended < 7; ended += 1) await endOne();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

it('no more run at the same time than there may, whosever they are', async () => {
  const { queue, begun, endOne } = stage(2);
  for (const name of ['a1', 'b1', 'c1', 'a2']) void queue(name[0]!, name);
  await new Promise(setImmediate);
  expect(begun).toEqual(['a1', 'b1']);
  await endOne();
  expect(begun).toEqual(['a1', 'b1', 'c1']);
});

it('work that fails tells whoever waits for it, and gives its place back', async () => {
  const { takeTurn } = stage(1);
  const fail = () => Promise.reject(new Error('broken'));
  await expect(takeTurn('a', fail)).rejects.toThrow('broken');
  expect(await takeTurn('b', async () => 'done')).toBe('done');
});
