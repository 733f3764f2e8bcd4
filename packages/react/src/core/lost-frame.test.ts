import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { advanceClock, sent } from '../../test/clock.ts';
import {
  waitForStatus,
  causes,
  embed,
  filters,
  frameOf,
  frames,
  host,
  mount,
  position,
  states,
  setUpEmbed,
} from '../../test/core-stage.ts';
import { makeReady, simulatePortalPage } from '../../test/portal-page.ts';
import { createEmbedError } from './error.ts';
import type { FetchIdentityUrl } from './options.ts';

setUpEmbed();

describe('a lost frame', () => {
  it('is replaced by one whose URL has the filters of setFilters', async () => {
    mount();
    makeReady(await frameOf(1), position);
    await waitForStatus('ready');
    embed.setFilters(filters);
    makeReady(await frameOf(2));
    await waitFor(() => expect(frames()).toHaveLength(1));
    simulatePortalPage(frames()[0]!).boot().send({ type: 'session-required', reason: 'reloaded' });
    const newPage = simulatePortalPage(await frameOf(3)).boot();
    expect(host.requests[2]).toEqual({ customFilters: filters });
    expect(newPage.position).toEqual(position);
  });

  it('the status is minting if the frame is lost while its refresh mints', async () => {
    mount();
    const page = makeReady(await frameOf(1));
    await waitForStatus('ready');
    host.answers.push(() => {});
    embed.refresh();
    await waitForStatus('refreshing');
    page.send({ type: 'session-required', reason: 'reloaded' });
    await waitForStatus('minting');
    expect(frames()).toEqual([]);
    await advanceClock(1_000);
    expect([host.requests.length, host.aborted]).toEqual([2, 0]);
  });

  it('the status is loading if the frame is lost while its refresh loads', async () => {
    mount();
    const page = makeReady(await frameOf(1));
    await waitForStatus('ready');
    embed.refresh();
    const newFrame = await frameOf(2);
    page.send({ type: 'session-required', reason: 'reloaded' });
    await waitForStatus('loading');
    makeReady(newFrame);
    await waitForStatus('ready');
    expect(host.requests).toHaveLength(2);
  });

  it('a frame that is lost during a backoff does not delay the next attempt', async () => {
    let minted = 0;
    const fetchIdentityUrl = vi.fn<FetchIdentityUrl>(async () => ({
      embedUrl: `https://portal.example/identity?token=${++minted}`,
    }));
    mount({ fetchIdentityUrl });
    const page = makeReady(await frameOf(1));
    await waitForStatus('ready');
    // The next attempt starts after 501 ms, or 801 ms with the pauses after an aborted request. A
    // second backoff would take 1,001 ms.
    vi.mocked(Math.random).mockReturnValue(1);
    fetchIdentityUrl.mockRejectedValueOnce(createEmbedError('portal_unavailable'));
    embed.refresh();
    await advanceClock(200);
    page.boot().send({ type: 'session-required', reason: 'reloaded' });
    await waitFor(() => expect(frames()).toEqual([]));
    await advanceClock(700);
    expect(fetchIdentityUrl).toHaveBeenCalledTimes(3);
    makeReady(await frameOf(2));
    await waitForStatus('ready');
    expect(causes).toEqual([]);
  });

  it('the status is minting during the backoff after a lost frame', async () => {
    mount();
    const page = makeReady(await frameOf(1));
    await waitForStatus('ready');
    // The backoff is longer than the test.
    vi.mocked(Math.random).mockReturnValue(1_000);
    page.send({ type: 'session-required', reason: 'reloaded' });
    await waitFor(() => expect(frames()).toEqual([]));
    expect(states.at(-1)).toBe('minting');
    expect(host.requests).toHaveLength(1);
  });
});

it('four frames that are lost at once are session_lost', async () => {
  mount();
  for (let token = 1; token <= 4; token++)
    makeReady(await frameOf(token)).send({ type: 'session-required', reason: 'reloaded' });
  await waitForStatus('failed');
  expect(causes).toEqual(['session_lost']);
  expect(states.filter((status) => status === 'ready')).toHaveLength(4);
  await advanceClock();
  expect(sent).toHaveBeenCalledTimes(4);
});
