import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { refuse, startHostEndpoint } from '../../test/host-endpoint.ts';
import type { HostEndpoint } from '../../test/host-endpoint.ts';
import { becomeReady, playPortalPage } from '../../test/portal-page.ts';
import { createEmbed } from './embed.ts';
import type { Embed } from './embed.ts';
import type { EmbedError } from './error.ts';
import type { EmbedOptions, EmbedState, FetchIdentityUrl } from './options.ts';

let host: HostEndpoint;
let container: HTMLElement;
let embed: Embed;
let states: EmbedState['status'][];
let causes: string[];
let unmount: (() => void) | undefined;
const told = {
  onError: (error: EmbedError) => causes.push(error.cause),
};

const mount = (options: EmbedOptions = {}) => {
  embed.update({ endpoint: host.url, ...told, ...options });
  unmount = embed.mount(container);
};
const update = (options: EmbedOptions) => embed.update({ endpoint: host.url, ...told, ...options });
const frames = () => [...container.querySelectorAll('iframe')];
const frameOf = (token: number) =>
  waitFor(() => {
    const found = frames().find(({ src }) => src.endsWith(`token=${token}`));
    if (!found) throw new Error(`There is no frame ${token} yet.`);
    return found;
  });
const becomes = (status: EmbedState['status']) => waitFor(() => expect(states.at(-1)).toBe(status));
/** Longer than an embed waits where a URL was just fetched for nothing. */
const pause = (ms = 250) => new Promise((done) => setTimeout(done, ms));

beforeEach(async () => {
  host = await startHostEndpoint();
  container = document.createElement('div');
  document.body.append(container);
  states = [];
  causes = [];
  embed = createEmbed(({ status }) => states.push(status));
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(async () => {
  unmount?.();
  unmount = undefined;
  container.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await host.close();
});

const place = {
  path: '/organizations/o/reports/r',
  filters: [{ key: 'A', value: 'b' }],
  scroll: 120,
};

describe('mounted again', () => {
  const reopen = async (next: EmbedOptions) => {
    mount({ reportId: 'r' });
    becomeReady(await frameOf(1), place);
    await becomes('ready');
    unmount!();
    mount({ reportId: 'r', ...next });
    return playPortalPage(await frameOf(2)).boot().connected?.state;
  };

  it('brings the reader back to the place of the same request', async () => {
    expect(await reopen({})).toEqual(place);
  });

  it('forgets the place of another report', async () => {
    expect(await reopen({ reportId: 'other' })).toBeUndefined();
  });

  it('forgets the filters of a request with others', async () => {
    const state = await reopen({ customFilters: [{ key: 'C', value: 'd' }] });
    expect(state).toEqual({ ...place, filters: [] });
  });

  it('keeps the filters that were set since', async () => {
    mount();
    becomeReady(await frameOf(1));
    await becomes('ready');
    embed.setFilters(place.filters);
    unmount!();
    mount();
    await frameOf(2);
    expect(host.requests[1]).toEqual({ customFilters: place.filters });
  });
});

describe('scrolling', () => {
  let look: (isIntersecting: boolean) => void;
  beforeEach(() => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(act: (entries: { isIntersecting: boolean }[]) => void) {
          look = (isIntersecting) => act([{ isIntersecting }]);
        }
        observe() {
          look(false);
        }
        disconnect() {}
      },
    );
  });
  const scrollPast = async () => {
    look(false);
    look(true);
    await pause();
  };

  it.each([false, true])('fetches nothing after a failure (lazy: %s)', async (lazy) => {
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': '120' }));
    mount({ lazy });
    look(true);
    await becomes('failed');
    await scrollPast();
    expect(host.requests).toHaveLength(1);
    update({ lazy: !lazy });
    await scrollPast();
    expect(host.requests).toHaveLength(1);
  });

  it('fetches nothing after a refresh that failed', async () => {
    mount({ lazy: true });
    look(true);
    becomeReady(await frameOf(1));
    await becomes('ready');
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': '120' }));
    embed.refresh();
    await waitFor(() => expect(causes).toEqual(['rate_limited']));
    await scrollPast();
    expect(host.requests).toHaveLength(2);
  });

  it('back finds what failed out of view tried again, once the page was online', async () => {
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': '120' }));
    mount({ lazy: true });
    look(true);
    await becomes('failed');
    look(false);
    window.dispatchEvent(new Event('online'));
    await pause();
    expect(host.requests).toHaveLength(1);
    look(true);
    becomeReady(await frameOf(1));
    await becomes('ready');
  });

  it('away rests a lazy embed, which catches up on a refresh when seen again', async () => {
    mount({ lazy: true, refreshInterval: 100, onReady: () => look(false) });
    look(true);
    becomeReady(await frameOf(1));
    await becomes('ready');
    await pause(250);
    expect(host.requests).toHaveLength(1);
    look(true);
    becomeReady(await frameOf(2));
    await becomes('ready');
  });

  it('into view fetches nothing after a refresh()', async () => {
    mount({ lazy: true });
    embed.refresh();
    becomeReady(await frameOf(1));
    await becomes('ready');
    look(true);
    await pause();
    expect(host.requests).toHaveLength(1);
  });

  it('away fetches nothing for another report', async () => {
    mount({ lazy: true, reportId: 'a' });
    update({ lazy: true, reportId: 'b' });
    await pause();
    expect(host.requests).toEqual([]);
    look(true);
    await frameOf(1);
    expect(host.requests).toEqual([{ reportId: 'b' }]);
  });

  it('does not matter once lazy is turned off', async () => {
    mount({ lazy: true });
    await pause();
    expect(host.requests).toEqual([]);
    update({ lazy: false });
    await frameOf(1);
    expect(host.requests).toHaveLength(1);
  });
});

