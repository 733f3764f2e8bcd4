import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { advanceClock, sent } from '../../test/clock.ts';
import {
  embed,
  filters,
  frameOf,
  frames,
  mount,
  setUpEmbed,
  states,
  unmount,
  waitForStatus,
} from '../../test/core-stage.ts';
import { makeReadyForOpen, simulatePortalPage } from '../../test/portal-page.ts';
import type { EmbedOptions } from './options.ts';

setUpEmbed();

// Each test has another portal, because the page remembers which origins have a shell.
let portalUrl: string;
let tests = 0;
/** Answer the requests, in order, with the token 1, 2, … */
let answers: (() => void)[];
beforeEach(() => {
  portalUrl = `http://page-${++tests}.localhost:4100`;
  answers = [];
});
const fetchIdentityUrl = () => {
  const embedUrl = `${portalUrl}/identity?token=${answers.length + 1}`;
  return new Promise<{ embedUrl: string }>((resolve) => answers.push(() => resolve({ embedUrl })));
};
const answer = async (token: number) => {
  await waitFor(() => expect(answers).toHaveLength(token));
  answers[token - 1]!();
};
const mountShell = async (options: EmbedOptions = {}) => {
  mount({ portalUrl, fetchIdentityUrl, ...options });
  await waitFor(() => expect(frames().map(({ src }) => src)).toEqual([`${portalUrl}/embed`]));
  return frames()[0]!;
};

it('a frame has its title from the start', async () => {
  expect((await mountShell({ title: 'Sales' })).title).toBe('Sales');
});

describe('a page that takes open', () => {
  it('a URL whose request was replaced is not opened', async () => {
    const frame = await mountShell();
    await answer(1);
    await waitForStatus('loading');
    embed.setFilters(filters);
    await waitFor(() => expect(answers).toHaveLength(2));
    const page = simulatePortalPage(frame).boot(['open']);
    await answer(2);
    expect((await page.waitForOpen(1)).url).toContain('token=2');
    expect(page.received).toHaveLength(1);
  });

  it('a page that does not answer in time is replaced by another document', async () => {
    const frame = await mountShell();
    const page = simulatePortalPage(frame).boot(['open']);
    await answer(1);
    await page.waitForOpen(1);
    await advanceClock(30_500);
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(frames()).toHaveLength(1);
    expect(frames()[0]).not.toBe(frame);
  });

  it('a visible page that lacks a script is replaced by another document', async () => {
    mount({ fetchIdentityUrl });
    await answer(1);
    const page = makeReadyForOpen(await frameOf(1));
    await waitForStatus('ready');
    embed.refresh();
    await answer(2);
    page.ready([], (await page.waitForOpen(1)).id);
    await waitForStatus('ready');
    page.send({ type: 'session-required', reason: 'incomplete' });
    await waitForStatus('minting');
    await answer(3);
    await frameOf(3);
    expect(frames()).toHaveLength(1);
  });

  it('a reopen that answers an earlier open is ignored', async () => {
    mount({ fetchIdentityUrl });
    await answer(1);
    const frame = await frameOf(1);
    const page = makeReadyForOpen(frame);
    await waitForStatus('ready');
    embed.refresh();
    await answer(2);
    await page.waitForOpen(1);
    embed.setFilters(filters);
    await answer(3);
    await page.waitForOpen(2);
    page.send({ type: 'reopen', id: 1 }).ready([], 2);
    await waitForStatus('ready');
    expect(frames()).toHaveLength(1);
    expect(frames()[0]).toBe(frame);
  });

  it('a page that reloads before it has answered gets another URL', async () => {
    const page = simulatePortalPage(await mountShell()).boot(['open']);
    await answer(1);
    await page.waitForOpen(1);
    page.boot(['open']);
    await answer(2);
    expect((await page.waitForOpen(2)).url).toContain('token=2');
  });

  it('a visible page that is replaced by another one gets another URL', async () => {
    mount({ fetchIdentityUrl });
    await answer(1);
    const page = makeReadyForOpen(await frameOf(1));
    await waitForStatus('ready');
    page.boot(['open']);
    await answer(2);
    await frameOf(2);
    expect(frames()).toHaveLength(1);
  });
});

describe('a shell that stays silent', () => {
  const load = (frame: HTMLIFrameElement) => frame.dispatchEvent(new Event('load'));
  /** The shell is asked for once more, with an embedder policy. */
  const loadIsolated = async () => {
    await waitFor(() => expect(frames()[0]?.src).toBe(`${portalUrl}/embed?isolated=`));
    load(frames()[0]!);
  };
  /** Mounts again, and returns the address that is loaded while the URL is requested. */
  const mountAgain = async () => {
    const { length } = answers;
    unmount!();
    mount({ portalUrl, fetchIdentityUrl });
    await waitFor(() => expect(answers).toHaveLength(length + 1));
    return frames()[0]?.src;
  };

  it('a later URL replaces a silent shell, which is not loaded again', async () => {
    sent.mockResolvedValue(new Response());
    load(await mountShell());
    await loadIsolated();
    await advanceClock(1_000);
    await answer(1);
    await frameOf(1);
    expect(frames()).toHaveLength(1);
    expect(states).not.toContain('ready');
    expect(await mountAgain()).toBeUndefined();
  });

  it('a shell that cannot be reached is replaced by the URL, and loaded again later', async () => {
    sent.mockRejectedValue(new TypeError('refused'));
    vi.mocked(Math.random).mockReturnValue(1_000);
    load(await mountShell());
    await answer(1);
    await frameOf(1);
    expect(await mountAgain()).toBe(`${portalUrl}/embed`);
  });
});
