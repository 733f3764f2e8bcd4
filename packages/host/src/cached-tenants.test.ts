import { setImmediate } from 'node:timers/promises';

import { startFakePortal } from 'test-support/fake-portal';
import type { FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { acme, startHostApp } from '../test/host-app.ts';
import type { RunningApp } from '../test/running-app.ts';
import { cachedTenants } from './index.ts';
import type { Tenant, TenantCacheOptions } from './index.ts';

let portal: FakePortal;
let app: RunningApp;
let asked: string[];
let found: Map<string, Tenant>;

const lookUp = async (hostName: string) => {
  asked.push(hostName);
  await setImmediate();
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

describe('cachedTenants', () => {
  it('a tenant is cached under any spelling of its host name', async () => {
    const { mint } = await start();
    for (const host of ['acme.localhost', 'ACME.localhost:3000', 'acme.localhost.'])
      expect((await mint({ host })).status).toBe(200);
    expect(asked).toEqual(['acme.localhost']);
  });

  it('concurrent requests share one look-up', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let requests = 0;
    const tenants = cachedTenants(async (hostName) => {
      asked.push(hostName);
      await released;
      return found.get(hostName);
    });
    app = await startHostApp(portal, {
      tenants: (context, hostName) => {
        requests += 1;
        return tenants(context, hostName);
      },
    });
    const mints = Array.from({ length: 10 }, () => app.mint());
    await expect.poll(() => requests).toBe(10);
    release();
    for (const { status } of await Promise.all(mints)) expect(status).toBe(200);
    expect(asked).toEqual(['acme.localhost']);
  });

  it('a tenant older than maxAgeMs is looked up again, with its new key', async () => {
    const { mint } = await start({ maxAgeMs: 30 });
    await mint();
    found.set('acme.localhost', acme(portal, { apiKey: 'pk_new' }));
    const mintForKey = async () => {
      await mint();
      return portal.received.at(-1)!.headers['x-api-key'];
    };
    await expect.poll(mintForKey).toBe('pk_new');
    expect(portal.received[0]!.headers['x-api-key']).toBe('pk_secret_of_acme');
  });

  it('a tenant that was not found is looked up again only after maxMissAgeMs', async () => {
    const { mint } = await start({ maxMissAgeMs: 30 });
    expect((await mint({ host: 'new.localhost' })).status).toBe(404);
    found.set('new.localhost', acme(portal));
    await expect.poll(async () => (await mint({ host: 'new.localhost' })).status).toBe(200);
    expect(asked).toEqual(['new.localhost', 'new.localhost']);
  });

  it('repeated requests for a tenant that does not exist cost one look-up', async () => {
    const { mint } = await start({ maxMissAgeMs: 3_600_000 });
    const mints = Array.from({ length: 10 }, () => mint({ host: 'evil.localhost' }));
    for (const each of await Promise.all(mints)) expect(each.json['code']).toBe('unknown_tenant');
    for (const host of ['evil.localhost', 'EVIL.localhost:81', 'evil.localhost.'])
      expect((await mint({ host })).status).toBe(404);
    expect(asked).toEqual(['evil.localhost']);
  });

  it('unknown host names do not evict a cached tenant, and their number is bounded', async () => {
    const { mint } = await start({ maxEntries: 2, maxMissAgeMs: 3_600_000 });
    expect((await mint()).status).toBe(200);
    const strangers = ['a', 'b', 'c', 'd'].map((name) => `${name}.localhost`);
    await Promise.all(strangers.map((host) => mint({ host })));
    expect((await mint()).status).toBe(200);
    expect(asked).toEqual(['acme.localhost', ...strangers]);
    // Only two of the four misses fit into the cache.
    await mint({ host: strangers[0]! });
    expect(asked).toHaveLength(6);
  });

  it('a host name longer than DNS allows is not looked up', async () => {
    const { mint } = await start();
    const longest = `${'a'.repeat(243)}.localhost`;
    for (const host of [longest, `a${longest}`]) expect((await mint({ host })).status).toBe(404);
    expect(asked).toEqual([longest]);
  });

  it('a failed look-up answers 503 and is repeated by the next request', async () => {
    const { mint } = await start();
    for (let i = 0; i < 2; i += 1)
      expect((await mint({ host: 'down.localhost' })).status).toBe(503);
    expect(asked).toHaveLength(2);
    expect(portal.received).toHaveLength(0);
  });

  it('a look-up that hangs is repeated after its time limit', async () => {
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

  it('a look-up that fails after its time limit causes no unhandled rejection', async () => {
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
    // Node reports unhandled rejections before the next turn of the event loop.
    await setImmediate();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('a look-up leaves no timer behind', async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const { mint } = await start({ timeoutMs: 60_000 });
    await mint({ host: 'down.localhost' });
    const before = timers();
    for (let count = 0; count < 5; count += 1) await mint({ host: 'down.localhost' });
    expect(timers()).toBeLessThan(before + 5);
  });

  it('the cache is bounded: new tenants evict old ones', async () => {
    for (const name of ['a', 'b', 'c']) found.set(`${name}.localhost`, acme(portal));
    const { mint } = await start({ maxEntries: 2 });
    for (const name of ['a', 'b', 'c', 'c', 'a']) await mint({ host: `${name}.localhost` });
    expect(asked.map((each) => each[0])).toEqual(['a', 'b', 'c', 'a']);
  });

  it('a tenant that is evicted during its look-up still answers the waiting requests', async () => {
    for (const name of ['a', 'b']) found.set(`${name}.localhost`, acme(portal));
    const { mint } = await start({ maxEntries: 1 });
    const answers = await Promise.all(
      ['a', 'b', 'a', 'b'].map((name) => mint({ host: `${name}.localhost` })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('an invalid tenant answers 503 and sends no request', async () => {
    found.set('acme.localhost', acme(portal, { portalUrl: 'javascript:1' }));
    const { mint } = await start();
    expect((await mint()).status).toBe(503);
    expect(portal.received).toHaveLength(0);
  });
});