it('a render after a failure fetches nothing', async () => {
  host.answers.push(...Array.from({ length: 4 }, () => refuse(502, 'portal_unavailable')));
  mount();
  await becomes('failed');
  update({});
  await pause();
  expect(host.requests).toHaveLength(4);
});

it('fetches nothing for a hidden page until it is seen', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  mount();
  await pause();
  expect(host.requests).toEqual([]);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  becomeReady(await frameOf(1));
  await becomes('ready');
});

describe('Retry-After', () => {
  it.each(['-5', '-1e9', 'soon', 'Fri, 20 Nov 2026 10:00:00 GMT', ''])(
    'is none: %s',
    async (retryAfter) => {
      host.answers.push(refuse(429, 'rate_limited', { 'retry-after': retryAfter }));
      mount();
      becomeReady(await frameOf(1));
      await becomes('ready');
      expect(host.requests).toHaveLength(2);
    },
  );

  it.each(['60', '1e99'])('of %s seconds is left to the reader', async (retryAfter) => {
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': retryAfter }));
    mount();
    await becomes('failed');
    expect(causes).toEqual(['rate_limited']);
    expect(host.requests).toHaveLength(1);
  });

  it('of a second is waited for', async () => {
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': '1' }));
    mount();
    await waitFor(() => expect(host.requests).toHaveLength(1));
    const refusedAt = performance.now();
    await waitFor(() => expect(host.requests).toHaveLength(2));
    expect(performance.now() - refusedAt).toBeGreaterThan(900);
  });
});

describe('has every attempt', () => {
  const fail = refuse(502, 'portal_unavailable');
  const failing = (times: number) =>
    host.answers.push(...Array.from({ length: times }, () => fail));

  it.each([
    ['when the browser is online again', () => window.dispatchEvent(new Event('online'))],
    ['when it is asked to refresh', () => embed.refresh()],
    ['when a refresh falls due', () => update({ refreshInterval: 10 })],
    [
      'when it is mounted again',
      () => {
        unmount!();
        mount();
      },
    ],
    ['for another report', () => update({ reportId: 'other' })],
  ])('%s', async (_, act) => {
    failing(4);
    mount();
    await becomes('failed');
    failing(3);
    act();
    becomeReady(await frameOf(1));
    await waitFor(() => expect(states).toContain('ready'));
    expect(causes).toEqual(['portal_unavailable']);
  });

  it('but no more, however long each of them takes', async () => {
    let hours = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ++hours * 3_600_000);
    failing(9);
    mount();
    await becomes('failed');
    expect(host.requests).toHaveLength(4);
  });
});

it.each([-1, 0, NaN, Infinity])('a refreshInterval of %d is none', async (refreshInterval) => {
  mount({ refreshInterval });
  becomeReady(await frameOf(1));
  await becomes('ready');
  await pause();
  expect(host.requests).toHaveLength(1);
});

