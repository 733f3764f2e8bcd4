import { render, waitFor } from '@testing-library/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { passTime, sent } from '../test/clock.ts';
import { becomes, frame, frames, host, setStage } from '../test/component-stage.ts';
import { becomeReady } from '../test/portal-page.ts';
import type { EmbedHandle } from './core/embed.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setStage();

describe('rendering again', () => {
  it('costs nothing when the parent renders and the values are equal', async () => {
    const ui = () => (
      <PortalEmbed endpoint={host.url} customFilters={[{ key: 'Region', value: 'West' }]} />
    );
    const { rerender } = render(ui());
    becomeReady(await frame());
    await becomes('ready');
    rerender(ui());
    await passTime();
    expect(sent).toHaveBeenCalledOnce();
  });

  it('fetches a fresh URL for another report and drops the previous one at once', async () => {
    const { rerender } = render(<PortalEmbed endpoint={host.url} reportId="a" />);
    becomeReady(await frame());
    await becomes('ready');
    rerender(<PortalEmbed endpoint={host.url} reportId="b" />);
    await waitFor(() => expect(frames()[0]?.src).toContain('token=2'));
    expect(frames()).toHaveLength(1);
    expect(host.requests[1]).toEqual({ reportId: 'b' });
  });

  it('fetches a fresh URL for other flags and shows the previous frame meanwhile', async () => {
    const { rerender } = render(<PortalEmbed endpoint={host.url} />);
    becomeReady(await frame());
    await becomes('ready');
    rerender(<PortalEmbed endpoint={host.url} hideNavbar />);
    becomeReady(await frame(1));
    await waitFor(() => expect(frames()).toHaveLength(1));
    expect(frames()[0]!.src).toContain('token=2');
  });

  it('changes filters in place when the URL was minted without', async () => {
    const { rerender } = render(<PortalEmbed endpoint={host.url} />);
    const page = becomeReady(await frame());
    await becomes('ready');
    const customFilters = [{ key: 'Region', value: 'West' }];
    rerender(<PortalEmbed endpoint={host.url} customFilters={customFilters} />);
    await waitFor(() =>
      expect(page.received).toEqual([{ type: 'set-filters', filters: customFilters }]),
    );
    await passTime();
    expect(sent).toHaveBeenCalledOnce();
  });

  it('fetches a fresh URL for other filters than its URL is bound to', async () => {
    const { rerender } = render(
      <PortalEmbed endpoint={host.url} customFilters={[{ key: 'Region', value: 'West' }]} />,
    );
    becomeReady(await frame());
    await becomes('ready');
    rerender(
      <PortalEmbed endpoint={host.url} customFilters={[{ key: 'Region', value: 'East' }]} />,
    );
    await frame(1);
    expect(host.requests[1]).toEqual({ customFilters: [{ key: 'Region', value: 'East' }] });
  });

  it('keeps filters that were set through the ref', async () => {
    const ref = createRef<EmbedHandle>();
    const ui = (theme?: 'dark') => (
      <PortalEmbed endpoint={host.url} customFilters={[]} ref={ref} theme={theme} />
    );
    const { rerender } = render(ui());
    const page = becomeReady(await frame());
    await becomes('ready');
    const filters = [{ key: 'Region', value: 'West' }];
    ref.current!.setFilters(filters);
    rerender(ui());
    // One port keeps the order: filters set by the second render would arrive before the theme.
    rerender(ui('dark'));
    const theme = { type: 'set-theme', theme: 'dark' };
    await waitFor(() => expect(page.received).toContainEqual(theme));
    expect(page.received).toEqual([{ type: 'set-filters', filters }, theme]);
  });

  it('calls the callbacks of the latest render', async () => {
    const [early, late] = [vi.fn(), vi.fn()];
    const { rerender } = render(<PortalEmbed endpoint={host.url} onReady={early} />);
    rerender(<PortalEmbed endpoint={host.url} onReady={late} />);
    becomeReady(await frame());
    await becomes('ready');
    expect(early).not.toHaveBeenCalled();
    expect(late).toHaveBeenCalledOnce();
  });

  it('tells the page of another theme', async () => {
    const { rerender } = render(<PortalEmbed endpoint={host.url} theme="light" />);
    const page = becomeReady(await frame());
    await becomes('ready');
    expect(page.connected?.theme).toBe('light');
    rerender(<PortalEmbed endpoint={host.url} theme="dark" />);
    await waitFor(() => expect(page.received).toEqual([{ type: 'set-theme', theme: 'dark' }]));
  });
});
