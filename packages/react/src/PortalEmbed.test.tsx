import type { ServerResponse } from 'node:http';

import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import * as React from 'react';
import { createElement, createRef, StrictMode, version } from 'react';
import type { ComponentType, PropsWithChildren } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { refuse, startHostEndpoint } from '../test/host-endpoint.ts';
import type { HostEndpoint } from '../test/host-endpoint.ts';
import { becomeReady, playPortalPage } from '../test/portal-page.ts';
import type { EmbedHandle } from './core/embed.ts';
import { PortalEmbed } from './PortalEmbed.ts';
import { PortalEmbedProvider } from './use-portal-embed.ts';

/** Of React 19 only. */
const { Activity } = React as {
  Activity?: ComponentType<PropsWithChildren<{ mode: 'visible' | 'hidden' }>>;
};

let host: HostEndpoint;
beforeEach(async () => {
  host = await startHostEndpoint();
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await host.close();
});

const frames = () => [...document.querySelectorAll('iframe')];
const frame = async (index = 0) =>
  waitFor(() => frames()[index] ?? Promise.reject(new Error('no frame')));
const status = () =>
  document.querySelector('[data-portal-embed]')?.getAttribute('data-portal-embed');
const becomes = (expected: string) => waitFor(() => expect(status()).toBe(expected));
const settle = (ms = 60) => act(() => new Promise((done) => setTimeout(done, ms)));

it('runs on the React that the project names', () => {
  expect(version.split('.')[0]).toBe(process.env['REACT_MAJOR']);
});

describe('mounting', () => {
  it('fetches one URL and shows it in one frame of the given title', async () => {
    const onReady = vi.fn();
    render(
      <PortalEmbed endpoint={host.url} reportId="r1" hideMenu title="Sales" onReady={onReady} />,
    );
    expect(screen.getByRole('status')).toHaveTextContent('Loading report');
    becomeReady(await frame()).ready(['Nope']);
    await becomes('ready');
    expect(host.requests).toEqual([{ reportId: 'r1', hideMenu: true }]);
    expect(screen.getByTitle('Sales')).toHaveAttribute(
      'src',
      'http://portal.localhost:4100/identity?token=1',
    );
    expect(onReady).toHaveBeenCalledExactlyOnceWith({ type: 'ready', unappliedFilters: [] });
    expect(screen.getByRole('status')).toHaveTextContent('Report loaded');
  });

  it('asks the host page itself for a URL by default', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('offline'));
    render(<PortalEmbed />);
    await waitFor(() =>
      expect(fetched).toHaveBeenCalledWith(
        '/portal-embed/url',
        expect.objectContaining({ method: 'POST', body: '{}' }),
      ),
    );
  });

  it('sends one POST for a mount in StrictMode', async () => {
    render(<PortalEmbed endpoint={host.url} />, { wrapper: StrictMode });
    becomeReady(await frame());
    await becomes('ready');
    await settle();
    expect(host.requests).toHaveLength(1);
    expect(frames()).toHaveLength(1);
  });

  it('sends no POST for a mount that is undone at once', async () => {
    render(<PortalEmbed endpoint={host.url} />).unmount();
    await settle();
    expect(host.requests).toHaveLength(0);
  });

  it('sends at most two POSTs for twenty fast remounts', async () => {
    // However busy the machine, to the embed each takes 5 ms. Begins past any pause of another test.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let now = performance.now() + 250;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const sent = vi.spyOn(globalThis, 'fetch');
    const pass = (ms: number) =>
      act(async () => {
        now += ms;
        await vi.advanceTimersByTimeAsync(ms);
      });
    for (let mount = 1; mount < 20; mount++) {
      const view = render(<PortalEmbed endpoint={host.url} />);
      await pass(5);
      view.unmount();
    }
    render(<PortalEmbed endpoint={host.url} />);
    await pass(400);
    expect(sent).toHaveBeenCalledTimes(2);
  });

  it('asks for at most four URLs at a time', async () => {
    host.answers.push(...Array.from({ length: 4 }, () => () => {}));
    render(Array.from({ length: 6 }, (_, key) => <PortalEmbed key={key} endpoint={host.url} />));
    await waitFor(() => expect(host.requests).toHaveLength(4));
    await settle(200);
    expect(host.requests).toHaveLength(4);
  });
});

