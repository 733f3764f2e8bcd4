import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';

import { beforeEach, describe, expect, it } from 'vitest';

import { createLookup } from './lookup.ts';

const one = [{ address: '192.0.2.1', family: 4 }];
const other = [{ address: '2001:db8::1', family: 6 }];

/** Look-ups that end when and as the test says. */
let asked: { answer: (addresses: LookupAddress[]) => void; fail: (code: string) => void }[];
let lookup: LookupFunction;
beforeEach(() => {
  asked = [];
  lookup = createLookup(
    () =>
      new Promise((answer, reject) =>
        asked.push({
          answer,
          fail: (code) => reject(Object.assign(new Error(code), { code })),
        }),
      ),
  );
});

const look = () => promisify(lookup)('portal.example', { all: true });
const lookAfter = async (act: () => void) => {
  const looking = look();
  act();
  return looking;
};
const know = () => lookAfter(() => asked.at(-1)!.answer(one));

describe('the name of a portal', () => {
  it('is looked up once at a time, however many connections wait for it', async () => {
    const waiting = [look(), look(), look()];
    expect(asked).toHaveLength(1);
    asked[0]!.answer(one);
    expect(await Promise.all(waiting)).toEqual([one, one, one]);
  });

  it('is looked up anew for each later connection', async () => {
    await know();
    expect(await lookAfter(() => asked[1]!.answer(other))).toEqual(other);
  });

  it('stays what it was while a look-up takes long, which goes on', async () => {
    await know();
    expect(await look()).toEqual(one);
    expect(await look()).toEqual(one);
    expect(asked).toHaveLength(2);
    asked[1]!.answer(other);
    await Promise.resolve();
    expect(await lookAfter(() => asked[2]?.fail('EAI_AGAIN'))).toEqual(other);
  });

  it('stays what it was while the resolver is away, and not once the name is gone', async () => {
    await know();
    expect(await lookAfter(() => asked[1]!.fail('EAI_AGAIN'))).toEqual(one);
    await expect(lookAfter(() => asked[2]!.fail('ENOTFOUND'))).rejects.toThrow('ENOTFOUND');
    await expect(lookAfter(() => asked[3]!.fail('EAI_AGAIN'))).rejects.toThrow('EAI_AGAIN');
  });

  it('that was never known is waited for, and fails as its look-up does', async () => {
    await expect(lookAfter(() => asked[0]!.fail('EAI_AGAIN'))).rejects.toThrow('EAI_AGAIN');
    expect(await know()).toEqual(one);
  });

  it('is told as one address where one is asked for', async () => {
    const answer = new Promise((resolve) =>
      lookup('portal.example', {}, (...result) => resolve(result)),
    );
    asked[0]!.answer(one);
    expect(await answer).toEqual([null, '192.0.2.1', 4]);
  });
});