describe('a cause is always one of the contract', () => {
  it.each([
    ['endpoint_unreachable', 500, 'xyz'],
    ['endpoint_unreachable', 500, 'not_signed_in_at_all'],
    ['not_signed_in', 401, 'xyz'],
    ['rate_limited', 429, 'xyz'],
  ])('%s: the answer %i with the code %s', async (cause, status, code) => {
    host.answers.push(...Array.from({ length: 4 }, () => refuse(status, code)));
    mount();
    await becomes('failed');
    expect(causes).toEqual([cause]);
  });

  it.each([undefined, null, 'text', 0, Object.create(null)])(
    'endpoint_unreachable: a rejection with %j',
    async (thrown) => {
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a host may reject with anything
      mount({ fetchIdentityUrl: () => Promise.reject(thrown) });
      await becomes('failed');
      expect(causes).toEqual(['endpoint_unreachable']);
    },
  );
});

describe('a frame that is lost', () => {
  it('while its refresh hangs leaves the embed minting, not refreshing what is not there', async () => {
    mount();
    const page = becomeReady(await frameOf(1));
    await becomes('ready');
    host.answers.push(() => {});
    embed.refresh();
    await becomes('refreshing');
    page.send({ type: 'session-required', reason: 'reloaded' });
    await becomes('minting');
    expect(frames()).toEqual([]);
  });

  it('while the fresh one loads leaves the embed loading', async () => {
    mount();
    const page = becomeReady(await frameOf(1));
    await becomes('ready');
    embed.refresh();
    const fresh = await frameOf(2);
    page.send({ type: 'session-required', reason: 'reloaded' });
    await becomes('loading');
    becomeReady(fresh);
    await becomes('ready');
    expect(host.requests).toHaveLength(2);
  });

  it('during a back-off leaves the next attempt to its time', async () => {
    mount();
    const page = becomeReady(await frameOf(1));
    await becomes('ready');
    vi.mocked(Math.random).mockReturnValue(1);
    host.answers.push(refuse(502, 'portal_unavailable'));
    embed.refresh();
    await waitFor(() => expect(host.requests).toHaveLength(2));
    await pause();
    page.boot();
    becomeReady(await frameOf(2));
    await becomes('ready');
    expect(causes).toEqual([]);
  });

  it('leaves the embed minting from the start of the back-off', async () => {
    mount();
    const page = becomeReady(await frameOf(1));
    await becomes('ready');
    // The back-off outlasts the test.
    vi.mocked(Math.random).mockReturnValue(1_000);
    page.send({ type: 'session-required', reason: 'reloaded' });
    await waitFor(() => expect(frames()).toEqual([]));
    expect(states.at(-1)).toBe('minting');
    expect(host.requests).toHaveLength(1);
  });
});

it('a frame that does not show what was asked for goes when that cannot be had', async () => {
  mount({ reportId: 'r' });
  becomeReady(await frameOf(1));
  await becomes('ready');
  host.answers.push(refuse(502, 'portal_rejected_key'));
  update({ reportId: 'r', hideNavbar: true });
  expect(frames()).toHaveLength(1);
  await becomes('failed');
  expect(frames()).toEqual([]);
  expect(causes).toEqual(['portal_rejected_key']);
});

it.each([
  'ready',
  { type: 'ready' },
  { type: 'ready', unappliedFilters: [7] },
  { type: 'navigated', path: 7, reportId: null },
  { type: 'navigated', path: '/', reportId: undefined },
  { type: 'resized', height: '900' },
  { type: 'failed', cause: 'blocked_by_host' },
  { type: 'closed' },
])('a message over the port that the contract does not have changes nothing: %j', async (data) => {
  const onNavigate = vi.fn();
  mount({ autoHeight: true, onNavigate });
  const page = playPortalPage(await frameOf(1)).boot();
  page.send(data as never);
  await pause(20);
  expect(states.at(-1)).toBe('loading');
  page.ready();
  await becomes('ready');
  page.send(data as never);
  await pause(20);
  expect(states.at(-1)).toBe('ready');
  expect(container.style.height).toBe('');
  expect(onNavigate).not.toHaveBeenCalled();
  expect(causes).toEqual([]);
});

