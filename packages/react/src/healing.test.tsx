import { render, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { waitForStatus, frame, frames, host, status, setUpEmbed } from '../test/component-stage.ts';
import { makeReady, makeReadyForOpen, simulatePortalPage } from '../test/portal-page.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setUpEmbed();

describe('healing', () => {
  it.each(['used', 'expired', 'unknown'] as const)(
    'the embed requests another URL if its first one is %s',
    async (reason) => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      render(<PortalEmbed endpoint={host.url} />);
      simulatePortalPage(await frame())
        .boot()
        .send({ type: 'session-required', reason });
      await waitFor(() => expect(frames()[0]?.src).toContain('token=2'));
      makeReady(frames()[0]!);
      await waitForStatus('ready');
    },
  );

  it('a lost frame is replaced at the same position', async () => {
    render(<PortalEmbed endpoint={host.url} />);
    const state = { view: 'page-two', scroll: 120 };
    const page = makeReady(await frame(), state);
    await waitForStatus('ready');
    page.boot();
    expect(page.position).toEqual(state);
    page.send({ type: 'session-required', reason: 'reloaded' });
    await waitFor(() => expect(frames()[0]?.src).toContain('token=2'));
    const newPage = simulatePortalPage(frames()[0]!).boot();
    expect(newPage.position).toEqual(state);
  });

  it('a report whose portal session has ended stays visible', async () => {
    render(<PortalEmbed endpoint={host.url} />);
    const shown = await frame();
    const page = makeReadyForOpen(shown);
    await waitForStatus('ready');
    page.send({ type: 'session-required', reason: 'session-ended' });
    const { url, id } = await page.waitForOpen(1);
    expect(url).toContain('token=2');
    expect(status()).toBe('refreshing');
    expect(frames().map((each) => each.style.opacity)).toEqual(['1']);
    page.ready([], id);
    await waitForStatus('ready');
    expect(frames()).toEqual([shown]);
  });

  it('four refused URLs are session_lost', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const onError = vi.fn();
    render(<PortalEmbed endpoint={host.url} onError={onError} />);
    for (let token = 1; token <= 4; token++) {
      await waitFor(() => expect(frames()[0]?.src).toContain(`token=${token}`));
      simulatePortalPage(frames()[0]!).boot().send({ type: 'session-required', reason: 'used' });
    }
    await waitForStatus('failed');
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ cause: 'session_lost' }),
    );
  });
});