describe('rendering again', () => {
  it('costs nothing when the parent renders and the values are equal', async () => {
    const ui = () => (
      <PortalEmbed endpoint={host.url} customFilters={[{ key: 'Region', value: 'West' }]} />
    );
    const { rerender } = render(ui());
    becomeReady(await frame());
    await becomes('ready');
    rerender(ui());
    await settle();
    expect(host.requests).toHaveLength(1);
  });

  it('fetches a fresh URL for another report and drops the previous one at once', async () => {
    const { rerender } = render(<PortalEmbed endpoint={host.url} reportId="a" />);
    becomeReady(await frame());
    await becomes('ready');
    rerender(<PortalEmbed endpoint={host.url} reportId="b" />);
    await waitFor(() => expect(frames()[0]?.src).toContain('token=2'));
    expect(frames()).toHaveLength(1);
    expect(host.requests[1]).toEqual({ reportId: 'b' });
  });

  it('fetches a fresh URL for other flags and shows the previous frame meanwhile', async () => {
    const { rerender } = render(<PortalEmbed endpoint={host.url} />);
    becomeReady(await frame());
    await becomes('ready');
    rerender(<PortalEmbed endpoint={host.url} hideNavbar />);
    becomeReady(await frame(1));
    await waitFor(() => expect(frames()).toHaveLength(1));
    expect(frames()[0]!.src).toContain('token=2');
  });

  it('changes filters in place when the URL was minted without', async () => {
    const { rerender } = render(<PortalEmbed endpoint={host.url} />);
    const page = becomeReady(await frame());
    await becomes('ready');
    const customFilters = [{ key: 'Region', value: 'West' }];
    rerender(<PortalEmbed endpoint={host.url} customFilters={customFilters} />);
    await waitFor(() =>
      expect(page.received).toEqual([{ type: 'set-filters', filters: customFilters }]),
    );
    await settle();
    expect(host.requests).toHaveLength(1);
  });

  it('fetches a fresh URL for other filters than its URL is bound to', async () => {
    const { rerender } = render(
      <PortalEmbed endpoint={host.url} customFilters={[{ key: 'Region', value: 'West' }]} />,
    );
    becomeReady(await frame());
    await becomes('ready');
    rerender(
      <PortalEmbed endpoint={host.url} customFilters={[{ key: 'Region', value: 'East' }]} />,
    );
    await frame(1);
    expect(host.requests[1]).toEqual({ customFilters: [{ key: 'Region', value: 'East' }] });
  });

  it('keeps filters that were set through the ref', async () => {
    const ref = createRef<EmbedHandle>();
    const ui = () => <PortalEmbed endpoint={host.url} customFilters={[]} ref={ref} />;
    const { rerender } = render(ui());
    const page = becomeReady(await frame());
    await becomes('ready');
    const filters = [{ key: 'Region', value: 'West' }];
    ref.current!.setFilters(filters);
    rerender(ui());
    await waitFor(() => expect(page.received).not.toEqual([]));
    await settle();
    expect(page.received).toEqual([{ type: 'set-filters', filters }]);
  });

  it('calls the callbacks of the latest render', async () => {
    const [early, late] = [vi.fn(), vi.fn()];
    const { rerender } = render(<PortalEmbed endpoint={host.url} onReady={early} />);
    rerender(<PortalEmbed endpoint={host.url} onReady={late} />);
    becomeReady(await frame());
    await becomes('ready');
    expect(early).not.toHaveBeenCalled();
    expect(late).toHaveBeenCalledOnce();
  });

  it('tells the page of another theme', async () => {
    const { rerender } = render(<PortalEmbed endpoint={host.url} theme="light" />);
    const page = becomeReady(await frame());
    await becomes('ready');
    expect(page.connected?.theme).toBe('light');
    rerender(<PortalEmbed endpoint={host.url} theme="dark" />);
    await waitFor(() => expect(page.received).toEqual([{ type: 'set-theme', theme: 'dark' }]));
  });
});

