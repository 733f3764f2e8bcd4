import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { advanceClock } from '../../test/clock.ts';
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
import { makeReady } from '../../test/portal-page.ts';

setUpEmbed();

describe('a violation of a Content-Security-Policy', () => {
  const violate = (blockedURI: string, effectiveDirective = 'frame-src') =>
    document.dispatchEvent(
      Object.assign(new Event('securitypolicyviolation', { bubbles: true }), {
        disposition: 'enforce',
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
    violate(blockedURI);
    expect(causes).toEqual([]);
  });

  it.each(['http://portal.localhost:4100', 'http://portal.localhost:4100/identity?token=1'])(
    'a violation of the portal’s origin is blocked_by_host: %s',
    async (blockedURI) => {
      mount();
      await frameOf(1);
      violate(blockedURI);
      expect(causes).toEqual(['blocked_by_host']);
    },
  );

  const load = (frame: HTMLIFrameElement) => frame.dispatchEvent(new Event('load'));

  it('a frame-ancestors violation and a load without boot are blocked_by_portal', async () => {
    mount();
    const frame = await frameOf(1);
    violate('http://portal.localhost:4100', 'frame-ancestors');
    load(frame);
    await waitForStatus('failed');
    expect(causes).toEqual(['blocked_by_portal']);
  });

  it.each(['frame-ancestors', 'frame-src'])(
    'a violation of a new frame keeps the visible frame: %s',
    async (directive) => {
      mount();
      const shown = await frameOf(1);
      makeReady(shown);
      await waitForStatus('ready');
      embed.refresh();
      const newFrame = await frameOf(2);
      violate('http://portal.localhost:4100', directive);
      load(newFrame);
      await waitFor(() => expect(causes).toHaveLength(1));
      expect(states.at(-1)).toBe('ready');
      expect(frames()).toEqual([shown]);
      // The earlier violation is not the cause when the visible frame fails later.
      load(shown);
      load(shown);
      await waitFor(() => expect(frames()).not.toContain(shown));
      expect(causes).toHaveLength(1);
    },
  );

  it('a violation of another embed keeps a frame that has not loaded yet', async () => {
    mount();
    const slow = await frameOf(1);
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
});
