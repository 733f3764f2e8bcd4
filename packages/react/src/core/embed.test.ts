import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { refuse, startHostEndpoint } from '../../test/host-endpoint.ts';
import type { HostEndpoint } from '../../test/host-endpoint.ts';
import { becomeReady, playPortalPage } from '../../test/portal-page.ts';
import { createEmbed } from './embed.ts';
import type { Embed } from './embed.ts';
import type { EmbedError } from './error.ts';
import type { EmbedOptions, EmbedState } from './options.ts';

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
  vi.waitFor(() => {
    const found = frames().find(({ src }) => src.endsWith(`token=${token}`));
    if (!found) throw new Error(`There is no frame ${token} yet.`);
    return found;
  });
const becomes = (status: EmbedState['status']) =>
  vi.waitFor(() => expect(states.at(-1)).toBe(status));
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
    becomeReady(await frameOf(1)).send({ type: 'state', state: place });
    await becomes('ready');
    await pause();
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

describe('lazy', () => {
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

  it('rests while scrolled away, and catches up on a refresh when seen again', async () => {
    mount({ lazy: true, refreshInterval: 100 });
    look(true);
    becomeReady(await frameOf(1));
    await becomes('ready');
    look(false);
    await pause(250);
    expect(host.requests).toHaveLength(1);
    look(true);
    becomeReady(await frameOf(2));
    await becomes('ready');
  });

  it('fetches nothing when it comes into view after a refresh()', async () => {
    mount({ lazy: true });
    embed.refresh();
    becomeReady(await frameOf(1));
    await becomes('ready');
    look(true);
    await pause();
    expect(host.requests).toHaveLength(1);
  });

  it('fetches nothing for another report while scrolled away', async () => {
    mount({ lazy: true, reportId: 'a' });
    update({ lazy: true, reportId: 'b' });
    await pause();
    expect(host.requests).toEqual([]);
    look(true);
    await frameOf(1);
    expect(host.requests).toEqual([{ reportId: 'b' }]);
  });

  it('starts when it is turned off', async () => {
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
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
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

  it('leaves the embed minting from the start of the back-off', async () => {
    mount();
    const page = becomeReady(await frameOf(1));
    await becomes('ready');
    vi.mocked(Math.random).mockReturnValue(1);
    page.send({ type: 'session-required', reason: 'reloaded' });
    await vi.waitFor(() => expect(frames()).toEqual([]));
    expect(states.at(-1)).toBe('minting');
    expect(host.requests).toHaveLength(1);
  });
});

describe('requests that never end', () => {
  it('give their turn to others at the timeout', async () => {
    const others = Array.from({ length: 4 }, () => createEmbed(() => {}));
    const ends = others.map((other) => {
      other.update({ fetchIdentityUrl: () => new Promise(() => {}), timeout: 1_000 });
      return other.mount(container);
    });
    // Too little for the wait and the retries, which is to say that the wait does not count.
    mount({ timeout: 200 });
    await vi.waitFor(() => expect(frames()).toHaveLength(1), { timeout: 5_000 });
    becomeReady(frames()[0]!);
    await becomes('ready');
    expect(causes).toEqual([]);
    ends.forEach((end) => end());
  });
});

describe('filters that are changed in place', () => {
  it('tell onRefresh which of them no column answers to', async () => {
    const [onReady, onRefresh] = [vi.fn(), vi.fn()];
    mount({ onReady, onRefresh });
    const page = becomeReady(await frameOf(1));
    await becomes('ready');
    embed.setFilters([{ key: 'Nope', value: 'x' }]);
    page.ready(['Nope']);
    await vi.waitFor(() =>
      expect(onRefresh.mock.calls).toEqual([[{ type: 'ready', unappliedFilters: ['Nope'] }]]),
    );
    expect(onReady).toHaveBeenCalledOnce();
  });
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

  it('a height below the one that is kept for it', async () => {
    container.style.minHeight = '24rem';
    mount({ autoHeight: true });
    becomeReady(await frameOf(1)).send({ type: 'resized', height: 90 });
    await vi.waitFor(() =>
      expect(container.style).toMatchObject({ height: '90px', minHeight: '0px' }),
    );
  });

  it('another maxHeight', async () => {
    mount({ autoHeight: true, maxHeight: 500 });
    becomeReady(await frameOf(1)).send({ type: 'resized', height: 900 });
    await vi.waitFor(() => expect(container.style.height).toBe('500px'));
    update({ autoHeight: true, maxHeight: 600 });
    expect(container.style.height).toBe('600px');
    update({ autoHeight: true });
    expect(container.style.height).toBe('900px');
  });

  it('another autoHeight through a fresh one, at the same place', async () => {
    mount();
    becomeReady(await frameOf(1)).send({ type: 'state', state: place });
    await becomes('ready');
    await pause();
    update({ autoHeight: true });
    const { connected } = playPortalPage(await frameOf(2)).boot();
    expect(connected).toMatchObject({ autoHeight: true, state: place });
  });
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
    'http://portal.localhost:4100.evil.example/identity',
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
});
