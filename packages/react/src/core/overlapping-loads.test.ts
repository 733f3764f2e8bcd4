import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { advanceClock, sent } from '../../test/clock.ts';
import {
  causes,
  embed,
  filters,
  frameOf,
  frames,
  host,
  mount,
  setUpEmbed,
  states,
  unmount,
  update,
  waitForStatus,
} from '../../test/core-stage.ts';
import { makeReady, makeReadyForOpen } from '../../test/portal-page.ts';
import { createEmbedError } from './error.ts';
import type { FetchIdentityUrl } from './options.ts';

setUpEmbed();

/** Simulates a host whose requests wait for the test and ignore the abort signal. */
function holdRequests() {
  const held: { answer: (token: number) => void; fail: () => void }[] = [];
  const fetchIdentityUrl: FetchIdentityUrl = () =>
    new Promise((resolve, reject) =>
      held.push({
        answer: (token) => resolve({ embedUrl: `https://portal.example/identity?token=${token}` }),
        fail: () => reject(createEmbedError('portal_unavailable')),
      }),
    );
  const waitForRequest = (count: number) => waitFor(() => expect(held).toHaveLength(count));
  return { held, fetchIdentityUrl, waitForRequest };
}

describe('a request that another one has replaced', () => {
  it('an answer to a replaced request opens no frame', async () => {
    const { held, fetchIdentityUrl, waitForRequest } = holdRequests();
    mount({ fetchIdentityUrl });
    await waitForRequest(1);
    embed.setFilters(filters);
    await waitForRequest(2);
    held[0]!.answer(1);
    await advanceClock(0);
    expect(frames()).toEqual([]);
    held[1]!.answer(2);
    await frameOf(2);
    expect(frames()).toHaveLength(1);
  });

  it('a failure of a replaced request does not end the next one', async () => {
    const { held, fetchIdentityUrl, waitForRequest } = holdRequests();
    mount({ fetchIdentityUrl });
    await waitForRequest(1);
    embed.setFilters(filters);
    await waitForRequest(2);
    held[0]!.fail();
    await advanceClock(1_000);
    held[1]!.answer(2);
    await frameOf(2);
    expect(held).toHaveLength(2);
  });

  it('a URL is not opened if a callback of its state requests another one', async () => {
    const { held, fetchIdentityUrl, waitForRequest } = holdRequests();
    mount({
      fetchIdentityUrl,
      onStateChange: ({ status }) => {
        if (status === 'loading' && held.length === 1) embed.setFilters(filters);
      },
    });
    await waitForRequest(1);
    held[0]!.answer(1);
    await waitForRequest(2);
    expect(frames()).toEqual([]);
    held[1]!.answer(2);
    await frameOf(2);
  });
});

describe('a visible report', () => {
  it('a refresh without an answer keeps the report, also after its timeout', async () => {
    let token = 0;
    const fetchIdentityUrl = async () => ({
      embedUrl: `https://portal.example/identity?token=${++token}`,
    });
    mount({ fetchIdentityUrl, timeout: 5_000 });
    const shown = await frameOf(1);
    makeReadyForOpen(shown);
    await waitForStatus('ready');
    embed.refresh();
    await advanceClock(4 * 6_000);
    expect(causes).toEqual(['timed_out']);
    expect(frames()[0]).toBe(shown);
    expect(states.at(-1)).toBe('ready');
  });

  it('a refresh whose URLs are all refused keeps the report', async () => {
    mount();
    const shown = await frameOf(1);
    const page = makeReadyForOpen(shown);
    await waitForStatus('ready');
    embed.refresh();
    for (let id = 1; id <= 4; id++) {
      await page.waitForOpen(id);
      page.send({ type: 'session-required', id, reason: 'used' });
    }
    await waitFor(() => expect(causes).toEqual(['session_lost']));
    expect(frames()[0]).toBe(shown);
    expect(states.at(-1)).toBe('ready');
  });

  it('a failure that the page reports later is passed on and keeps the report', async () => {
    mount();
    const shown = await frameOf(1);
    const page = makeReady(shown);
    await waitForStatus('ready');
    page.send({ type: 'failed', cause: 'report_failed' });
    await waitFor(() => expect(causes).toEqual(['report_failed']));
    expect(frames()[0]).toBe(shown);
    expect(states.at(-1)).toBe('ready');
  });

  it('iframe is the frame once its report is ready', async () => {
    mount();
    const frame = await frameOf(1);
    expect(embed.iframe).toBeUndefined();
    makeReady(frame);
    await waitForStatus('ready');
    expect(embed.iframe).toBe(frame);
  });

  it('an update with equal options sends the page nothing', async () => {
    mount({ theme: 'light' });
    const page = makeReady(await frameOf(1));
    await waitForStatus('ready');
    update({ theme: 'light', title: 'Sales' });
    update({ theme: 'dark' });
    await waitFor(() => expect(page.received).toMatchObject([{ theme: 'dark' }]));
  });
});

it.each([
  ['an online event', () => window.dispatchEvent(new Event('online'))],
  ['refresh()', () => embed.refresh()],
])('%s does not shorten a pause', async (_, act) => {
  const fetchIdentityUrl = vi
    .fn<FetchIdentityUrl>()
    .mockRejectedValueOnce(createEmbedError('rate_limited', '', 30))
    .mockReturnValue(new Promise(() => {}));
  mount({ fetchIdentityUrl });
  await advanceClock(1_000);
  act();
  await advanceClock(20_000);
  expect(fetchIdentityUrl).toHaveBeenCalledOnce();
  await advanceClock(20_000);
  expect(fetchIdentityUrl).toHaveBeenCalledTimes(2);
});

describe('refreshInterval', () => {
  it('a refreshInterval that changes during a request starts no second one', async () => {
    host.answers.push(() => {});
    mount();
    await waitFor(() => expect(host.requests).toHaveLength(1));
    update({ refreshInterval: 60_000 });
    await advanceClock(1_000);
    expect(sent).toHaveBeenCalledOnce();
  });

  it('an update with the same refreshInterval does not delay the refresh', async () => {
    mount({ refreshInterval: 60_000 });
    makeReady(await frameOf(1));
    await waitForStatus('ready');
    await advanceClock(40_000);
    update({ refreshInterval: 60_000, title: 'Sales' });
    await advanceClock(30_000);
    await waitFor(() => expect(host.requests).toHaveLength(2));
  });

  it.each([2e9, 1e10])(
    'a refreshInterval of %d, which no timer supports, means no refreshes',
    async (refreshInterval) => {
      mount({ refreshInterval });
      makeReady(await frameOf(1));
      await waitForStatus('ready');
      await advanceClock();
      expect(sent).toHaveBeenCalledOnce();
    },
  );
});

it('each mount begins with minting, and each unmount ends with idle', async () => {
  mount();
  makeReady(await frameOf(1));
  await waitForStatus('ready');
  unmount!();
  expect(states).toEqual(['minting', 'loading', 'ready', 'idle']);
  host.answers.push(
    () => {},
    () => {},
  );
  states.length = 0;
  for (const round of [1, 2]) {
    mount();
    await waitFor(() => expect(host.requests).toHaveLength(1 + round));
    unmount!();
  }
  expect(states).toEqual(['minting', 'idle', 'minting', 'idle']);
});
