import { EventEmitter } from 'node:events';

import { permissions } from '@portal-embed/contract';
import type { Request, Response } from 'express';
import { send } from 'testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { generateApiKey } from '../src/api-keys/format.ts';
import { createApiKey, revokeApiKey } from '../src/api-keys/service.ts';
import { clientOf, createRefusalLimit } from '../src/http/refusal-limit.ts';
import { noteCaller, noteRefusal } from '../src/http/refusals.ts';
import { setOrigins } from '../src/organizations/service.ts';
import { newToken } from '../src/secrets.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';
import { mint, open, readSession, startSession, view } from './support/viewer.ts';

const limit = 5;

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ refusalLimit: limit, trustProxy: true });
});
afterAll(() => portal.close());

let clients = 0;
/** Headers of a client address that no test has used before. */
const newClient = () => ({ 'x-forwarded-for': `192.0.2.${(clients += 1)}` });

const times = Array.from({ length: limit });

const openUnknown = (headers: Record<string, string>) =>
  open(`${portal.acme.address}/identity?token=${newToken()}`, headers);

const askWith = (key: string, headers: Record<string, string>) =>
  portal.api('GET', '/api/report', { key, headers });

async function useUpRefusals(headers: Record<string, string>): Promise<void> {
  for (const _ of times) expect((await askWith(generateApiKey(), headers)).status).toBe(401);
}

describe('a client address that has used up its refusals', () => {
  it('an address over the refusal limit gets a 429 page with Retry-After for an unknown token', async () => {
    const client = newClient();
    for (const _ of times) expect((await openUnknown(client)).status).toBe(410);
    const limited = await openUnknown(client);
    expect([limited.status, limited.headers['content-type']]).toEqual([
      429,
      'text/html; charset=utf-8',
    ]);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await openUnknown(newClient())).status).toBe(410);
  });

  it('an address over the refusal limit does not spend a URL', async () => {
    const { acme } = portal;
    const client = newClient();
    await useUpRefusals(client);
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    expect((await open(url, client)).status).toBe(429);
    expect((await open(url, newClient())).status).toBe(200);
  });

  it('an address over the refusal limit gets 429 for an invalid key or bearer', async () => {
    const { acme } = portal;
    const client = newClient();
    const viewUnknown = () =>
      send(`${acme.address}/viewer/reports`, {
        headers: { authorization: `Bearer ${newToken()}`, ...client },
      });
    for (const _ of times) expect((await viewUnknown()).status).toBe(401);
    const limited = [await viewUnknown(), await askWith(generateApiKey(), client)];
    expect(limited.map((answer) => answer.json().code)).toEqual(['rate_limited', 'rate_limited']);
  });

  it('a key or session accepted before passes from an address over the refusal limit', async () => {
    const { acme } = portal;
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    await view(acme.address, bearer, acme.reportId);
    await askWith(acme.apiKey, newClient());
    // Without the header, the client address is that of the loopback connection.
    for (const _ of times) await askWith(generateApiKey(), {});
    expect((await askWith(generateApiKey(), {})).status).toBe(429);
    expect((await askWith(acme.apiKey, {})).status).toBe(200);
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(200);
  });
});

