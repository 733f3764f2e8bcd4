import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import english from 'page-kit/messages/en.json';
import { ServiceError } from 'page-kit/service-error';
import type { FrameRequest } from 'platform/page';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { renderFirstPage } from '../first-page.tsx';
import type { ViewAnswer } from '../requests/viewer.ts';
import { createSampleApi, openViewer, resetWindow } from '../test/open-viewer.tsx';
import {
  flights,
  framedView,
  portalSession,
  reportSession,
  salesView,
  viewOf,
} from '../test/samples.ts';
import type { FrameMessage, ViewerMessage } from './frame-messages.ts';

const framedSession = { ...reportSession, reportId: flights.id, reports: [flights] };

/** Calls of timers of about ten seconds and more, the latest last. */
let waits: { ms: number; call: () => void }[];
beforeEach(() => {
  resetWindow();
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  waits = [];
  const wait = setTimeout;
  vi.stubGlobal('setTimeout', (call: () => void, ms = 0) =>
    ms > 9_000 ? waits.push({ ms, call }) : wait(call, ms),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  document.getElementById('portal-boot')?.remove();
});

const findFrame = () => screen.findByTitle<HTMLIFrameElement>('Flight delays');
const queryFrame = () => screen.queryByTitle('Flight delays');

/** Acts as the page in the frame. */
async function loadFrame() {
  const frame = await findFrame();
  const received: ViewerMessage[] = [];
  let port: MessagePort | undefined;
  const connect = vi.spyOn(frame.contentWindow!, 'postMessage');
  const announce = (source: Window, origin = location.origin) =>
    window.dispatchEvent(
      new MessageEvent('message', { source, origin, data: { type: 'frame-loaded' } }),
    );
  announce(window);
  announce(frame.contentWindow!, 'https://other.example');
  expect(connect).not.toHaveBeenCalled();
  announce(frame.contentWindow!);
  expect(connect).toHaveBeenCalledWith({ type: 'viewer-connect' }, location.origin, [
    expect.anything(),
  ]);
  port = (connect.mock.calls[0] as unknown[] as [object, string, MessagePort[]])[2][0]!;
  port.addEventListener('message', ({ data }: MessageEvent<ViewerMessage>) => received.push(data));
  port.start();
  const send = async (message: FrameMessage) => {
    await act(async () => {
      port.postMessage(message);
      // Ports deliver in a later task.
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
  };
  await waitFor(() => expect(received).not.toEqual([]));
  return { frame, received, send };
}

async function open(answer: ViewAnswer = framedView, hasHost = false) {
  const api = createSampleApi();
  api.viewReport.mockResolvedValue(answer);
  const page = openViewer(framedSession, api, async () => null, hasHost);
  act(() => page.viewer.start());
  await waitFor(() => expect(page.viewer.getState().loading).toBe(false));
  return page;
}

/** Opens a framed report that its product has drawn. */
async function show(abilities = { canExport: false, canPrint: false }, hasHost = false) {
  const page = await open(framedView, hasHost);
  const product = await loadFrame();
  await product.send({ type: 'ready', ...abilities });
  return { ...page, ...product };
}

/** Runs a timer of up to a second less, since milliseconds pass before it is set. */
const runLatest = async (ms: number, index = -1) => {
  const wait = waits.filter((each) => each.ms <= ms && each.ms > ms - 1_000).at(index)!;
  await act(async () => wait.call());
};

it('the frame gets the token over a port, and the document does not contain it', async () => {
  const { received } = await show();
  expect(received).toEqual([
    {
      type: 'show',
      request: {
        url: framedView.url,
        token: 'the-token',
        expiresAt: expect.any(String),
        settings: { page: 'one' },
        view: undefined,
        theme: 'light',
        locale: 'en-US',
        isIsolated: false,
        canTakeAway: true,
      },
    },
  ]);
  expect((await findFrame()).getAttribute('src')).toBe('/frames/other');
  expect(document.documentElement.outerHTML).not.toContain('the-token');
});

it('a report is busy and not ready until its product has drawn it', async () => {
  const page = await open({ ...framedView, unappliedFilters: ['Planet'] });
  const { send, frame } = await loadFrame();
  expect(document.querySelector('.report')).toHaveAttribute('aria-busy', 'true');
  expect(screen.getByRole('status')).toHaveTextContent('Loading…');
  expect(frame).toHaveAttribute('inert');
  expect(page.typesSent()).not.toContain('ready');
  await send({ type: 'ready', canExport: false, canPrint: false });
  expect(page.sent.at(-1)).toEqual({ type: 'ready', unappliedFilters: ['Planet'] });
  expect(document.querySelector('.report')).toHaveAttribute('aria-busy', 'false');
  expect(frame).not.toHaveAttribute('inert');
  expect(document.querySelector('.skeleton')).toBeNull();
});

describe('a confirmation', () => {
  it('access is confirmed each 45 seconds, and a kept frame stays as it is', async () => {
    const { api, viewer, received } = await show();
    api.viewReport.mockResolvedValue({ kind: 'kept' });
    await runLatest(45_000);
    expect(api.viewReport.mock.lastCall?.slice(0, 2)).toMatchObject([
      flights.id,
      { intent: 'refresh', held: { key: 'first', secondsLeft: expect.closeTo(900, -1) } },
    ]);
    expect(viewer.getState()).toMatchObject({ loading: false, view: { token: 'the-token' } });
    expect(received).toHaveLength(1);
    await runLatest(45_000);
    expect(api.viewReport).toHaveBeenCalledTimes(3);
  });

  it('a renewed token reaches the shown frame, and another key loads another one', async () => {
    const { api, frame, received } = await show();
    api.viewReport.mockResolvedValueOnce({ ...framedView, token: 'renewed' });
    await runLatest(45_000);
    await waitFor(() => expect(received.at(-1)).toMatchObject({ request: { token: 'renewed' } }));
    expect(queryFrame()).toBe(frame);
    api.viewReport.mockResolvedValueOnce({ ...framedView, key: 'second' });
    await runLatest(45_000);
    expect(await findFrame()).not.toBe(frame);
  });

  it.each(['unreachable', 'overloaded', 'rate_limited', 'database_unavailable'] as const)(
    'a frame stays on %s until its token ends, and is confirmed again in ten seconds',
    async (code) => {
      const { api, frame } = await show();
      api.viewReport.mockRejectedValue(new ServiceError(code));
      await runLatest(45_000);
      expect(queryFrame()).toBe(frame);
      expect(screen.queryByRole('alert')).toBeNull();
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 900_000);
      await runLatest(10_000);
      vi.mocked(Date.now).mockRestore();
      expect(queryFrame()).toBeNull();
      expect(screen.getByRole('alert')).toBeVisible();
    },
  );

  it.each([
    new ServiceError('report_not_accessible'),
    new ServiceError('filters_not_applied'),
    new ServiceError('report_failed', { reason: 'not_set_up' }),
  ])('a frame ends at once on %o', async (error) => {
    const { api } = await show();
    api.viewReport.mockRejectedValue(error);
    await runLatest(45_000);
    expect(queryFrame()).toBeNull();
    expect(screen.getByRole('alert')).toBeVisible();
  });

  it('a token that the product has refused as ended is renewed at once, and later once in ten seconds', async () => {
    const { api, received, send } = await show();
    api.viewReport.mockResolvedValueOnce({ ...framedView, token: 'second' });
    waits.length = 0;
    await send({ type: 'expired' });
    await waitFor(() => expect(received.at(-1)).toMatchObject({ request: { token: 'second' } }));
    const held = api.viewReport.mock.lastCall![1].held!;
    expect(held.secondsLeft).toBeLessThanOrEqual(0);
    // The product has learned that its token has ended.
    const { request } = received.at(-2) as { request: FrameRequest };
    expect(Date.parse(request.expiresAt)).toBeLessThanOrEqual(Date.now());
    const { calls } = api.viewReport.mock;
    const count = calls.length;
    await send({ type: 'expired' });
    expect(calls).toHaveLength(count);
    await runLatest(10_000);
    expect(calls).toHaveLength(count + 1);
  });

  it('a refused token without another one ends the frame', async () => {
    const { api, send } = await show();
    api.viewReport.mockRejectedValue(new ServiceError('overloaded'));
    await send({ type: 'expired' });
    await screen.findByRole('alert');
    expect(queryFrame()).toBeNull();
  });

  it('a clock that is set back does not delay a confirmation', async () => {
    await show();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    document.dispatchEvent(new Event('visibilitychange'));
    vi.mocked(Date.now).mockRestore();
    expect(waits.at(-1)!.ms).toBeLessThanOrEqual(45_000);
  });

  it('an ended session removes the frame', async () => {
    const { api, sent } = await show();
    api.viewReport.mockRejectedValue(new ServiceError('session_required'));
    await runLatest(45_000);
    expect(queryFrame()).toBeNull();
    expect(sent.at(-1)).toEqual({ type: 'session-required', reason: 'session-ended' });
  });

  it('while a host may open another session, the frame stays for ten seconds', async () => {
    const { api, frame, sent } = await show(undefined, true);
    api.viewReport.mockRejectedValue(new ServiceError('session_required'));
    await runLatest(45_000);
    expect(queryFrame()).toBe(frame);
    await runLatest(10_000, 0);
    expect(queryFrame()).toBeNull();
    expect(sent.filter(({ type }) => type === 'session-required').length).toBeGreaterThan(0);
  });
});

it('a Refresh without an answer does not keep the frame unconfirmed', async () => {
  const { api, viewer } = await show();
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  api.viewReport.mockImplementationOnce(
    (_id, _request, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new ServiceError('unreachable')));
      }),
  );
  const late = new AbortController();
  timeout.mockReturnValueOnce(late.signal);
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(timeout).toHaveBeenCalledWith(10_000);
  await act(async () => late.abort());
  timeout.mockRestore();
  expect(viewer.getState()).toMatchObject({ loading: false, problem: { code: 'unreachable' } });
  api.viewReport.mockRejectedValue(new ServiceError('report_not_accessible'));
  await runLatest(45_000);
  expect(queryFrame()).toBeNull();
});

