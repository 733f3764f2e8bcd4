import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';

import { beforeEach, describe, expect, it } from 'vitest';

import { createLookup } from './lookup.ts';

const one = [{ address: '192.0.2.1', family: 4 }];
const other = [{ address: '2001:db8::1', family: 6 }];

/** The queries that were sent to the resolver. Each test ends them. */
let queries: { answer: (addresses: LookupAddress[]) => void; fail: (code: string) => void }[];
let lookup: LookupFunction;
beforeEach(() => {
  queries = [];
  lookup = createLookup(
    () =>
      new Promise((answer, reject) =>
        queries.push({
          answer,
          fail: (code) => reject(Object.assign(new Error(code), { code })),
        }),
      ),
  );
});

const lookUp = () => promisify(lookup)('portal.example', { all: true });
const lookUpWhile = async (act: () => void) => {
  const addresses = lookUp();
  act();
  return addresses;
};
const lookUpFirst = () => lookUpWhile(() => queries.at(-1)!.answer(one));

describe('the look-up of the portal’s host name', () => {
  it('concurrent connections share one look-up', async () => {
    const waiting = [lookUp(), lookUp(), lookUp()];
    expect(queries).toHaveLength(1);
    queries[0]!.answer(one);
    expect(await Promise.all(waiting)).toEqual([one, one, one]);
  });

  it('a later connection starts a new look-up', async () => {
    await lookUpFirst();
    expect(await lookUpWhile(() => queries[1]!.answer(other))).toEqual(other);
  });

  it('a look-up that takes too long returns the last known addresses and continues', async () => {
    await lookUpFirst();
    expect(await lookUp()).toEqual(one);
    expect(await lookUp()).toEqual(one);
    expect(queries).toHaveLength(2);
    queries[1]!.answer(other);
    await Promise.resolve();
    expect(await lookUpWhile(() => queries[2]?.fail('EAI_AGAIN'))).toEqual(other);
  });

  it('a look-up returns the last known addresses if the resolver is unavailable, unless the name no longer exists', async () => {
    await lookUpFirst();
    expect(await lookUpWhile(() => queries[1]!.fail('EAI_AGAIN'))).toEqual(one);
    await expect(lookUpWhile(() => queries[2]!.fail('ENOTFOUND'))).rejects.toThrow('ENOTFOUND');
    await expect(lookUpWhile(() => queries[3]!.fail('EAI_AGAIN'))).rejects.toThrow('EAI_AGAIN');
  });

  it('a look-up fails with the resolver’s error if no addresses are known', async () => {
    await expect(lookUpWhile(() => queries[0]!.fail('EAI_AGAIN'))).rejects.toThrow('EAI_AGAIN');
    expect(await lookUpFirst()).toEqual(one);
  });

  it('a look-up returns a single address unless all are requested', async () => {
    const answer = new Promise((resolve) =>
      lookup('portal.example', {}, (...result) => resolve(result)),
    );
    queries[0]!.answer(one);
    expect(await answer).toEqual([null, '192.0.2.1', 4]);
  });
});
