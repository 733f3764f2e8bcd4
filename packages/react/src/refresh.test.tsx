import { act, render, screen, waitFor } from '@testing-library/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { waitForStatus, frame, frames, host, status, setUpEmbed } from '../test/component-stage.ts';
import { refuse } from '../test/host-endpoint.ts';
import { makeReady, simulatePortalPage } from '../test/portal-page.ts';
import type { EmbedHandle } from './core/embed.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setUpEmbed();

describe('refresh', () => {
  it('a refresh shows the previous frame until the new one is ready', async () => {
    const ref = createRef<EmbedHandle>();
    const onRefresh = vi.fn();
    render(<PortalEmbed endpoint={host.url} ref={ref} onRefresh={onRefresh} />);
    const state = {
      path: '/organizations/o',
      filters: [{ key: 'Region', value: 'West' }],
      scroll: 0,
    };
    makeReady(await frame(), state);
    await waitForStatus('ready');
    const old = ref.current!.iframe;
    act(() => ref.current!.refresh());
    const page = simulatePortalPage(await frame(1)).boot();
    expect(status()).toBe('refreshing');
    expect(frames().map((each) => each.style.opacity)).toEqual(['', '0']);
    expect(page.connected?.state).toEqual(state);
    page.ready();
    await waitForStatus('ready');
    expect(frames().map((each) => each.style.opacity)).toEqual(['']);
    expect(ref.current!.iframe).not.toBe(old);
    expect(onRefresh).toHaveBeenCalledOnce();
  });

  it('a second refresh() joins the running refresh', async () => {
    const ref = createRef<EmbedHandle>();
    render(<PortalEmbed endpoint={host.url} ref={ref} />);
    makeReady(await frame());
    await waitForStatus('ready');
    act(() => {
      for (let time = 0; time < 5; time++) ref.current!.refresh();
    });
    makeReady(await frame(1));
    await waitForStatus('ready');
    expect(host.requests).toHaveLength(2);
  });

  it('a failed refresh keeps the report visible', async () => {
    const ref = createRef<EmbedHandle>();
    const onError = vi.fn();
    render(<PortalEmbed endpoint={host.url} ref={ref} onError={onError} />);
    makeReady(await frame());
    await waitForStatus('ready');
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
  ] as const)('a refresh that is answered %i %s removes the report', async (code, cause, text) => {
    const ref = createRef<EmbedHandle>();
    render(<PortalEmbed endpoint={host.url} ref={ref} />);
    makeReady(await frame());
    await waitForStatus('ready');
    host.answers.push(refuse(code, cause));
    act(() => ref.current!.refresh());
    await waitForStatus('failed');
    expect(frames()).toHaveLength(0);
    expect(screen.getByRole('status')).toHaveTextContent(text);
  });

  it('a refresh starts every refreshInterval milliseconds', async () => {
    render(<PortalEmbed endpoint={host.url} refreshInterval={100} />);
    makeReady(await frame());
    makeReady(await frame(1));
    await waitFor(() => expect(host.requests.length).toBeGreaterThan(2));
  });
});
