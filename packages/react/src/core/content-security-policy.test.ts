import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { passTime } from '../../test/clock.ts';
import {
  becomes,
  causes,
  embed,
  frameOf,
  frames,
  mount,
  states,
  setStage,
} from '../../test/core-stage.ts';
import { becomeReady } from '../../test/portal-page.ts';

setStage();

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
  ])('is none of the portal’s: %s', async (blockedURI) => {
    mount();
    await frameOf(1);
    violate(blockedURI);
    expect(causes).toEqual([]);
  });

  it.each(['http://portal.localhost:4100', 'http://portal.localhost:4100/identity?token=1'])(
    'is the portal’s: %s',
    async (blockedURI) => {
      mount();
      await frameOf(1);
      violate(blockedURI);
      expect(causes).toEqual(['blocked_by_host']);
    },
  );

  const load = (frame: HTMLIFrameElement) => frame.dispatchEvent(new Event('load'));

  it('is of a frame that loads and says nothing', async () => {
    mount();
    const frame = await frameOf(1);
    violate('http://portal.localhost:4100', 'frame-ancestors');
    load(frame);
    await becomes('failed');
    expect(causes).toEqual(['blocked_by_portal']);
  });

  it.each(['frame-ancestors', 'frame-src'])(
    'of a fresh frame leaves the one on show: %s',
    async (directive) => {
      mount();
      const shown = await frameOf(1);
      becomeReady(shown);
      await becomes('ready');
      embed.refresh();
      const fresh = await frameOf(2);
      violate('http://portal.localhost:4100', directive);
      load(fresh);
      await waitFor(() => expect(causes).toHaveLength(1));
      expect(states.at(-1)).toBe('ready');
      expect(frames()).toEqual([shown]);
      // Nor is it held against it when it fails in a way of its own.
      load(shown);
      load(shown);
      await waitFor(() => expect(frames()).not.toContain(shown));
      expect(causes).toHaveLength(1);
    },
  );

  it('of another embed leaves a frame that has yet to speak', async () => {
    mount();
    const slow = await frameOf(1);
    violate('http://portal.localhost:4100', 'frame-ancestors');
    // The frame times out after 30 seconds.
    await passTime(20_000);
    expect(states).toEqual(['minting', 'loading']);
    const page = becomeReady(slow);
    await becomes('ready');
    load(slow);
    expect(page.connected).toBeDefined();
    expect(causes).toEqual([]);
  });
});