describe('requests that never end', () => {
  it.each([
    ['the answer', () => new Promise<never>(() => {})],
    ['the body', async () => ({ ok: true, json: () => new Promise(() => {}) }) as Response],
  ])('give their turn to others at the timeout: %s', async (_, fetchIdentityUrl) => {
    const others = Array.from({ length: 4 }, () => createEmbed(() => {}));
    const ends = others.map((other) => {
      other.update({ fetchIdentityUrl, timeout: 1_000 });
      return other.mount(container);
    });
    onTestFinished(() => ends.forEach((end) => end()));
    const embedUrl = 'https://portal.example/identity?token=1';
    const answer = vi.fn<FetchIdentityUrl>(async () => ({ embedUrl }));
    // Too little for the wait and the retries, which is to say that the wait does not count.
    mount({ fetchIdentityUrl: answer, timeout: 200 });
    await frameOf(1);
    expect(answer).toHaveBeenCalledOnce();
    expect(causes).toEqual([]);
  });

  it('give their turn to others when they are unmounted as they begin', async () => {
    for (let count = 0; count < 4; count++) {
      const other = createEmbed(() => {});
      other.update({
        fetchIdentityUrl: () => new Promise(() => {}),
        onStateChange: () => end(),
      });
      const end = other.mount(container);
    }
    mount();
    await waitFor(() => expect(frames()).toHaveLength(1));
  });
});

it("a page that boots over and over is 'timed_out'", async () => {
  // Without a request, which a busy machine might answer after the timeout.
  const embedUrl = 'https://portal.example/identity?token=1';
  const answer = vi.fn<FetchIdentityUrl>(async () => ({ embedUrl }));
  mount({ fetchIdentityUrl: answer, timeout: 200 });
  const booting = setInterval(() => frames().forEach((frame) => playPortalPage(frame).boot()), 50);
  onTestFinished(() => clearInterval(booting));
  await waitFor(() => expect(causes).toEqual(['timed_out']));
  expect(answer).toHaveBeenCalledTimes(4);
});

describe('filters that are changed in place', () => {
  it('tell onRefresh which of them no column answers to', async () => {
    const [onReady, onRefresh] = [vi.fn(), vi.fn()];
    mount({ onReady, onRefresh });
    const page = becomeReady(await frameOf(1));
    await becomes('ready');
    embed.setFilters([{ key: 'Nope', value: 'x' }]);
    page.ready(['Nope']);
    await waitFor(() =>
      expect(onRefresh.mock.calls).toEqual([[{ type: 'ready', unappliedFilters: ['Nope'] }]]),
    );
    expect(onReady).toHaveBeenCalledOnce();
  });
});

it('sends no more of a filter than the endpoint is asked for', async () => {
  mount();
  const page = becomeReady(await frameOf(1));
  await becomes('ready');
  const filter = { key: 'Region', value: 'West', toggle: () => {} };
  embed.setFilters([new Proxy(filter, {})]);
  update({ customFilters: [new Proxy({ ...filter, value: 'East' }, {})] });
  await waitFor(() =>
    expect(page.received).toEqual([
      { type: 'set-filters', filters: [{ key: 'Region', value: 'West' }] },
      { type: 'set-filters', filters: [{ key: 'Region', value: 'East' }] },
    ]),
  );
});

describe('the frame on show takes', () => {
  it('another title', async () => {
    mount({ title: 'Sales' });
    becomeReady(await frameOf(1));
    await becomes('ready');
    update({ title: 'Flights' });
    expect(frames()[0]!.title).toBe('Flights');
    update({});
    expect(frames()[0]!.title).toBe('Report');
  });

  it('another maxHeight', async () => {
    mount({ autoHeight: true, maxHeight: 500 });
    becomeReady(await frameOf(1)).send({ type: 'resized', height: 900 });
    await waitFor(() => expect(container.style.height).toBe('500px'));
    update({ autoHeight: true, maxHeight: 600 });
    expect(container.style.height).toBe('600px');
    update({ autoHeight: true });
    expect(container.style.height).toBe('900px');
  });

  it('another autoHeight through a fresh one, at the same place', async () => {
    mount();
    becomeReady(await frameOf(1), place);
    await becomes('ready');
    update({ autoHeight: true });
    const { connected } = playPortalPage(await frameOf(2)).boot();
    expect(connected).toMatchObject({ autoHeight: true, state: place });
  });
});

