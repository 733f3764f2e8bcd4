import { permissions, type ErrorCode } from '@portal-embed/contract';
import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { generateApiKey } from '../../src/api-keys/format.ts';
import { createApiKey, revokeApiKey } from '../../src/api-keys/service.ts';
import { PortalError } from '../../src/errors.ts';
import { identifyClient, createRefusalLimit } from '../../src/limits/refusal-limit.ts';
import { setOrigins } from '../../src/organizations/service.ts';
import { createToken } from '../../src/secrets.ts';
import { noticeOf } from '../support/notices.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, readSession, startSession, view } from '../support/viewer.ts';

const limit = 5;

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ refusalLimit: limit, trustProxy: true });
});
afterAll(() => portal.close());

let clients = 0;
/** Headers with a client address that no test has used before. */
const newClient = () => ({ 'x-forwarded-for': `192.0.2.${(clients += 1)}` });

const times = Array.from({ length: limit });

const openUnknown = (headers: Record<string, string>) =>
  open(`${portal.acme.address}/identity?token=${createToken()}`, headers);

const listWith = (key: string, headers: Record<string, string>) =>
  portal.api('GET', '/api/report', { key, headers });

async function useUpRefusals(headers: Record<string, string>): Promise<void> {
  for (const _ of times) expect((await listWith(generateApiKey(), headers)).status).toBe(401);
}

describe('a client address over the refusal limit', () => {
  it('gets a 429 page with Retry-After for an unknown token', async () => {
    const client = newClient();
    for (const _ of times) expect((await openUnknown(client)).status).toBe(410);
    const limited = await openUnknown(client);
    expect([limited.status, limited.headers['content-type']]).toEqual([
      429,
      'text/html; charset=utf-8',
    ]);
    expect(limited.body).toContain(`<h1>${noticeOf('limited').title}</h1>`);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await openUnknown(newClient())).status).toBe(410);
  });

  it('gets a problem document if a page sends its token', async () => {
    const { address, embedOrigin } = portal.acme;
    const client = newClient();
    await useUpRefusals(client);
    const answer = await send(`${address}/identity`, {
      method: 'POST',
      headers: { origin: address, ...client },
      json: { token: createToken(), embedOrigin },
    });
    expect([answer.status, answer.json().code]).toEqual([429, 'rate_limited']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('does not use up a URL', async () => {
    const { acme } = portal;
    const client = newClient();
    await useUpRefusals(client);
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    expect((await open(url, client)).status).toBe(429);
    expect((await open(url, newClient())).status).toBe(200);
  });

  it('gets 429 for an invalid key or bearer', async () => {
    const { acme } = portal;
    const client = newClient();
    const viewUnknown = () =>
      send(`${acme.address}/viewer/reports`, {
        headers: { authorization: `Bearer ${createToken()}`, ...client },
      });
    for (const _ of times) expect((await viewUnknown()).status).toBe(401);
    const limited = [await viewUnknown(), await listWith(generateApiKey(), client)];
    expect(limited.map((answer) => answer.json().code)).toEqual(['rate_limited', 'rate_limited']);
  });

  it('may use a key or session that was accepted before', async () => {
    const { acme } = portal;
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    await view(acme.address, bearer, acme.reportId);
    await listWith(acme.apiKey, newClient());
    // Without the header, the client address is that of the loopback connection.
    for (const _ of times) await listWith(generateApiKey(), {});
    expect((await listWith(generateApiKey(), {})).status).toBe(429);
    expect((await listWith(acme.apiKey, {})).status).toBe(200);
    expect((await view(acme.address, bearer, acme.reportId)).status).toBe(200);
  });
});

it('requests without a key or bearer are refused, but do not count', async () => {
  const client = newClient();
  const viewAnonymously = () => send(`${portal.acme.address}/viewer/reports`, { headers: client });
  const listAnonymously = () => send(`${portal.publicUrl}/api/report`, { headers: client });
  for (const _ of [...times, ...times])
    expect([(await viewAnonymously()).status, (await listAnonymously()).status]).toEqual([
      401, 401,
    ]);
  expect((await openUnknown(client)).status).toBe(410);
});

describe('the refusal limit of one instance', () => {
  const ip = '192.0.2.1';

  /** Returns a check with a limit of one refusal. */
  function createCheck() {
    const { check } = createRefusalLimit(1);
    return (credential: string, lookUp: () => Promise<unknown>) => check(ip, credential, lookUp);
  }
  const accepted = async () => {};
  const failWith = (code: ErrorCode) => async () => {
    throw new PortalError(code, 'The test refuses.');
  };
  const refused = failWith('invalid_api_key');
  const expectRefused = (checked: Promise<unknown>) =>
    expect(checked).rejects.toMatchObject({ code: 'invalid_api_key' });
  const expectLimited = (checked: Promise<unknown>) =>
    expect(checked).rejects.toMatchObject({ code: 'rate_limited' });

  it('tells an address when to retry, and admits it then', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const check = createCheck();
    await expectRefused(check('unknown', refused));
    vi.advanceTimersByTime(1_500);
    await expect(check('unknown', refused)).rejects.toMatchObject({
      message: 'Too many requests from your network address were refused. Try again in 9 s.',
      retryAfter: 9,
    });
    vi.advanceTimersByTime(8_400);
    await expect(check('unknown', refused)).rejects.toMatchObject({ retryAfter: 1 });
    vi.advanceTimersByTime(200);
    await expectRefused(check('unknown', refused));
  });

  it('never tells an address to retry at once', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const check = createCheck();
    await expectRefused(check('unknown', refused));
    // A busy process forgets a window later than it ends.
    vi.setSystemTime(Date.now() + 10_000);
    await expect(check('unknown', refused)).rejects.toMatchObject({ retryAfter: 1 });
  });

  it('counts pages without a credential anew every ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { admitPage } = createRefusalLimit(1);
    expect([await admitPage(ip), await admitPage(ip)]).toEqual([true, false]);
    vi.advanceTimersByTime(9_900);
    expect(await admitPage(ip)).toBe(false);
    vi.advanceTimersByTime(200);
    expect(await admitPage(ip)).toBe(true);
  });

  it('neither counts a failed look-up nor exempts its credential', async () => {
    const check = createCheck();
    await expect(check('a key', failWith('overloaded'))).rejects.toMatchObject({
      code: 'overloaded',
    });
    await expectRefused(check('another key', refused));
    await expectLimited(check('a key', accepted));
  });

  it('admits an accepted credential for ten minutes after its last use', async () => {
    const clock = vi.spyOn(performance, 'now');
    onTestFinished(() => clock.mockRestore());
    const check = createCheck();
    const checkAfter = (ms: number) => {
      clock.mockReturnValue(1_000_000 + ms);
      return check('a key', accepted);
    };
    await checkAfter(0);
    await expectRefused(check('unknown', refused));
    await checkAfter(599_999);
    await checkAfter(599_999 + 600_000);
    await expectLimited(checkAfter(599_999 + 1_200_001));
  });

  it('exempts the 10,000 credentials that were used last', async () => {
    const check = createCheck();
    await check('the first key', accepted);
    await check('the second key', accepted);
    for (let n = 0; n < 9_998; n++) await check(`key ${n}`, accepted);
    await check('the first key', accepted);
    await check('one more key', accepted);
    await expectRefused(check('unknown', refused));
    await check('the first key', accepted);
    await check('one more key', accepted);
    await expectLimited(check('the second key', accepted));
  });

  it('applies to an accepted credential that is refused later', async () => {
    const check = createCheck();
    await check('a key', accepted);
    await expectRefused(check('a key', refused));
    await expectLimited(check('a key', accepted));
  });

  it('makes look-ups of one address wait for each other, but not for those of another', async () => {
    const { check } = createRefusalLimit(1);
    const started: string[] = [];
    let endFirst = () => {};
    const first = new Promise<void>((resolve) => (endFirst = resolve));
    const lookUp = (name: string, end: Promise<void>) => async () => {
      started.push(name);
      await end;
    };
    const all = [
      check(ip, 'first', lookUp('first', first)),
      check(ip, 'second', lookUp('second', Promise.resolve())),
      check('192.0.2.2', 'other', lookUp('other', Promise.resolve())),
    ];
    await all[2];
    expect(started).toEqual(['first', 'other']);
    endFirst();
    await Promise.all(all);
    expect(started).toEqual(['first', 'other', 'second']);
  });
});

