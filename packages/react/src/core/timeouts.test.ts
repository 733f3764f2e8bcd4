import { waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { advanceClock } from '../../test/clock.ts';
import { causes, container, frameOf, frames, mount, setUpEmbed } from '../../test/core-stage.ts';
import { simulatePortalPage } from '../../test/portal-page.ts';
import { createEmbed } from './embed.ts';
import type { FetchIdentityUrl } from './options.ts';

setUpEmbed();

describe('requests that never end', () => {
  it.each([
    ['no answer', () => new Promise<never>(() => {})],
    ['no body', async () => ({ ok: true, json: () => new Promise(() => {}) }) as Response],
  ])('a request that hangs releases its slot at the timeout: %s', async (_, fetchIdentityUrl) => {
    const others = Array.from({ length: 4 }, () => createEmbed(() => {}));
    const ends = others.map((other) => {
      other.update({ fetchIdentityUrl, timeout: 1_000 });
      return other.mount(container);
    });
    onTestFinished(() => ends.forEach((end) => end()));
    const embedUrl = 'https://portal.example/identity?token=1';
    const answer = vi.fn<FetchIdentityUrl>(async () => ({ embedUrl }));
    // Shorter than the wait for a slot, which does not count.
    mount({ fetchIdentityUrl: answer, timeout: 200 });
    await frameOf(1);
    expect(answer).toHaveBeenCalledOnce();
    expect(causes).toEqual([]);
  });

  it('an embed that is unmounted as its request starts releases its slot', async () => {
    for (let count = 0; count < 4; count++) {
      const other = createEmbed(() => {});
      other.update({
        fetchIdentityUrl: () => new Promise(() => {}),
        onStateChange: () => end(),
      });
      const end = other.mount(container);
    }
    mount();
    await waitFor(() => expect(frames()).toHaveLength(1));
  });
});

it.each([0, -1, 2e9])('a timeout of %d means no limit', async (timeout) => {
  const fetchIdentityUrl = vi.fn<FetchIdentityUrl>(() => new Promise(() => {}));
  mount({ fetchIdentityUrl, timeout });
  await advanceClock();
  expect(fetchIdentityUrl).toHaveBeenCalledOnce();
  expect(causes).toEqual([]);
});

it('a page that boots repeatedly is timed_out', async () => {
  // Without a request, because a slow machine may answer it after the timeout.
  const embedUrl = 'https://portal.example/identity?token=1';
  const answer = vi.fn<FetchIdentityUrl>(async () => ({ embedUrl }));
  mount({ fetchIdentityUrl: answer, timeout: 200 });
  const booting = setInterval(
    () => frames().forEach((frame) => simulatePortalPage(frame).boot()),
    50,
  );
  onTestFinished(() => clearInterval(booting));
  await waitFor(() => expect(causes).toEqual(['timed_out']));
  expect(answer).toHaveBeenCalledTimes(4);
});
