import { render, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { becomes, frame, frames, host, status, setStage } from '../test/component-stage.ts';
import { becomeReady, playPortalPage } from '../test/portal-page.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setStage();

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

  it('brings the reader back to the same place', async () => {
    render(<PortalEmbed endpoint={host.url} />);
    const state = { path: '/organizations/o/reports/r', scroll: 120 };
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