describe('defaults of a provider', () => {
  it('add to those of the provider around it, texts one by one', async () => {
    host.answers.push(refuse(404, 'unknown_tenant'));
    render(
      <PortalEmbedProvider
        endpoint={host.url}
        hideMenu
        hideNavbar
        texts={{ error: 'Oh', retry: 'X' }}
      >
        <PortalEmbedProvider hideNavbar={false} texts={{ retry: 'Once more' }}>
          <PortalEmbed />
        </PortalEmbedProvider>
      </PortalEmbedProvider>,
    );
    await becomes('failed');
    expect(host.requests).toEqual([{ hideMenu: true, hideNavbar: false }]);
    expect(screen.getByRole('status')).toHaveTextContent('Oh');
    expect(screen.getByRole('button')).toHaveTextContent('Once more');
  });
});

// React 18 has none.
describe.each(Activity ? [Activity] : [])('inside an Activity', (Boundary) => {
  it('comes back with what it shall show now, and not at the place of another report', async () => {
    const ui = (mode: 'visible' | 'hidden', reportId: string) =>
      createElement(Boundary, { mode }, <PortalEmbed endpoint={host.url} reportId={reportId} />);
    const { rerender } = render(ui('visible', 'a'));
    const state = { path: '/organizations/o/reports/a', filters: [], scroll: 9 };
    becomeReady(await frame(), state);
    await becomes('ready');
    rerender(ui('hidden', 'a'));
    await waitFor(() => expect(frames()).toHaveLength(0));
    rerender(ui('hidden', 'b'));
    rerender(ui('visible', 'b'));
    const page = playPortalPage(await frame()).boot();
    expect(host.requests.at(-1)).toEqual({ reportId: 'b' });
    expect(page.connected?.state).toBeUndefined();
    page.ready();
    await becomes('ready');
  });
});

describe('refresh', () => {
  it('shows exactly one frame until the fresh one is ready, then that', async () => {
    const ref = createRef<EmbedHandle>();
    const onRefresh = vi.fn();
    render(<PortalEmbed endpoint={host.url} ref={ref} onRefresh={onRefresh} />);
    const state = {
      path: '/organizations/o',
      filters: [{ key: 'Region', value: 'West' }],
      scroll: 0,
    };
    becomeReady(await frame(), state);
    await becomes('ready');
    const old = ref.current!.iframe;
    act(() => ref.current!.refresh());
    const page = playPortalPage(await frame(1)).boot();
    expect(status()).toBe('refreshing');
    expect(frames().map((each) => each.style.opacity)).toEqual(['', '0']);
    expect(page.connected?.state).toEqual(state);
    page.ready();
    await becomes('ready');
    expect(frames().map((each) => each.style.opacity)).toEqual(['']);
    expect(ref.current!.iframe).not.toBe(old);
    expect(onRefresh).toHaveBeenCalledOnce();
  });

  it('joins a refresh that is under way', async () => {
    const ref = createRef<EmbedHandle>();
    render(<PortalEmbed endpoint={host.url} ref={ref} />);
    becomeReady(await frame());
    await becomes('ready');
    act(() => {
      for (let time = 0; time < 5; time++) ref.current!.refresh();
    });
    becomeReady(await frame(1));
    await becomes('ready');
    expect(host.requests).toHaveLength(2);
  });

  it('leaves the report on show when it fails', async () => {
    const ref = createRef<EmbedHandle>();
    const onError = vi.fn();
    render(<PortalEmbed endpoint={host.url} ref={ref} onError={onError} />);
    becomeReady(await frame());
    await becomes('ready');
    host.answers.push(refuse(502, 'portal_rejected_key'));
    act(() => ref.current!.refresh());
    await waitFor(() =>
      expect(onError).toHaveBeenCalledWith(
        expect.objectContaining({ cause: 'portal_rejected_key' }),
      ),
    );
    expect(status()).toBe('ready');
    expect(frames()).toHaveLength(1);
  });

  it.each([
    [401, 'not_signed_in', 'Sign in to see this report'],
    [403, 'report_not_accessible', 'No access to this report'],
  ] as const)('takes the report away after %i %s', async (code, cause, text) => {
    const ref = createRef<EmbedHandle>();
    render(<PortalEmbed endpoint={host.url} ref={ref} />);
    becomeReady(await frame());
    await becomes('ready');
    host.answers.push(refuse(code, cause));
    act(() => ref.current!.refresh());
    await becomes('failed');
    expect(frames()).toHaveLength(0);
    expect(screen.getByRole('status')).toHaveTextContent(text);
  });

  it('happens every refreshInterval milliseconds', async () => {
    render(<PortalEmbed endpoint={host.url} refreshInterval={100} />);
    becomeReady(await frame());
    becomeReady(await frame(1));
    await waitFor(() => expect(host.requests.length).toBeGreaterThan(2));
  });
});

