import { act, render, screen, waitFor } from '@testing-library/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { waitForStatus, frame, frames, host, status, setUpEmbed } from '../test/component-stage.ts';
import { refuse, sendJson } from '../test/host-endpoint.ts';
import { makeReady, makeReadyForOpen } from '../test/portal-page.ts';
import type { EmbedHandle } from './core/embed.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setUpEmbed();

describe('refresh', () => {
  it('a refresh keeps the frame and its report visible', async () => {
    const ref = createRef<EmbedHandle>();
    const [onReady, onRefresh] = [vi.fn(), vi.fn()];
    render(<PortalEmbed endpoint={host.url} ref={ref} onReady={onReady} onRefresh={onRefresh} />);
    const page = makeReadyForOpen(await frame());
    await waitForStatus('ready');
    const shown = ref.current!.iframe;
    act(() => ref.current!.refresh());
    await page.waitForOpen(1);
    expect(status()).toBe('refreshing');
    expect(screen.getByRole('status')).toHaveTextContent('Report loaded');
    expect(frames().map((each) => [each.style.opacity, each.inert])).toEqual([['1', false]]);
    page.ready(['Nope'], 1);
    await waitForStatus('ready');
    expect(ref.current!.iframe).toBe(shown);
    expect(onRefresh.mock.calls).toMatchObject([[{ unappliedFilters: ['Nope'] }]]);
    expect(onReady).toHaveBeenCalledOnce();
  });

  it('a page that does not take open is replaced once the URL is there', async () => {
    const ref = createRef<EmbedHandle>();
    render(<PortalEmbed endpoint={host.url} ref={ref} />);
    makeReady(await frame());
    await waitForStatus('ready');
    let answer = () => {};
    host.answers.push((response) => {
      const embedUrl = 'http://portal.localhost:4100/identity?token=late';
      answer = () => sendJson(response, 200, { embedUrl });
    });
    act(() => ref.current!.refresh());
    await waitFor(() => expect(host.requests).toHaveLength(2));
    expect(status()).toBe('refreshing');
    expect(frames()[0]!.src).toContain('token=1');
    answer();
    await waitFor(() => expect(frames()[0]?.src).toContain('token=late'));
    expect(frames()).toHaveLength(1);
    expect(status()).toBe('loading');
    makeReady(frames()[0]!);
    await waitForStatus('ready');
  });

  it('a second refresh() joins the running refresh', async () => {
    const ref = createRef<EmbedHandle>();
    render(<PortalEmbed endpoint={host.url} ref={ref} />);
    const page = makeReadyForOpen(await frame());
    await waitForStatus('ready');
    act(() => {
      for (let time = 0; time < 5; time++) ref.current!.refresh();
    });
    await page.waitForOpen(1);
    page.ready([], 1);
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
    expect(screen.getByRole('status')).toHaveTextContent('Report loaded');
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
    const page = makeReadyForOpen(await frame());
    await page.waitForOpen(1);
    page.ready([], 1);
    await waitFor(() => expect(host.requests.length).toBeGreaterThan(2));
  });
});
