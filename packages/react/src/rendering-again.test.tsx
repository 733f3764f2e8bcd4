import { render, waitFor } from '@testing-library/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { advanceClock, sent } from '../test/clock.ts';
import { waitForStatus, frame, frames, host, setUpEmbed } from '../test/component-stage.ts';
import { makeReady, makeReadyForOpen } from '../test/portal-page.ts';
import type { EmbedHandle } from './core/embed.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setUpEmbed();

describe('rendering again', () => {
  it('a render with equal values starts no request', async () => {
    const ui = () => (
      <PortalEmbed endpoint={host.url} customFilters={[{ key: 'Region', value: 'West' }]} />
    );
    const { rerender } = render(ui());
    makeReady(await frame());
    await waitForStatus('ready');
    rerender(ui());
    await advanceClock();
    expect(sent).toHaveBeenCalledOnce();
  });

  it.each([
    ['report', { reportId: 'b' }],
    ['flag', { hideNavbar: true }],
    ['filter', { customFilters: [{ key: 'Region', value: 'East' }] }],
  ])('another %s is opened in the same frame, which stays visible', async (_, change) => {
    const { rerender } = render(<PortalEmbed endpoint={host.url} reportId="a" />);
    const shown = await frame();
    const page = makeReadyForOpen(shown);
    await waitForStatus('ready');
    rerender(<PortalEmbed endpoint={host.url} reportId="a" {...change} />);
    const { url, id } = await page.waitForOpen(1);
    expect(url).toContain('token=2');
    expect(host.requests[1]).toEqual({ reportId: 'a', ...change });
    expect(shown.style.opacity).toBe('1');
    page.ready([], id);
    await waitForStatus('ready');
    expect(frames()).toEqual([shown]);
  });

  it('another report replaces the frame of a page that does not take open', async () => {
    const { rerender } = render(<PortalEmbed endpoint={host.url} reportId="a" />);
    makeReady(await frame());
    await waitForStatus('ready');
    rerender(<PortalEmbed endpoint={host.url} reportId="b" />);
    await waitFor(() => expect(frames()[0]?.src).toContain('token=2'));
    expect(frames()).toHaveLength(1);
    expect(host.requests[1]).toEqual({ reportId: 'b' });
  });

  it('a render with equal values keeps the filters of setFilters', async () => {
    const ref = createRef<EmbedHandle>();
    const ui = (theme?: 'dark') => (
      <PortalEmbed endpoint={host.url} customFilters={[]} ref={ref} theme={theme} />
    );
    const { rerender } = render(ui());
    const page = makeReadyForOpen(await frame());
    await waitForStatus('ready');
    const filters = [{ key: 'Region', value: 'West' }];
    ref.current!.setFilters(filters);
    rerender(ui());
    rerender(ui('dark'));
    await page.waitForOpen(1);
    page.ready([], 1);
    await waitForStatus('ready');
    await advanceClock();
    expect(host.requests).toEqual([{ customFilters: [] }, { customFilters: filters }]);
  });

  it('the embed calls the callbacks of the latest render', async () => {
    const [early, late] = [vi.fn(), vi.fn()];
    const { rerender } = render(<PortalEmbed endpoint={host.url} onReady={early} />);
    rerender(<PortalEmbed endpoint={host.url} onReady={late} />);
    makeReady(await frame());
    await waitForStatus('ready');
    expect(early).not.toHaveBeenCalled();
    expect(late).toHaveBeenCalledOnce();
  });

  it('the handle of the ref is the same object in every render', () => {
    const ref = createRef<EmbedHandle>();
    const { rerender } = render(<PortalEmbed endpoint={host.url} ref={ref} />);
    const { current } = ref;
    rerender(<PortalEmbed endpoint={host.url} ref={ref} reportId="b" />);
    expect(ref.current).toBe(current);
  });

  it('a changed theme is sent to the page', async () => {
    const { rerender } = render(<PortalEmbed endpoint={host.url} theme="light" />);
    const page = makeReady(await frame());
    await waitForStatus('ready');
    expect(page.connected?.theme).toBe('light');
    rerender(<PortalEmbed endpoint={host.url} theme="dark" />);
    await waitFor(() => expect(page.received).toEqual([{ type: 'set-options', theme: 'dark' }]));
  });
});