describe('the refusal limit of one instance', () => {
  const req = { ip: '192.0.2.1' } as Request;

  /** A limit of one refusal, and a request that ends as `end` notes. */
  function createLimit() {
    const limitRefusals = createRefusalLimit(1);
    return async (credential: string, end: (res: Response) => void) => {
      const res = Object.assign(new EventEmitter(), { locals: {} }) as unknown as Response;
      await limitRefusals.admit(req, res, credential);
      end(res);
      res.emit('close');
    };
  }
  const accepted = (res: Response) => noteCaller(res, { organizationId: 'acme' });
  const refused = (res: Response) => noteRefusal(res, 'invalid_api_key');

  it('an address over the limit is told when to come back, and is admitted then', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const ask = createLimit();
    await ask('unknown', refused);
    vi.advanceTimersByTime(1_500);
    await expect(ask('unknown', refused)).rejects.toMatchObject({
      message: 'Too many requests from your network address were refused. Try again in 9 s.',
      retryAfter: 9,
    });
    vi.advanceTimersByTime(8_400);
    await expect(ask('unknown', refused)).rejects.toMatchObject({ retryAfter: 1 });
    vi.advanceTimersByTime(200);
    await ask('unknown', refused);
  });

  it('pages without a credential are counted anew every ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { admitPage } = createRefusalLimit(1);
    expect([await admitPage(req), await admitPage(req)]).toEqual([true, false]);
    vi.advanceTimersByTime(9_900);
    expect(await admitPage(req)).toBe(false);
    vi.advanceTimersByTime(200);
    expect(await admitPage(req)).toBe(true);
  });

  it('a request that ends without an authenticated caller exempts no credential', async () => {
    const ask = createLimit();
    await ask('a key', (res) => noteRefusal(res, 'internal_error'));
    await ask('another key', refused);
    await expect(ask('a key', accepted)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('an accepted credential passes for ten minutes after its last use', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const ask = createLimit();
    await ask('a key', accepted);
    await ask('unknown', refused);
    vi.advanceTimersByTime(599_999);
    await ask('a key', accepted);
    vi.advanceTimersByTime(600_000);
    await expect(ask('a key', accepted)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('an accepted credential that is refused later is limited', async () => {
    const ask = createLimit();
    await ask('a key', accepted);
    await ask('a key', refused);
    await expect(ask('a key', accepted)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('a request whose client disconnects before its credential is checked counts as refused', async () => {
    const ask = createLimit();
    await ask('unknown', () => {});
    await expect(ask('unknown', refused)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('an overloaded portal does not count as a refusal', async () => {
    const ask = createLimit();
    await ask('a key', (res) => noteRefusal(res, 'overloaded'));
    await ask('a key', accepted);
    await ask('another key', refused);
    await expect(ask('another key', accepted)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

it('simultaneous requests cannot exceed the refusal limit', async () => {
  const client = newClient();
  const answers = await Promise.all(Array.from({ length: 40 }, () => openUnknown(client)));
  expect(answers.filter((answer) => answer.status === 410)).toHaveLength(limit);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(40 - limit);
});

it('more simultaneous openings than the refusal limit succeed', async () => {
  const { acme } = portal;
  const client = newClient();
  const urls = await Promise.all(
    Array.from({ length: 3 * limit }, () => mint(portal, acme, { userEmail: acme.emails.west })),
  );
  const answers = await Promise.all(urls.map((url) => open(url, client)));
  expect(answers.map((answer) => answer.status)).toEqual(urls.map(() => 200));
});

it('a revoked key is limited, also for mints', async () => {
  const { acme } = portal;
  const { id, key } = await createApiKey(acme.ctx, { name: 'short', permissions });
  const client = newClient();
  const mintWith = () =>
    portal.api('POST', '/api/identity/url', {
      key,
      headers: client,
      json: { userEmail: acme.emails.west },
    });
  expect((await mintWith()).status).toBe(200);
  await revokeApiKey(acme.ctx, { id });
  for (const _ of times) expect((await mintWith()).status).toBe(401);
  expect((await mintWith()).status).toBe(429);
});

it('the session of a URL that was just opened passes from an address over the refusal limit', async () => {
  const { acme } = portal;
  const client = newClient();
  const opened = await open(await mint(portal, acme, { userEmail: acme.emails.west }), client);
  await useUpRefusals(client);
  const { bearer } = readSession(opened);
  const viewed = await send(`${acme.address}/viewer/reports`, {
    headers: { authorization: `Bearer ${bearer}`, ...client },
  });
  expect(viewed.status).toBe(200);
});

it('behind a trusted proxy, a URL opens at the address that the proxy forwards', async () => {
  const { acme, publicUrl } = portal;
  const address = 'https://acme.proxied.example';
  await setOrigins(acme.ctx, { addresses: [acme.address, address] });
  const minted = await mint(portal, acme, { userEmail: acme.emails.west, baseUrl: address });
  const { pathname, search } = new URL(minted);
  const openBehind = async (protocol: string) => {
    const forwarded = { 'x-forwarded-host': new URL(address).host, 'x-forwarded-proto': protocol };
    return (await open(publicUrl + pathname + search, { ...newClient(), ...forwarded })).status;
  };
  expect([await openBehind('http'), await openBehind('https')]).toEqual([410, 200]);
});

it('above the limit, pages without a session no longer look up the organization', async () => {
  const { acme } = portal;
  const client = newClient();
  const reload = async () => {
    const { status, headers } = await open(`${acme.address}/organizations/${acme.id}`, client);
    return [
      status,
      /frame-ancestors ([^;]+)/.exec(String(headers['content-security-policy']))?.[1],
    ];
  };
  for (const _ of times) expect(await reload()).toEqual([401, expect.stringContaining('http')]);
  expect(await reload()).toEqual([401, '*']);
  expect((await openUnknown(client)).status).toBe(410);
});

it('successful requests, spent URLs, health checks and missing assets never count as refusals', async () => {
  const { acme, publicUrl } = portal;
  const client = newClient();
  for (const _ of [...times, ...times]) {
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    expect((await open(url, client)).status).toBe(200);
    for (const path of ['/livez', '/readyz', '/assets/none.js'])
      await send(publicUrl + path, { headers: client });
  }
  const url = await mint(portal, acme, { userEmail: acme.emails.west });
  await open(url, client);
  for (const _ of [...times, ...times]) expect((await open(url, client)).status).toBe(410);
  expect((await openUnknown(client)).status).toBe(410);
  expect((await openUnknown(client)).body).not.toContain('Too many');
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['[2001:db8:1:2::9]:4711', '2001:db8:1:2'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2'],
  ['not an address', 'unknown'],
  [undefined, 'unknown'],
  ['no address', 'unknown'],
])('refusals of the address %s are counted for %s', (ip, client) => {
  expect(clientOf(ip)).toBe(client);
});
