import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { passTime, sent } from '../../test/clock.ts';
import {
  becomes,
  causes,
  embed,
  filters,
  frameOf,
  frames,
  host,
  mount,
  place,
  states,
  setStage,
} from '../../test/core-stage.ts';
import { becomeReady, playPortalPage } from '../../test/portal-page.ts';
import { createEmbedError } from './error.ts';
import type { FetchIdentityUrl } from './options.ts';

setStage();

describe('a frame that is lost', () => {
  it('comes back with the filters that were set in place, which its URL then carries', async () => {
    mount();
    const page = becomeReady(await frameOf(1), place);
    await becomes('ready');
    embed.setFilters(filters);
    await waitFor(() => expect(page.received).toEqual([{ type: 'set-filters', filters }]));
    page.send({ type: 'session-required', reason: 'reloaded' });
    const fresh = playPortalPage(await frameOf(2)).boot();
    expect(host.requests[1]).toEqual({ customFilters: filters });
    expect(fresh.connected?.state).toEqual(place);
  });

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
    let minted = 0;
    const fetchIdentityUrl = vi.fn<FetchIdentityUrl>(async () => ({
      embedUrl: `https://portal.example/identity?token=${++minted}`,
    }));
    mount({ fetchIdentityUrl });
    const page = becomeReady(await frameOf(1));
    await becomes('ready');
    // The next attempt is due after 501 ms, or 801 ms with the pauses after a discarded request. A
    // second back-off would take 1,001 ms.
    vi.mocked(Math.random).mockReturnValue(1);
    fetchIdentityUrl.mockRejectedValueOnce(createEmbedError('portal_unavailable'));
    embed.refresh();
    await passTime(200);
    page.boot().send({ type: 'session-required', reason: 'reloaded' });
    await waitFor(() => expect(frames()).toEqual([]));
    await passTime(700);
    expect(fetchIdentityUrl).toHaveBeenCalledTimes(3);
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

it('frames that are lost as soon as they are ready are given up after four', async () => {
  mount();
  for (let token = 1; token <= 4; token++)
    becomeReady(await frameOf(token)).send({ type: 'session-required', reason: 'reloaded' });
  await becomes('failed');
  expect(causes).toEqual(['session_lost']);
  expect(states.filter((status) => status === 'ready')).toHaveLength(4);
  await passTime();
  expect(sent).toHaveBeenCalledTimes(4);
});