it('Refresh confirms the frame and loads new data', async () => {
  const { api, received } = await show();
  api.viewReport.mockResolvedValue({ kind: 'kept' });
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(received.at(-1)).toEqual({ type: 'refresh' }));
  expect(api.viewReport.mock.lastCall?.[1]).toMatchObject({ held: { key: 'first' } });
});

describe('a failure', () => {
  it.each([
    ['frame_failed', 'report_failed', 'The report could not be shown'],
    ['frame_timeout', 'report_failed', 'The report did not load within 30 seconds'],
    [
      'isolated',
      'blocked_by_host',
      'This report cannot be shown inside this application in this browser',
    ],
  ] as const)('%s is %s for the host, and says what happened', async (reason, cause, title) => {
    if (reason === 'isolated')
      document.head.insertAdjacentHTML('beforeend', '<script id="portal-boot" data-isolated>');
    const page = await open();
    if (reason === 'frame_failed') await (await loadFrame()).send({ type: 'failed' });
    if (reason === 'frame_timeout') {
      await findFrame();
      await runLatest(30_000);
    }
    await screen.findByRole('heading', { name: title });
    expect(page.sent.at(-1)).toEqual({ type: 'failed', cause });
    const retry = screen.queryByRole('button', { name: 'Try again' });
    expect(Boolean(retry)).toBe(reason !== 'isolated');
    expect(queryFrame()).toBeNull();
    if (!retry) return;
    fireEvent.click(retry);
    await findFrame();
    expect(page.api.viewReport.mock.lastCall?.[1]).toMatchObject({ intent: 'open' });
  });

  it('an isolated page tells its frame if the browser can isolate it', async () => {
    document.head.insertAdjacentHTML('beforeend', '<script id="portal-boot" data-isolated>');
    vi.stubGlobal(
      'HTMLIFrameElement',
      Object.assign(function Frame() {}, { prototype: { credentialless: false } }),
    );
    await open();
    expect((await findFrame()).getAttribute('src')).toBe('/frames/other?isolated');
  });
});

