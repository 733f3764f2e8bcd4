import { render, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { becomes, frame, frames, host, setStage } from '../test/component-stage.ts';
import { becomeReady, playPortalPage } from '../test/portal-page.ts';
import { PortalEmbed } from './PortalEmbed.ts';

setStage();

describe('the frame channel', () => {
  it('believes no message of another origin, of another window or of another shape', async () => {
    render(<PortalEmbed endpoint={host.url} />);
    const page = playPortalPage(await frame());
    const boot = { portalEmbed: 1, type: 'boot' };
    page.post(boot, { origin: 'http://evil.localhost' });
    page.post(boot, { source: window });
    page.post(boot, { source: null });
    page.post({ type: 'boot' });
    expect(page.connected).toBeUndefined();
    page.boot();
    expect(page.connected).toBeDefined();
  });

  it('reports where the reader goes', async () => {
    const onNavigate = vi.fn();
    render(<PortalEmbed endpoint={host.url} onNavigate={onNavigate} />);
    const page = becomeReady(await frame());
    await becomes('ready');
    page.send({ type: 'navigated', path: '/organizations/o', reportId: null });
    await waitFor(() => expect(onNavigate).toHaveBeenCalledOnce());
  });

  it('makes the embed as high as the report, up to maxHeight', async () => {
    render(<PortalEmbed endpoint={host.url} autoHeight maxHeight={900} />);
    const page = becomeReady(await frame());
    await becomes('ready');
    expect(page.connected?.autoHeight).toBe(true);
    page.send({ type: 'resized', height: 700 });
    await waitFor(() => expect(frames()[0]!.parentElement!.style.height).toBe('700px'));
    page.send({ type: 'resized', height: 5000 });
    await waitFor(() => expect(frames()[0]!.parentElement!.style.height).toBe('900px'));
  });
});
