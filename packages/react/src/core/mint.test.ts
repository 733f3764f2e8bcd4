import type { HostRequest } from '@portal-embed/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { advanceClock, sent, setClock } from '../../test/clock.ts';
import { mintUrl, parsePageUrl } from './mint.ts';
import { serializeRequest } from './options.ts';
import type { FetchIdentityUrl } from './options.ts';

setClock();

const answer = { embedUrl: 'https://portal.example/identity?token=1' };

describe('a request, with a clock that only the test advances', () => {
  let now = 0;
  // Each test has its own queue of requests.
  let mintAlone: typeof mintUrl;
  const pass = (ms: number) => {
    now += ms;
    return advanceClock(ms);
  };
  beforeEach(async () => {
    vi.resetModules();
    ({ mintUrl: mintAlone } = await import('./mint.ts'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  const mint = (fetchIdentityUrl: FetchIdentityUrl, { signal } = new AbortController()) =>
    mintAlone({ fetchIdentityUrl }, '{}', signal, () => {});

  it.each([
    [249, 150],
    [250, 0],
  ])('%i ms after an aborted request, the next one waits %i ms', async (after, pause) => {
    const aborting = new AbortController();
    const never = () => new Promise<never>(() => {});
    void mint(never, aborting);
    await pass(0);
    aborting.abort();
    await pass(after);
    const fetchIdentityUrl = vi.fn<FetchIdentityUrl>(async () => answer);
    const minted = mint(fetchIdentityUrl);
    await pass(Math.max(0, pause - 1));
    expect(fetchIdentityUrl).toHaveBeenCalledTimes(pause ? 0 : 1);
    await pass(1);
    expect(fetchIdentityUrl).toHaveBeenCalledOnce();
    await minted;
  });

  it('an answered request whose signal aborts later delays no other request', async () => {
    const aborting = new AbortController();
    await mint(async () => answer, aborting);
    aborting.abort();
    const fetchIdentityUrl = vi.fn<FetchIdentityUrl>(async () => answer);
    const minted = mint(fetchIdentityUrl);
    await pass(0);
    expect(fetchIdentityUrl).toHaveBeenCalledOnce();
    await minted;
  });

  it('an aborted request frees one slot, not two', async () => {
    const lives = Array.from({ length: 6 }, () => new AbortController());
    const ends: (() => void)[] = [];
    const fetchIdentityUrl = vi.fn<FetchIdentityUrl>(
      () => new Promise((_, reject) => ends.push(() => reject(new Error('ended')))),
    );
    const mints = lives.map((life) => mint(fetchIdentityUrl, life).catch(() => {}));
    await pass(0);
    expect(fetchIdentityUrl).toHaveBeenCalledTimes(4);
    lives[0]!.abort();
    ends[0]!();
    await pass(0);
    expect(fetchIdentityUrl).toHaveBeenCalledTimes(5);
    for (let end = 1; end < 6; end++) {
      ends[end]!();
      await pass(0);
    }
    await Promise.all(mints);
  });

  it('a request that is aborted while it waits for a slot is not sent', async () => {
    const answers: (() => void)[] = [];
    const fetchIdentityUrl = vi.fn<FetchIdentityUrl>(
      () => new Promise((resolve) => answers.push(() => resolve(answer))),
    );
    const mints = Array.from({ length: 4 }, () => mint(fetchIdentityUrl));
    const aborting = new AbortController();
    const aborted = mint(fetchIdentityUrl, aborting).catch(() => 'aborted');
    await pass(0);
    aborting.abort();
    for (const end of answers) end();
    await pass(0);
    expect(fetchIdentityUrl).toHaveBeenCalledTimes(4);
    expect(await aborted).toBe('aborted');
    await Promise.all(mints);
  });
});

const { signal } = new AbortController();

it('the request is a POST of JSON with all fields that the host endpoint takes', async () => {
  sent.mockResolvedValue(Response.json(answer));
  const request: Required<HostRequest> = {
    embed: true,
    reportId: 'r',
    hideMenu: true,
    hideNavbar: true,
    hideSidebar: true,
    customFilters: [{ key: 'Region', value: 'West' }],
  };
  const minted = await mintUrl({}, serializeRequest(request), signal, () => {});
  expect(minted.url.href).toBe(answer.embedUrl);
  const [url, init] = sent.mock.calls[0]!;
  expect([url, init?.method, init?.headers]).toEqual([
    `${location.origin}/portal-embed/url`,
    'POST',
    { 'content-type': 'application/json' },
  ]);
  expect(JSON.parse(init?.body as string)).toEqual(request);
});

it('an error of an HTTP library has the code, text and Retry-After of its response', async () => {
  const response = {
    status: 503,
    headers: new Headers({ 'retry-after': '7' }),
    data: { type: 'urn:portal-embed:problem:portal_unavailable', detail: 'Down.' },
  };
  const fetchIdentityUrl = () => Promise.reject(Object.assign(new Error('axios'), { response }));
  await expect(mintUrl({ fetchIdentityUrl }, '{}', signal, () => {})).rejects.toMatchObject({
    name: 'EmbedError',
    cause: 'portal_unavailable',
    message: 'Down.',
    retryAfter: 7,
  });
});

it('an error of a library without an answer says that the endpoint did not answer', async () => {
  const fetchIdentityUrl = () => Promise.reject(new Error('secret'));
  await expect(mintUrl({ fetchIdentityUrl }, '{}', signal, () => {})).rejects.toMatchObject({
    cause: 'endpoint_unreachable',
    message: 'No answer from fetchIdentityUrl.',
    retryAfter: 0,
  });
});

it.each(['https://portal.example/', 'http://localhost:4100/', 'http://acme.portal.localhost/'])(
  'the URL %s can be framed',
  (url) => {
    expect(parsePageUrl(url).href).toBe(url);
  },
);

it.each([
  ['http://evillocalhost', 'insecure_url'],
  ['http://localhost.example', 'insecure_url'],
  ['http://localhost:80@portal.example', 'insecure_url'],
  ['http://portal.example/localhost', 'insecure_url'],
  ['http://127.0.0.1', 'insecure_url'],
  ['ftp://portal.localhost', 'insecure_url'],
  ['http://host.localhost', 'same_origin'],
])('the URL %s fails with %s', (url, cause) => {
  expect(() => parsePageUrl(url)).toThrow(expect.objectContaining({ cause }));
});