describe('failing', () => {
  it('shows what went wrong and loads again on request', async () => {
    const onError = vi.fn();
    host.answers.push(refuse(404, 'unknown_tenant'));
    render(<PortalEmbed endpoint={host.url} onError={onError} />);
    await becomes('failed');
    expect(screen.getByRole('status')).toHaveTextContent('Report failed to load');
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ cause: 'unknown_tenant', message: 'Because unknown_tenant.' }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    becomeReady(await frame());
    await becomes('ready');
  });

  it('repeats a request that may succeed later, a bounded number of times', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    host.answers.push(...Array.from({ length: 9 }, () => refuse(502, 'portal_unavailable')));
    render(<PortalEmbed endpoint={host.url} />);
    await becomes('failed');
    expect(host.requests).toHaveLength(4);
  });

  it('loads by itself when the browser is online again', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    host.answers.push(
      ...Array.from({ length: 4 }, () => (response: ServerResponse) => response.destroy()),
    );
    render(<PortalEmbed endpoint={host.url} />);
    await becomes('failed');
    vi.restoreAllMocks();
    window.dispatchEvent(new Event('online'));
    becomeReady(await frame());
    await becomes('ready');
    expect(host.requests).toHaveLength(5);
  });

  it.each([
    ['javascript:alert(1)//https://portal.localhost', 'insecure_url'],
    ['http://portal.example/identity', 'insecure_url'],
    ['http://localhost.evil.example/identity', 'insecure_url'],
    ['http://host.localhost/identity', 'same_origin'],
    ['not a URL', 'endpoint_invalid'],
    [7, 'endpoint_invalid'],
  ])('opens no frame for the URL %s', async (embedUrl, cause) => {
    const onError = vi.fn();
    const fetchIdentityUrl = async () => ({ embedUrl: embedUrl as string });
    render(<PortalEmbed fetchIdentityUrl={fetchIdentityUrl} onError={onError} />);
    await becomes('failed');
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ cause }));
    expect(frames()).toHaveLength(0);
  });

  it('names endpoint_invalid: an answer of null', async () => {
    const onError = vi.fn();
    const fetchIdentityUrl = async () => null as never;
    render(<PortalEmbed fetchIdentityUrl={fetchIdentityUrl} onError={onError} />);
    await becomes('failed');
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ cause: 'endpoint_invalid' }));
  });

  it.each([
    ['no_response', 'a page that never answers', () => {}],
    [
      'timed_out',
      'a report that never comes',
      (opened: HTMLIFrameElement) => playPortalPage(opened).boot(),
    ],
  ] as const)('names %s: %s', async (cause, _, play) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const onError = vi.fn();
    // Neither a request nor a poll, which on a busy machine may take longer than the timeout.
    const embedUrl = 'https://portal.example/identity';
    const observer = new MutationObserver(() => frames().forEach(play));
    observer.observe(document, { childList: true, subtree: true });
    onTestFinished(() => observer.disconnect());
    const fetchIdentityUrl = async () => ({ embedUrl });
    render(<PortalEmbed fetchIdentityUrl={fetchIdentityUrl} timeout={200} onError={onError} />);
    await becomes('failed');
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ cause }));
  });

  it('shows the signedOut slot to a user without a session, once and for all', async () => {
    host.answers.push(refuse(401, 'not_signed_in'));
    render(
      <PortalEmbed
        endpoint={host.url}
        signedOut={<a href="/login">Sign in</a>}
        refreshInterval={50}
      />,
    );
    await screen.findByRole('link', { name: 'Sign in' });
    // Longer than a wait after a URL that was fetched for nothing.
    await settle(600);
    expect(host.requests).toHaveLength(1);
  });
});