it('simultaneous requests cannot exceed the refusal limit', async () => {
  const client = newClient();
  const answers = await Promise.all(Array.from({ length: 40 }, () => openUnknown(client)));
  expect(answers.filter((answer) => answer.status === 410)).toHaveLength(limit);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(40 - limit);
});

it('a client that is not the trusted proxy cannot choose its address', async () => {
  const other = await startTestPortal({ refusalLimit: 1, trustProxy: '192.0.2.1' });
  onTestFinished(() => other.close());
  const openAs = (address: string) =>
    open(`${other.acme.address}/identity?token=${createToken()}`, { 'x-forwarded-for': address });
  expect((await openAs('198.51.100.1')).status).toBe(410);
  expect((await openAs('198.51.100.2')).status).toBe(429);
});

it('successful simultaneous openings may exceed the refusal limit', async () => {
  const { acme } = portal;
  const client = newClient();
  const urls = await Promise.all(
    Array.from({ length: 3 * limit }, () => mint(portal, acme, { userEmail: acme.emails.west })),
  );
  const answers = await Promise.all(urls.map((url) => open(url, client)));
  expect(answers.map((answer) => answer.status)).toEqual(urls.map(() => 200));
});

it('a revoked key is subject to the refusal limit, for mints too', async () => {
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

it('the session of a URL that was just opened is admitted from an address over the refusal limit', async () => {
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

it('a URL opens at the address that a trusted proxy forwards', async () => {
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

it('pages without a session do not look up the organization over the limit', async () => {
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

it('successful requests, used URLs, health checks and missing assets do not count as refusals', async () => {
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
  expect(identifyClient(ip)).toBe(client);
});
