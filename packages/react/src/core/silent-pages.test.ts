import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';

import { advanceClock, sent } from '../../test/clock.ts';
import {
  causes,
  container,
  embed,
  frameOf,
  frames,
  mount,
  setUpEmbed,
  states,
  waitForStatus,
} from '../../test/core-stage.ts';
import { makeReady, simulatePortalPage } from '../../test/portal-page.ts';
import type { EmbedOptions } from './options.ts';

setUpEmbed();

const embedUrl = 'https://portal.example/identity?token=1';

/** Opens a page with a clock that only the test advances. */
async function openPage(options: EmbedOptions = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // An unknown time causes no pause after an aborted request, here or in a later test.
  vi.spyOn(performance, 'now').mockReturnValue(NaN);
  // No retry during the test.
  vi.mocked(Math.random).mockReturnValue(1_000);
  mount({ fetchIdentityUrl: async () => ({ embedUrl }), ...options });
  await advanceClock(0);
  return frames()[0]!;
}

it('a page that has sent nothing for one second is probed without its token', async () => {
  sent.mockResolvedValue(new Response());
  const frame = await openPage();
  await advanceClock(999);
  expect(sent).not.toHaveBeenCalled();
  await advanceClock(1);
  expect(sent).toHaveBeenCalledExactlyOnceWith('https://portal.example', {
    method: 'HEAD',
    mode: 'no-cors',
    signal: expect.any(AbortSignal),
  });
  await advanceClock(20_000);
  expect(frames()[0]).toBe(frame);
});

it('an error page that fires no load is not_answering', async () => {
  sent.mockResolvedValue(new Response());
  const frame = await openPage({ handshake: 'required' });
  // The error pages of Firefox have another origin than the first, empty document.
  Object.defineProperty(frame, 'contentDocument', { value: null });
  await advanceClock(1_000 + 99);
  expect(frames()[0]).toBe(frame);
  await advanceClock(1);
  expect(frames()).toEqual([]);
});

it('with handshake="auto", a page that fires no load is not ready', async () => {
  sent.mockResolvedValue(new Response());
  Object.defineProperty(await openPage(), 'contentDocument', { value: null });
  await advanceClock(20_000);
  expect(sent).toHaveBeenCalledOnce();
  expect(states.at(-1)).toBe('loading');
});

it('a frame that is moved while it loads is session_lost once it has loaded', async () => {
  sent.mockResolvedValue(new Response());
  const frame = await openPage();
  container.remove();
  document.body.append(container);
  await advanceClock(20_000);
  expect(frames()[0]).toBe(frame);
  frame.dispatchEvent(new Event('load'));
  expect(frames()).toEqual([]);
  await advanceClock(1_000);
  expect(sent).toHaveBeenCalledOnce();
});

it('a page that boots while it is probed stays', async () => {
  let endProbe = () => {};
  sent.mockImplementation(
    () => new Promise((_, reject) => (endProbe = () => reject(new TypeError('refused')))),
  );
  const frame = await openPage();
  await advanceClock(1_000);
  simulatePortalPage(frame).boot();
  endProbe();
  await advanceClock(1_000);
  expect(frames()[0]).toBe(frame);
  expect(states.at(-1)).toBe('loading');
});

it('the request and the page each have 30 seconds', async () => {
  const answers: (() => void)[] = [];
  const fetchIdentityUrl = vi.fn(
    () => new Promise<{ embedUrl: string }>((resolve) => answers.push(() => resolve({ embedUrl }))),
  );
  sent.mockResolvedValue(new Response());
  await openPage({ fetchIdentityUrl });
  await advanceClock(29_999);
  answers[0]!();
  await advanceClock(0);
  expect(states).toEqual(['minting', 'loading']);
  await advanceClock(29_999);
  expect(states).toEqual(['minting', 'loading']);
  await advanceClock(1);
  expect(states).toEqual(['minting', 'loading', 'minting']);
  expect(frames()).toEqual([]);
});

it('a request without an answer for 30 seconds is repeated three times', async () => {
  const fetchIdentityUrl = vi.fn(() => new Promise<never>(() => {}));
  await openPage({ fetchIdentityUrl });
  vi.mocked(Math.random).mockReturnValue(0);
  await advanceClock(29_999);
  expect(fetchIdentityUrl).toHaveBeenCalledOnce();
  await advanceClock(1 + 1);
  expect(fetchIdentityUrl).toHaveBeenCalledTimes(2);
  await advanceClock(3 * 30_002);
  expect(fetchIdentityUrl).toHaveBeenCalledTimes(4);
  expect(causes).toEqual(['endpoint_unreachable']);
});

it('a visible page without boot that loads another document is not ready again', async () => {
  const [onReady, onRefresh] = [vi.fn(), vi.fn()];
  sent.mockResolvedValue(new Response());
  const frame = await openPage({ onReady, onRefresh });
  for (let loads = 0; loads < 2; loads++) {
    frame.dispatchEvent(new Event('load'));
    await advanceClock(1_000);
  }
  expect(sent).toHaveBeenCalledTimes(2);
  expect(onReady).toHaveBeenCalledExactlyOnceWith({ unappliedFilters: [], unverified: true });
  expect(onRefresh).not.toHaveBeenCalled();
});

it('a page without boot is an error if the portal has sent boot before', async () => {
  mount();
  makeReady(await frameOf(1));
  await waitForStatus('ready');
  embed.refresh();
  const frame = await frameOf(2);
  sent.mockResolvedValue(new Response());
  vi.mocked(Math.random).mockReturnValue(1_000);
  frame.dispatchEvent(new Event('load'));
  await waitFor(() => expect(frames()).toEqual([]));
  expect(states.at(-1)).toBe('minting');
});

it('messages of a document that was replaced are ignored', async () => {
  const onNavigate = vi.fn();
  mount({ onNavigate });
  const frame = await frameOf(1);
  const earlier = simulatePortalPage(frame).boot();
  const later = simulatePortalPage(frame).boot();
  earlier.send({ type: 'navigated', path: '/earlier', reportId: null });
  later.send({ type: 'navigated', path: '/later', reportId: null });
  await waitFor(() => expect(onNavigate).toHaveBeenCalled());
  expect(onNavigate.mock.calls).toMatchObject([[{ path: '/later' }]]);
});
