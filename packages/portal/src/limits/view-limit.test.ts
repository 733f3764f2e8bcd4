import { expect, it } from 'vitest';

import { createViewLimit } from './view-limit.ts';

const user = { organizationId: 'acme', userId: 'west' };

it('a report that has failed no longer counts toward the limit', async () => {
  const limitViews = createViewLimit();
  for (let n = 0; n < 11; n++)
    await expect(limitViews(user, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await limitViews(user, async () => 'a view')).toBe('a view');
});

it('an eleventh concurrent report is rejected until one of the ten has ended', async () => {
  const limitViews = createViewLimit();
  const ends: (() => void)[] = [];
  const load = () => limitViews(user, () => new Promise<void>((resolve) => ends.push(resolve)));
  const first = load();
  for (let n = 1; n < 10; n++) void load();
  await expect(load()).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'You are loading 10 reports already. Try again when one of them has loaded.',
    retryAfter: 1,
  });
  ends[0]!();
  await first;
  void load();
  expect(ends).toHaveLength(11);
  await expect(load()).rejects.toMatchObject({ code: 'rate_limited' });
});

it('the reports of a user do not count toward the limit of another user, even one with the same ID', async () => {
  const limitViews = createViewLimit();
  for (let n = 0; n < 10; n++) void limitViews(user, () => new Promise(() => {}));
  const others = [
    { ...user, organizationId: 'globex' },
    { ...user, userId: 'east' },
  ];
  for (const other of others) expect(await limitViews(other, async () => 'a view')).toBe('a view');
});
