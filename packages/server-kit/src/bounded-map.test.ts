import { expect, it } from 'vitest';

import { BoundedMap } from './bounded-map.ts';

it('a bounded map keeps 10,000 entries and is cleared for one more', () => {
  const map = new BoundedMap<number>();
  for (let n = 0; n < 10_000; n++) map.set(`key ${n}`, n);
  map.set('key 0', -1);
  expect([map.size, map.get('key 0'), map.get('key 9999')]).toEqual([10_000, -1, 9_999]);
  map.set('another', 1);
  expect([...map]).toEqual([['another', 1]]);
});
