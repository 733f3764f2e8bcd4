import { render, waitFor } from '@testing-library/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { waitForStatus, frame, frames, host, setUpEmbed } from '../test/component-stage.ts';
import { refuse } from '../test/host-endpoint.ts';
import { makeReady, simulatePortalPage } from '../test/portal-page.ts';
import type { EmbedHandle } from './core/embed.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setUpEmbed();

describe('the frame channel', () => {
  it('messages of another origin, window or shape are ignored', async () => {
    render(<PortalEmbed endpoint={host.url} />);
    const page = simulatePortalPage(await frame());
    const boot = { portalEmbed: 1, type: 'boot' };
    page.post(boot, { origin: 'http://evil.localhost' });
    page.post(boot, { source: window });
    page.post(boot, { source: null });
    page.post({ type: 'boot' });
    expect(page.connected).toBeUndefined();
    page.boot();
    expect(page.connected).toBeDefined();
  });

  it('onNavigate is called when the reader opens a report', async () => {
    const onNavigate = vi.fn();
    render(<PortalEmbed endpoint={host.url} onNavigate={onNavigate} />);
    const page = makeReady(await frame());
    await waitForStatus('ready');
    page.send({ type: 'navigated', path: '/organizations/o', reportId: null });
    await waitFor(() => expect(onNavigate).toHaveBeenCalledOnce());
  });

  it('onExport is called when the reader has exported the report', async () => {
    const onExport = vi.fn();
    render(<PortalEmbed endpoint={host.url} onExport={onExport} />);
    const page = makeReady(await frame());
    await waitForStatus('ready');
    page.send({ type: 'exported', format: 'csv', reportId: 'sales' });
    await waitFor(() =>
      expect(onExport).toHaveBeenCalledExactlyOnceWith(
        expect.objectContaining({ format: 'csv', reportId: 'sales' }),
      ),
    );
  });

  it('export and print of the ref are requests to the page', async () => {
    const ref = createRef<EmbedHandle>();
    render(<PortalEmbed ref={ref} endpoint={host.url} />);
    const page = makeReady(await frame());
    await waitForStatus('ready');
    ref.current!.export('png', 'Sales by month');
    ref.current!.print();
    await waitFor(() =>
      expect(page.received).toEqual([
        { type: 'export', format: 'png', tile: 'Sales by month' },
        { type: 'print' },
      ]),
    );
  });

  it('Escape in the portal’s page is sent to the host page too', async () => {
    const handleKey = vi.fn();
    addEventListener('keydown', handleKey);
    render(<PortalEmbed endpoint={host.url} />);
    const page = makeReady(await frame());
    await waitForStatus('ready');
    page.send({ type: 'key', key: 'Escape' });
    await waitFor(() => expect(handleKey).toHaveBeenCalledOnce());
    removeEventListener('keydown', handleKey);
    const [event] = handleKey.mock.calls[0] as [KeyboardEvent];
    expect([event.key, event.target]).toEqual(['Escape', frames()[0]]);
    // It can be canceled, and leaves a shadow root.
    expect([event.cancelable, event.composed]).toEqual([true, true]);
  });

  it('autoHeight makes the embed as high as the report, up to maxHeight', async () => {
    render(<PortalEmbed endpoint={host.url} autoHeight maxHeight={900} />);
    const page = makeReady(await frame());
    await waitForStatus('ready');
    expect(page.connected?.autoHeight).toBe(true);
    page.send({ type: 'resized', height: 700 });
    await waitFor(() => expect(frames()[0]!.parentElement!.style.height).toBe('700px'));
    page.send({ type: 'resized', height: 5000 });
    await waitFor(() => expect(frames()[0]!.parentElement!.style.height).toBe('900px'));
  });

  it('an embed whose autoHeight ends fills its parent again', async () => {
    const { rerender } = render(<PortalEmbed endpoint={host.url} autoHeight />);
    const page = makeReady(await frame());
    await waitForStatus('ready');
    page.send({ type: 'resized', height: 700 });
    const { style } = frames()[0]!.parentElement!;
    await waitFor(() => expect(style.height).toBe('700px'));
    rerender(<PortalEmbed endpoint={host.url} />);
    expect(style.height).toBe('100%');
  });

  it('a failed report does not keep the height of the one before it', async () => {
    const ui = (autoHeight: boolean, reportId?: string) => (
      <PortalEmbed endpoint={host.url} autoHeight={autoHeight} reportId={reportId} />
    );
    const { rerender } = render(ui(true));
    const page = makeReady(await frame());
    await waitForStatus('ready');
    const { style } = frames()[0]!.parentElement!;
    page.send({ type: 'resized', height: 700 });
    await waitFor(() => expect(style.height).toBe('700px'));
    host.answers.push(refuse(403, 'report_not_accessible'));
    rerender(ui(false, 'other'));
    await waitForStatus('failed');
    rerender(ui(true, 'other'));
    expect(style.height).toBe('var(--portal-embed-min-height,24rem)');
  });
});