describe('the view of the reader', () => {
  it('what the reader chooses in the frame is in the view of the host, unless it is too long', async () => {
    const { send, sent } = await show();
    await send({ type: 'view', view: 'page two' });
    const { view } = sent.at(-1) as { view: string };
    expect(view).toBe(viewOf(flights, 0, {}, 'page two'));
    await send({ type: 'view', view: 'x'.repeat(4_001) });
    expect(sent.at(-1)).toMatchObject({ view: '' });
  });

  it('a frame starts with the view of the host, and another one loads it anew', async () => {
    const api = createSampleApi();
    api.viewReport.mockResolvedValue(framedView);
    const page = openViewer(portalSession, api, async () => null);
    act(() => page.viewer.start(viewOf(flights, 0, {}, 'page two')));
    const { frame, received, send } = await loadFrame();
    expect(received).toMatchObject([{ request: { view: 'page two' } }]);
    await send({ type: 'view', view: 'page three' });
    expect(queryFrame()).toBe(frame);
    api.viewReport.mockResolvedValue({ kind: 'kept' });
    await act(async () => page.viewer.showView(viewOf(flights)));
    expect(await findFrame()).not.toBe(frame);
    const later = await loadFrame();
    expect(later.received).toMatchObject([{ request: { view: undefined } }]);
  });
});

