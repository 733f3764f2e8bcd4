import { mintAnswer, startFakePortal } from 'testing/fake-portal';
import type { FakePortal } from 'testing/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { acme, startHostApp } from '../test/host-app.ts';
import type { RunningApp } from '../test/start-app.ts';
import { cachedTenants } from './index.ts';
import type { Tenant, TenantCacheOptions } from './index.ts';

let portal: FakePortal;
let app: RunningApp;
let asked: string[];
let found: Map<string, Tenant>;

const lookUp = async (hostName: string) => {
  asked.push(hostName);
  await new Promise((resolve) => setTimeout(resolve, 5));
  if (hostName === 'down.localhost') throw new Error('database down');
  return found.get(hostName) ?? null;
};

const start = async (options?: TenantCacheOptions) => {
  app = await startHostApp(portal, { tenants: cachedTenants(lookUp, options), onError() {} });
  return app;
};

beforeEach(async () => {
  portal = await startFakePortal();
  asked = [];
  found = new Map([['acme.localhost', acme(portal)]]);
});
afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

describe('a looked-up tenant', () => {
  it('is remembered, under any spelling of its host name', async () => {
    const { mint } = await start();
    for (const host of ['acme.localhost', 'ACME.localhost:3000', 'acme.localhost.'])
      expect((await mint({ host })).status).toBe(200);
    expect(asked).toEqual(['acme.localhost']);
  });

  it('is asked for once by requests that arrive together', async () => {
    const { mint } = await start();
    await Promise.all(Array.from({ length: 10 }, () => mint()));
    expect(asked).toEqual(['acme.localhost']);
  });

  it('is asked for again when it is too old, and then a new key counts', async () => {
    const { mint } = await start({ maxAgeMs: 30 });
    await mint();
    found.set('acme.localhost', acme(portal, { apiKey: 'pk_new' }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await mint();
    const keys = portal.received.map((each) => each.headers['x-api-key']);
    expect(keys).toEqual(['pk_secret_of_acme', 'pk_new']);
  });

  it('that was not found is asked for each time', async () => {
    const { mint } = await start();
    for (let i = 0; i < 2; i += 1)
      expect(await mint({ host: 'new.localhost' })).toMatchObject({ status: 404 });
    found.set('new.localhost', acme(portal));
    expect((await mint({ host: 'new.localhost' })).status).toBe(200);
    expect(asked).toHaveLength(3);
  });

  it('whose look-up failed answers 503, and is asked for again', async () => {
    const { mint } = await start();
    for (let i = 0; i < 2; i += 1)
      expect((await mint({ host: 'down.localhost' })).status).toBe(503);
    expect(asked).toHaveLength(2);
    expect(portal.received).toHaveLength(0);
  });

  it('whose look-up never ends is asked for again after its time limit', async () => {
    let release = () => {};
    const late = new Promise<Tenant>((resolve) => {
      release = () => resolve(acme(portal, { apiKey: 'pk_late' }));
    });
    let isHanging = true;
    const hangsAtFirst = (hostName: string) => {
      asked.push(hostName);
      return isHanging ? late : Promise.resolve(acme(portal));
    };
    const tenants = cachedTenants(hangsAtFirst, { timeoutMs: 50 });
    app = await startHostApp(portal, { tenants, onError() {} });
    const crowd = await Promise.all([app.mint(), app.mint()]);
    for (const each of crowd)
      expect(each).toMatchObject({ status: 504, json: { code: 'portal_timeout' } });
    isHanging = false;
    asked = [];
    expect((await app.mint()).status).toBe(200);
    release();
    await late;
    expect((await app.mint()).status).toBe(200);
    expect(asked).toHaveLength(1);
    const keys = portal.received.map((each) => each.headers['x-api-key']);
    expect(keys).toEqual(['pk_secret_of_acme', 'pk_secret_of_acme']);
  });

  it('whose look-up fails after its time limit does no harm', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    let fail = () => {};
    const late = new Promise<never>((_, reject) => {
      fail = () => reject(new Error('too late'));
    });
    const tenants = cachedTenants(() => late, { timeoutMs: 20 });
    app = await startHostApp(portal, { tenants, onError() {} });
    expect((await app.mint()).status).toBe(504);
    fail();
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('leaves no timer behind', async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const { mint } = await start({ timeoutMs: 60_000 });
    await mint({ host: 'new.localhost' });
    const before = timers();
    for (let visit = 0; visit < 5; visit += 1) await mint({ host: 'new.localhost' });
    expect(timers()).toBeLessThan(before + 5);
  });

  it('makes room for others: the cache is bounded', async () => {
    for (const name of ['a', 'b', 'c']) found.set(`${name}.localhost`, acme(portal));
    const { mint } = await start({ maxEntries: 2 });
    for (const name of ['a', 'b', 'c', 'c', 'a']) await mint({ host: `${name}.localhost` });
    expect(asked.map((each) => each[0])).toEqual(['a', 'b', 'c', 'a']);
  });

  it('that is pushed out while it is being looked up still answers who waits for it', async () => {
    for (const name of ['a', 'b']) found.set(`${name}.localhost`, acme(portal));
    const { mint } = await start({ maxEntries: 1 });
    const visits = await Promise.all(
      ['a', 'b', 'a', 'b'].map((name) => mint({ host: `${name}.localhost` })),
    );
    expect(visits.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('that a thousand others push out still answers the request in flight', async () => {
    app = await startHostApp(portal, {
      tenants: ({ hostname }) => acme(portal, { apiKey: `pk_${hostname}` }),
      user: ({ hostname }) => (hostname === 'first.localhost' ? { email: 'w@acme.example' } : null),
    });
    let release = () => {};
    portal.answer((_, response) => {
      release = () => response.destroy();
    });
    const first = app.mint({ host: 'first.localhost' });
    await expect.poll(() => portal.received.length).toBe(1);
    for (let batch = 0; batch < 21; batch += 1)
      await Promise.all(
        Array.from({ length: 50 }, (_, n) => app.mint({ host: `t${batch}-${n}.localhost` })),
      );
    portal.answer(mintAnswer());
    release();
    expect((await first).status).toBe(200);
  });

  it('that is not valid is an error of the app, and no request is sent', async () => {
    found.set('acme.localhost', acme(portal, { portalUrl: 'javascript:1' }));
    const { mint } = await start();
    expect((await mint()).status).toBe(503);
    expect(portal.received).toHaveLength(0);
  });
});
