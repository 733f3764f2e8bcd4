import { act, render, screen, waitFor } from '@testing-library/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { becomes, frame, frames, host, status, setStage } from '../test/component-stage.ts';
import { refuse } from '../test/host-endpoint.ts';
import { becomeReady, playPortalPage } from '../test/portal-page.ts';
import type { EmbedHandle } from './core/embed.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setStage();

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
