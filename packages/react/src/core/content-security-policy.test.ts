import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { advanceClock, sent } from '../../test/clock.ts';
import {
  waitForStatus,
  causes,
  embed,
  frameOf,
  frames,
  mount,
  states,
  setUpEmbed,
} from '../../test/core-stage.ts';
import { makeReady, simulatePortalPage } from '../../test/portal-page.ts';

setUpEmbed();

describe('a violation of a Content-Security-Policy', () => {
  const violate = (blockedURI: string, effectiveDirective = 'frame-src', disposition = 'enforce') =>
    document.dispatchEvent(
      Object.assign(new Event('securitypolicyviolation', { bubbles: true }), {
        disposition,
        effectiveDirective,
        blockedURI,
      }),
    );

  it.each([
    'http://portal.localhost:41001',
    'http://portal.localhost.evil.example:4100/identity',
    'http://portal.localhost/identity',
    'inline',
  ])('a violation of another origin is ignored: %s', async (blockedURI) => {
    mount();
    await frameOf(1);
    const onError = vi.fn();
    window.addEventListener('error', onError);
    violate(blockedURI);
    window.removeEventListener('error', onError);
    expect(causes).toEqual([]);
    expect(onError).not.toHaveBeenCalled();
  });

  it.each([
    'http://portal.localhost:4100',
    'http://portal.localhost:4100/identity?token=1',
    // With `upgrade-insecure-requests`, a redirect of the portal goes to https.
    'https://portal.localhost:4100',
  ])('a violation of the portal’s origin is blocked_by_host: %s', async (blockedURI) => {
    mount();
    await frameOf(1);
    violate(blockedURI);
    expect(causes).toEqual(['blocked_by_host']);
  });

  const load = (frame: HTMLIFrameElement) => frame.dispatchEvent(new Event('load'));

  it('a frame-ancestors violation and a load without boot are blocked_by_portal', async () => {
    mount();
    const frame = await frameOf(1);
    violate('http://portal.localhost:4100', 'frame-ancestors');
    load(frame);
    await waitForStatus('failed');
    expect(causes).toEqual(['blocked_by_portal']);
  });

  it.each([
    ['frame-ancestors', 'blocked_by_portal'],
    ['frame-src', 'blocked_by_host'],
  ])('a %s violation of the frame that replaces another is %s', async (directive, cause) => {
    mount();
    makeReady(await frameOf(1));
    await waitForStatus('ready');
    embed.refresh();
    const newFrame = await frameOf(2);
    violate('http://portal.localhost:4100', directive);
    load(newFrame);
    await waitForStatus('failed');
    expect(causes).toEqual([cause]);
    expect(frames()).toEqual([]);
  });

  it('a policy that forbids the probe does not make a slow page unreachable', async () => {
    sent.mockImplementation(async (_, init) => {
      if (init?.method !== 'HEAD') return Response.json({ embedUrl: 'https://portal.example/1' });
      violate('https://portal.example', 'connect-src');
      throw new TypeError('blocked');
    });
    mount();
    await waitFor(() => expect(frames()).toHaveLength(1));
    await advanceClock(20_000);
    expect(states).toEqual(['minting', 'loading']);
  });

  it('a violation of another embed does not close a frame that has not loaded yet', async () => {
    mount();
    const slow = await frameOf(1);
    // The portal answers the probe.
    sent.mockResolvedValue(new Response());
    violate('http://portal.localhost:4100', 'frame-ancestors');
    // The frame times out after 30 seconds.
    await advanceClock(20_000);
    expect(states).toEqual(['minting', 'loading']);
    const page = makeReady(slow);
    await waitForStatus('ready');
    load(slow);
    expect(page.connected).toBeDefined();
    expect(causes).toEqual([]);
  });
  it('a policy that only reports violations blocks no frame', async () => {
    mount();
    await frameOf(1);
    violate('http://portal.localhost:4100', 'frame-src', 'report');
    expect(causes).toEqual([]);
    expect(frames()).toHaveLength(1);
  });

  it('a violation of another embed does not close a page that has booted', async () => {
    mount();
    const page = simulatePortalPage(await frameOf(1)).boot();
    violate('http://portal.localhost:4100');
    expect(causes).toEqual([]);
    page.ready();
    await waitForStatus('ready');
  });

  it('a violation of another embed does not close a visible page without the frame channel', async () => {
    mount();
    const frame = await frameOf(1);
    sent.mockResolvedValue(new Response());
    load(frame);
    await waitForStatus('ready');
    violate('http://portal.localhost:4100');
    expect(causes).toEqual([]);
    expect(frames()).toEqual([frame]);
  });

  it('a page without the frame channel is ready although a policy forbids the probe', async () => {
    mount();
    const frame = await frameOf(1);
    sent.mockImplementation(async () => {
      violate('http://portal.localhost:4100', 'connect-src');
      throw new TypeError('blocked');
    });
    load(frame);
    await waitForStatus('ready');
    expect(causes).toEqual([]);
  });
});
