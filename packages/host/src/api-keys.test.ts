import { inspect } from 'node:util';

import { mintAnswer } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import { acme } from '../test/host-app.ts';
import { portal, setStage, start as startApp } from '../test/stage.ts';
import type { Limits, Tenant } from './index.ts';

setStage();

let events: object[];
let lines: object[];
const start = (apiKey: Tenant['apiKey'], limits: Partial<Limits> = {}) => {
  events = [];
  lines = [];
  const log = (fields: object) => void lines.push(fields);
  return startApp({
    tenants: { 'acme.localhost': acme(portal, { apiKey }) },
    onError: (event) => events.push(event),
    logger: { info: log, warn: log, error: log },
    limits,
  });
};
const keysUsed = () => portal.received.map(({ headers }) => headers['x-api-key']);

describe('an apiKey that is a function', () => {
  it.each([
    ['returns', (key: string) => key],
    ['resolves to', (key: string) => Promise.resolve(key)],
  ])('is called for each mint: %s a key', async (_, give) => {
    const keys = ['pk_first', 'pk_second', 'pk_first'];
    let calls = 0;
    const { mint } = await start(() => give(keys[calls++]!));
    for (let n = 0; n < keys.length; n += 1) expect((await mint()).status).toBe(200);
    expect(keysUsed()).toEqual(keys);
  });

  it('is not called for a request that is refused', async () => {
    let calls = 0;
    const { mint } = await start(() => `pk_${(calls += 1)}`);
    expect((await mint({ body: { x: 1 } })).status).toBe(400);
    expect((await mint({ headers: { 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(403);
    expect(calls).toBe(0);
  });

  it.each([
    [
      'throws',
      () => {
        throw new RangeError('vault sealed: pk_secret');
      },
      'RangeError',
    ],
    ['rejects', () => Promise.reject(new RangeError('pk_secret')), 'RangeError'],
    ['returns nothing', () => undefined as unknown as string, 'TypeError'],
    ['returns a key with a line break', () => 'pk_secret\n', 'TypeError'],
  ])('that %s answers portal_unavailable, and no line holds the key', async (_, apiKey, error) => {
    const { mint } = await start(apiKey);
    const answer = await mint();
    expect(answer).toMatchObject({ status: 503, json: { code: 'portal_unavailable' } });
    expect(lines).toMatchObject([{ callback: 'apiKey', error }]);
    expect(events).toMatchObject([{ code: undefined, error: { name: error } }]);
    expect(inspect([lines, answer.text])).not.toContain('pk_secret');
    expect(portal.received).toHaveLength(0);
  });

  it('that hangs answers portal_timeout at the deadline', async () => {
    const { mint } = await start(() => new Promise<never>(() => {}), { timeoutMs: 150 });
    expect(await mint()).toMatchObject({ status: 504, json: { code: 'portal_timeout' } });
  });

  it('keeps its connections while the key stays the same', async () => {
    const { mint } = await start(() => 'pk_same', { concurrentMints: 1, queuedMints: 0 });
    let release = () => {};
    portal.answer((_, response) => {
      release = () => response.destroy();
    });
    const first = mint();
    await expect.poll(() => portal.received.length).toBe(1);
    // One place for the tenant: a second connection would let this one in.
    expect((await mint()).status).toBe(503);
    portal.answer(mintAnswer());
    release();
    await first;
  });
});