describe('healing', () => {
  it.each(['used', 'expired', 'unknown'] as const)(
    'replaces a URL that is %s before the report was shown',
    async (reason) => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      render(<PortalEmbed endpoint={host.url} />);
      playPortalPage(await frame())
        .boot()
        .send({ type: 'session-required', reason });
      await waitFor(() => expect(frames()[0]?.src).toContain('token=2'));
      becomeReady(frames()[0]!);
      await becomes('ready');
    },
  );

  it('brings the reader back to the same place with the same filters', async () => {
    render(<PortalEmbed endpoint={host.url} />);
    const state = {
      path: '/organizations/o/reports/r',
      filters: [{ key: 'A', value: 'b' }],
      scroll: 120,
    };
    const page = becomeReady(await frame(), state);
    await becomes('ready');
    page.boot();
    expect(page.connected?.state).toEqual(state);
    page.send({ type: 'session-required', reason: 'reloaded' });
    await waitFor(() => expect(frames()[0]?.src).toContain('token=2'));
    const fresh = playPortalPage(frames()[0]!).boot();
    expect(fresh.connected?.state).toEqual(state);
  });

  it('keeps showing a report whose portal session has ended', async () => {
    render(<PortalEmbed endpoint={host.url} />);
    const page = becomeReady(await frame());
    await becomes('ready');
    page.send({ type: 'session-required', reason: 'session-ended' });
    await frame(1);
    expect(status()).toBe('refreshing');
  });

  it('gives up when fresh URLs keep being refused', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const onError = vi.fn();
    render(<PortalEmbed endpoint={host.url} onError={onError} />);
    for (let token = 1; token <= 4; token++) {
      await waitFor(() => expect(frames()[0]?.src).toContain(`token=${token}`));
      playPortalPage(frames()[0]!).boot().send({ type: 'session-required', reason: 'used' });
    }
    await becomes('failed');
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ cause: 'session_lost' }),
    );
  });
});

describe('the frame channel', () => {
  it('believes no message of another origin, of another window or of another shape', async () => {
    render(<PortalEmbed endpoint={host.url} />);
    const page = playPortalPage(await frame());
    const boot = { portalEmbed: 1, type: 'boot' };
    page.post(boot, { origin: 'http://evil.localhost' });
    page.post(boot, { source: window });
    page.post(boot, { source: null });
    page.post({ type: 'boot' });
    expect(page.connected).toBeUndefined();
    page.boot();
    expect(page.connected).toBeDefined();
  });

  it('reports where the reader goes', async () => {
    const onNavigate = vi.fn();
    render(<PortalEmbed endpoint={host.url} onNavigate={onNavigate} />);
    const page = becomeReady(await frame());
    await becomes('ready');
    page.send({ type: 'navigated', path: '/organizations/o', reportId: null });
    await waitFor(() => expect(onNavigate).toHaveBeenCalledOnce());
  });

  it('makes the embed as high as the report, up to maxHeight', async () => {
    render(<PortalEmbed endpoint={host.url} autoHeight maxHeight={900} />);
    const page = becomeReady(await frame());
    await becomes('ready');
    expect(page.connected?.autoHeight).toBe(true);
    page.send({ type: 'resized', height: 700 });
    await waitFor(() => expect(frames()[0]!.parentElement!.style.height).toBe('700px'));
    page.send({ type: 'resized', height: 5000 });
    await waitFor(() => expect(frames()[0]!.parentElement!.style.height).toBe('900px'));
  });
});

describe('unmounting', () => {
  it('aborts the request that is under way', async () => {
    host.answers.push(() => {});
    const { unmount } = render(<PortalEmbed endpoint={host.url} />);
    await waitFor(() => expect(host.requests).toHaveLength(1));
    unmount();
    await waitFor(() => expect(host.aborted).toBe(1));
  });

  it('removes the frame and stops listening', async () => {
    const { unmount } = render(<PortalEmbed endpoint={host.url} />);
    const page = playPortalPage(await frame());
    unmount();
    expect(frames()).toHaveLength(0);
    page.boot();
    expect(page.connected).toBeUndefined();
  });
});