it('the host learns what the reader selects in the frame', async () => {
  const { send, sent } = await show();
  const selection = { field: 'Shop/City', values: ['Oslo', null] };
  await send({ type: 'selected', ...selection });
  expect(sent.at(-1)).toEqual({ type: 'selected', ...selection });
});

describe('copies', () => {
  it('a product exports and prints after an entry of the access log', async () => {
    const { api, received, sent, send } = await show({ canExport: true, canPrint: true });
    fireEvent.click(screen.getByRole('button', { name: 'Print' }));
    await waitFor(() => expect(received.at(-1)).toEqual({ type: 'print' }));
    expect(api.send).toHaveBeenCalledWith(flights.id, 'print', {});
    expect(sent.at(-1)).toEqual({ type: 'exported', format: 'print', reportId: flights.id });
    await send({ type: 'exported' });
    expect(api.send).toHaveBeenCalledTimes(2);
    expect(sent.at(-1)).toMatchObject({ format: 'other' });
  });

  it('a product cannot use up the requests of its reader with copies that it reports', async () => {
    const { api, sent, send } = await show();
    for (let count = 0; count < 5; count += 1) await send({ type: 'exported' });
    expect(api.send).toHaveBeenCalledOnce();
    expect(sent.filter(({ type }) => type === 'exported')).toHaveLength(1);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_000);
    await send({ type: 'exported' });
    vi.mocked(Date.now).mockRestore();
    expect(api.send).toHaveBeenCalledTimes(2);
  });

  it('without an entry of the access log, nothing is printed', async () => {
    const { api, received } = await show({ canExport: true, canPrint: true });
    api.send.mockRejectedValue(new ServiceError('report_not_accessible'));
    fireEvent.click(screen.getByRole('button', { name: 'Print' }));
    await screen.findByRole('alert');
    expect(received.map(({ type }) => type)).not.toContain('print');
  });

  it('a reader who may not export or print is offered neither', async () => {
    await open({ ...framedView, canTakeAway: false });
    const { send } = await loadFrame();
    await send({ type: 'ready', canExport: true, canPrint: true });
    const menu = within(document.querySelector<HTMLElement>('.menu')!);
    expect(menu.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Refresh']);
  });
});

it('a report without a role of the reader shows no rows', async () => {
  const { report, filters, unappliedFilters, rowAccess } = salesView;
  await open({ kind: 'no-rows', report, filters, unappliedFilters, rowAccess, roles: [] });
  expect(screen.getByRole('heading', { name: 'No rows' })).toBeVisible();
  expect(document.querySelector('.skeleton')).toBeNull();
});

it('the first page that the service draws has placeholders, and no token or address of the frame', () => {
  const page = renderFirstPage({ ...framedSession, view: framedView }, english, ['en']);
  expect(page).toContain('skeleton');
  expect(page).toContain('Flight delays');
  expect(page).not.toMatch(/the-token|other\.example|<iframe/);
});