describe('a page that has booted and is not ready', () => {
  // No deadline, which would bring another page too.
  const timeout = 0;
  const bootNext = async (token: number) => playPortalPage(await frameOf(token)).boot().connected;

  it('is told of another theme, and so is the one on show', async () => {
    mount({ timeout, theme: 'light' });
    const shown = becomeReady(await frameOf(1), place);
    await becomes('ready');
    embed.refresh();
    const pending = playPortalPage(await frameOf(2)).boot();
    expect(pending.connected).toMatchObject({ theme: 'light' });
    update({ timeout, theme: 'dark' });
    update({ timeout });
    for (const { received } of [shown, pending])
      await waitFor(() =>
        expect(received).toEqual([
          { type: 'set-theme', theme: 'dark' },
          { type: 'set-theme', theme: undefined },
        ]),
      );
    expect(host.requests).toHaveLength(2);
  });

  it('has the newest theme if that came before', async () => {
    mount({ timeout, theme: 'light' });
    const page = playPortalPage(await frameOf(1));
    update({ timeout, theme: 'dark' });
    expect(page.boot().connected).toMatchObject({ theme: 'dark' });
    expect(host.requests).toHaveLength(1);
  });

  it('gives way to one with another autoHeight', async () => {
    mount({ timeout });
    await bootNext(1);
    update({ timeout, autoHeight: true });
    expect(await bootNext(2)).toMatchObject({ autoHeight: true });
  });
});

it('another autoHeight is not lost where other filters come with it', async () => {
  mount();
  becomeReady(await frameOf(1));
  await becomes('ready');
  update({ autoHeight: true, customFilters: place.filters });
  const { connected } = playPortalPage(await frameOf(2)).boot();
  expect(connected).toMatchObject({ autoHeight: true });
  expect(host.requests[1]).toEqual({ customFilters: place.filters });
  expect(host.requests).toHaveLength(2);
});

describe('a violation of a Content-Security-Policy', () => {
  const violate = (blockedURI: string, effectiveDirective = 'frame-src') =>
    document.dispatchEvent(
      Object.assign(new Event('securitypolicyviolation', { bubbles: true }), {
        disposition: 'enforce',
        effectiveDirective,
        blockedURI,
      }),
    );

  it.each([
    'http://portal.localhost:41001',
    'http://portal.localhost.evil.example:4100/identity',
    'http://portal.localhost/identity',
    'inline',
  ])('is none of the portal’s: %s', async (blockedURI) => {
    mount();
    await frameOf(1);
    violate(blockedURI);
    expect(causes).toEqual([]);
  });

  it.each(['http://portal.localhost:4100', 'http://portal.localhost:4100/identity?token=1'])(
    'is the portal’s: %s',
    async (blockedURI) => {
      mount();
      await frameOf(1);
      violate(blockedURI);
      expect(causes).toEqual(['blocked_by_host']);
    },
  );

  const load = (frame: HTMLIFrameElement) => frame.dispatchEvent(new Event('load'));

  it('is of a frame that loads and says nothing', async () => {
    mount();
    const frame = await frameOf(1);
    violate('http://portal.localhost:4100', 'frame-ancestors');
    load(frame);
    await becomes('failed');
    expect(causes).toEqual(['blocked_by_portal']);
  });

  it.each(['frame-ancestors', 'frame-src'])(
    'of a fresh frame leaves the one on show: %s',
    async (directive) => {
      mount();
      const shown = await frameOf(1);
      becomeReady(shown);
      await becomes('ready');
      embed.refresh();
      const fresh = await frameOf(2);
      violate('http://portal.localhost:4100', directive);
      load(fresh);
      await waitFor(() => expect(causes).toHaveLength(1));
      expect(states.at(-1)).toBe('ready');
      expect(frames()).toEqual([shown]);
      // Nor is it held against it when it fails in a way of its own.
      load(shown);
      load(shown);
      await waitFor(() => expect(frames()).not.toContain(shown));
      expect(causes).toHaveLength(1);
    },
  );

  it('of another embed leaves a frame that has yet to speak', async () => {
    mount();
    const slow = await frameOf(1);
    violate('http://portal.localhost:4100', 'frame-ancestors');
    await pause(400);
    const page = becomeReady(slow);
    await becomes('ready');
    load(slow);
    expect(page.connected).toBeDefined();
    expect(causes).toEqual([]);
  });
});
