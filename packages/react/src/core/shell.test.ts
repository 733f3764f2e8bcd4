import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { advanceClock, sent } from '../../test/clock.ts';
import {
  causes,
  embed,
  filters,
  frameOf,
  frames,
  host,
  mount,
  setUpEmbed,
  states,
  unmount,
  waitForStatus,
} from '../../test/core-stage.ts';
import { refuse, sendJson } from '../../test/host-endpoint.ts';
import { makeReadyForOpen, simulatePortalPage } from '../../test/portal-page.ts';
import { createEmbed } from './embed.ts';
import type { EmbedOptions } from './options.ts';

setUpEmbed();

// Each test has another portal, because the page remembers which origins have a shell.
let portalUrl: string;
let tests = 0;
beforeEach(() => {
  portalUrl = `http://portal-${++tests}.localhost:4100`;
  const mintHere = (token: number) => (response: Parameters<(typeof host.answers)[0]>[0]) =>
    sendJson(response, 200, { embedUrl: `${portalUrl}/identity?token=${token}` });
  host.answers.push(...Array.from({ length: 9 }, (_, index) => mintHere(index + 1)));
});

const shell = () =>
  waitFor(() => {
    const found = frames().find(({ src }) => src === `${portalUrl}/embed`);
    if (!found) throw new Error('The shell is not there yet.');
    return found;
  });
const isolatedShell = () =>
  waitFor(() => {
    const found = frames().find(({ src }) => src === `${portalUrl}/embed?isolated=`);
    if (!found) throw new Error('The isolated shell is not there yet.');
    return found;
  });
const mountShell = async (options: EmbedOptions = {}) => {
  mount({ portalUrl, ...options });
  return shell();
};
const bootShell = async (options: EmbedOptions = {}) =>
  simulatePortalPage(await mountShell(options)).boot(['open']);
const showReport = async (options: EmbedOptions = {}) => {
  const page = await bootShell(options);
  await page.waitForOpen(1);
  page.ready([], 1);
  await waitForStatus('ready');
  return page;
};

/** The shell is opened before its request is sent. */
const expectNoShell = async (requests: number) => {
  await waitFor(() => expect(host.requests).toHaveLength(requests));
  expect(frames().map(({ src }) => src)).not.toContain(`${portalUrl}/embed`);
};

describe('the shell', () => {
  it('loads while the URL is minted, and gets the URL', async () => {
    let answer = () => {};
    host.answers.unshift((response) => {
      answer = () => sendJson(response, 200, { embedUrl: `${portalUrl}/identity?token=late` });
    });
    const frame = await mountShell();
    expect(states).toEqual(['minting']);
    expect([frame.style.opacity, frame.inert]).toEqual(['0', true]);
    const page = simulatePortalPage(frame).boot(['open']);
    await waitFor(() => expect(host.requests).toHaveLength(1));
    answer();
    expect((await page.waitForOpen(1)).url).toBe(`${portalUrl}/identity?token=late`);
    page.ready(['Nope'], 1);
    await waitForStatus('ready');
    expect(frames()).toEqual([frame]);
  });

  it('a URL that is minted before the shell has booted waits for it', async () => {
    const frame = await mountShell();
    await waitForStatus('loading');
    expect(frames()).toEqual([frame]);
    const page = simulatePortalPage(frame).boot(['open']);
    expect((await page.waitForOpen(1)).url).toContain('token=1');
  });

  it('a page without open is replaced by the URL, and later mounts do not try it', async () => {
    simulatePortalPage(await mountShell()).boot();
    await frameOf(1);
    unmount!();
    mount({ portalUrl });
    await expectNoShell(2);
    await frameOf(2);
    expect(frames()).toHaveLength(1);
  });

  it('a page that took open gives later mounts its shell without portalUrl', async () => {
    mount();
    makeReadyForOpen(await frameOf(1));
    await waitForStatus('ready');
    unmount!();
    mount();
    const page = simulatePortalPage(await shell()).boot(['open']);
    expect((await page.waitForOpen(1)).url).toContain('token=2');
  });

  it('a page that does not take open gives later mounts no shell', async () => {
    mount();
    simulatePortalPage(await frameOf(1))
      .boot()
      .ready();
    await waitForStatus('ready');
    unmount!();
    mount();
    await expectNoShell(2);
    await frameOf(2);
    unmount!();
    // The page of a URL does not say whether its portal has a shell.
    await mountShell();
  });

  it('a portal that takes open but has no shell gets one request for its shell', async () => {
    mount({ portalUrl });
    simulatePortalPage(await shell()).boot();
    makeReadyForOpen(await frameOf(1));
    await waitForStatus('ready');
    unmount!();
    mount();
    await expectNoShell(2);
    await frameOf(2);
    expect(frames()).toHaveLength(1);
  });

  it('each endpoint has its own portal', async () => {
    mount();
    makeReadyForOpen(await frameOf(1));
    await waitForStatus('ready');
    unmount!();
    const embedUrl = 'http://second.localhost:4100/identity?token=9';
    mount({ endpoint: '/second/url', fetchIdentityUrl: async () => ({ embedUrl }) });
    await frameOf(9);
    expect(frames()).toHaveLength(1);
  });

  it('a silent page is ready if its portal is not the one of the shell', async () => {
    mount();
    makeReadyForOpen(await frameOf(1));
    await waitForStatus('ready');
    unmount!();
    const embedUrl = 'http://silent.localhost:4100/identity?token=9';
    mount({ fetchIdentityUrl: async () => ({ embedUrl }) });
    simulatePortalPage(await shell()).boot(['open']);
    const frame = await frameOf(9);
    sent.mockResolvedValue(new Response());
    frame.dispatchEvent(new Event('load'));
    await waitForStatus('ready');
    expect(frames()).toEqual([frame]);
    expect(causes).toEqual([]);
  });

  it('a silent page is replaced by the URL', async () => {
    sent.mockImplementation(async (_, init) =>
      init?.method === 'HEAD'
        ? new Response()
        : Response.json({ embedUrl: `${portalUrl}/identity?token=1` }),
    );
    const frame = await mountShell();
    await waitForStatus('loading');
    frame.dispatchEvent(new Event('load'));
    (await isolatedShell()).dispatchEvent(new Event('load'));
    await frameOf(1);
    expect(frames()).toHaveLength(1);
    expect(causes).toEqual([]);
  });

  it('a silent page is loaded again with an embedder policy', async () => {
    sent.mockImplementation(async (_, init) =>
      init?.method === 'HEAD'
        ? new Response()
        : Response.json({ embedUrl: `${portalUrl}/identity?token=1` }),
    );
    const frame = await mountShell();
    await waitForStatus('loading');
    frame.dispatchEvent(new Event('load'));
    const isolated = await isolatedShell();
    const page = simulatePortalPage(isolated).boot(['open']);
    await page.waitForOpen(1);
    page.ready([], 1);
    await waitForStatus('ready');
    expect(frames()).toEqual([isolated]);
    unmount!();
    mount({ portalUrl });
    await isolatedShell();
  });

  describe('two embeds with silent pages of one portal', () => {
    let frame: HTMLIFrameElement;
    let otherContainer: HTMLElement;
    const otherFrame = () => otherContainer.querySelector('iframe')!;
    const endLoad = (iframe: HTMLIFrameElement) => iframe.dispatchEvent(new Event('load'));

    beforeEach(async () => {
      sent.mockImplementation(async (_, init) =>
        init?.method === 'HEAD'
          ? new Response()
          : Response.json({ embedUrl: `${portalUrl}/identity?token=1` }),
      );
      frame = await mountShell();
      const other = createEmbed(() => {});
      otherContainer = document.body.appendChild(document.createElement('div'));
      other.update({ endpoint: host.url, portalUrl });
      const unmountOther = other.mount(otherContainer);
      onTestFinished(() => {
        unmountOther();
        otherContainer.remove();
      });
      await waitForStatus('loading');
    });

    it('both silent pages are loaded again with an embedder policy', async () => {
      endLoad(frame);
      const first = await isolatedShell();
      endLoad(otherFrame());
      await waitFor(() => expect(otherFrame().src).toBe(`${portalUrl}/embed?isolated=`));
      for (const iframe of [first, otherFrame()])
        await simulatePortalPage(iframe).boot(['open']).waitForOpen(1);
    });

    it('a silent page is loaded with the embedder policy with which the other has booted', async () => {
      endLoad(frame);
      simulatePortalPage(await isolatedShell()).boot(['open']);
      endLoad(otherFrame());
      await waitFor(() => expect(otherFrame().src).toBe(`${portalUrl}/embed?isolated=`));
      await simulatePortalPage(otherFrame()).boot(['open']).waitForOpen(1);
    });

    it('both silent pages are replaced by their URLs if the embedder policy does not help', async () => {
      endLoad(frame);
      endLoad(await isolatedShell());
      await frameOf(1);
      // Meanwhile the portal is known to have no shell.
      endLoad(otherFrame());
      await waitFor(() => expect(otherFrame().src).toContain('token=1'));
    });
  });

  it('a host page that is cross-origin isolated asks for pages with an embedder policy', async () => {
    vi.stubGlobal('crossOriginIsolated', true);
    mount({ portalUrl });
    const page = simulatePortalPage(await isolatedShell()).boot(['open']);
    expect((await page.waitForOpen(1)).url).toBe(`${portalUrl}/identity?token=1`);
    page.send({ type: 'reopen', id: 1 });
    await waitFor(() =>
      expect(frames().map(({ src }) => src)).toEqual([`${portalUrl}/identity?token=1&isolated=`]),
    );
  });

  it('a report that the browser cannot isolate is blocked by the host, and not tried again', async () => {
    const onError = vi.fn();
    const page = await bootShell({ onError });
    await page.waitForOpen(1);
    page.send({ type: 'failed', id: 1, cause: 'blocked_by_host' });
    await waitForStatus('failed');
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        cause: 'blocked_by_host',
        message: 'This browser cannot isolate the report, as this page requires.',
      }),
    );
    expect(host.requests).toHaveLength(1);
  });

  it('a failed mint leaves the shell for the next attempt', async () => {
    host.answers.unshift(refuse(404, 'unknown_tenant'));
    const frame = await mountShell();
    await waitForStatus('failed');
    expect(frames()).toEqual([frame]);
    expect(frame.style.opacity).toBe('0');
    embed.refresh();
    const page = simulatePortalPage(frame).boot(['open']);
    await page.waitForOpen(1);
  });

  it.each(['not a URL', 'http://portal.example', 'http://host.localhost', 'javascript:alert(1)'])(
    'the portalUrl %s loads no shell',
    async (url) => {
      mount({ portalUrl: url });
      await frameOf(1);
      expect(frames()).toHaveLength(1);
    },
  );

  it('a URL of another origin replaces the shell', async () => {
    mount({ portalUrl: 'http://other.localhost:4100' });
    await waitFor(() => expect(frames()).toHaveLength(1));
    simulatePortalPage(frames()[0]!).boot(['open']);
    expect((await frameOf(1)).src).toContain(portalUrl);
    expect(frames()).toHaveLength(1);
  });

  it('a shell that stays silent until the deadline is no_response', async () => {
    vi.mocked(Math.random).mockReturnValue(0);
    sent.mockImplementation(async (_, init) =>
      init?.method === 'HEAD'
        ? new Response()
        : Response.json({ embedUrl: `${portalUrl}/identity?token=1` }),
    );
    await mountShell({ timeout: 1_500 });
    await advanceClock(20_000);
    expect(causes).toEqual(['no_response']);
    expect(frames()).toEqual([]);
  });
});

describe('a report that is opened in place', () => {
  it('setFilters opens a URL with the filters', async () => {
    const page = await showReport();
    embed.setFilters(filters);
    await page.waitForOpen(2);
    expect(host.requests[1]).toEqual({ customFilters: filters });
  });

  it('answers to an earlier open are ignored', async () => {
    const page = await showReport();
    embed.setFilters(filters);
    await page.waitForOpen(2);
    page.ready([], 1).send({ type: 'failed', id: 1, cause: 'report_failed' });
    page.send({ type: 'session-required', id: 1, reason: 'session-ended' });
    page.ready([], 2);
    await waitForStatus('ready');
    expect(states.slice(-2)).toEqual(['refreshing', 'ready']);
    expect(causes).toEqual([]);
  });

  it.each(['used', 'expired'] as const)(
    'a URL that is %s is replaced at once, then with pauses, and the report stays',
    async (reason) => {
      vi.mocked(Math.random).mockReturnValue(1_000);
      const page = await showReport();
      embed.refresh();
      await page.waitForOpen(2);
      page.send({ type: 'session-required', id: 2, reason });
      await page.waitForOpen(3);
      page.send({ type: 'session-required', id: 3, reason });
      await waitFor(() => expect(host.requests).toHaveLength(3));
      expect(states.at(-1)).toBe('refreshing');
      expect(frames()[0]!.style.opacity).toBe('1');
    },
  );

  it('a refusal of the host endpoint closes the frame', async () => {
    await showReport();
    host.answers.unshift(refuse(403, 'forbidden'));
    embed.refresh();
    await waitForStatus('failed');
    expect(frames()).toEqual([]);
  });

  it.each([
    ['a refresh keeps', () => embed.refresh(), 'ready'],
    ['another report removes', () => embed.setFilters(filters), 'failed'],
  ])('a report that cannot be computed after %s the previous one', async (_, act, status) => {
    const page = await showReport();
    act();
    await page.waitForOpen(2);
    page.send({ type: 'failed', id: 2, cause: 'report_failed' });
    await waitFor(() => expect(causes).toEqual(['report_failed']));
    expect(states.at(-1)).toBe(status);
    expect(frames()).toHaveLength(status === 'ready' ? 1 : 0);
  });

  it('a page that answers reopen is replaced by the same URL', async () => {
    const page = await bootShell();
    await page.waitForOpen(1);
    page.send({ type: 'reopen', id: 1 });
    await frameOf(1);
    expect(frames()).toHaveLength(1);
    expect(host.requests).toHaveLength(1);
  });

  it('a page that lacks a script is replaced by another document', async () => {
    const frame = await mountShell();
    simulatePortalPage(frame)
      .boot(['open'])
      .send({ type: 'session-required', reason: 'incomplete' });
    await waitFor(async () => expect(await shell()).not.toBe(frame));
    expect(frames()).toHaveLength(1);
  });

  it('a page that is reloaded gets another URL and is hidden until its report is drawn', async () => {
    const page = await showReport();
    page.boot(['open']);
    expect(frames().map(({ style }) => style.opacity)).toEqual(['0']);
    await page.waitForOpen(2);
    page.ready([], 2);
    await waitForStatus('ready');
    expect(frames().map(({ style }) => style.opacity)).toEqual(['1']);
  });

  it('a page that leaves and does not boot again is probed after a second', async () => {
    vi.mocked(Math.random).mockReturnValue(1_000);
    const page = await showReport();
    page.send({ type: 'leaving' });
    await advanceClock(5_000);
    await waitForStatus('minting');
    expect(frames()).toEqual([]);
  });
});

it('with frameChannel in the answer, a silent page is an error', async () => {
  host.answers.unshift(
    ...Array.from(
      { length: 4 },
      () => (response: Parameters<(typeof host.answers)[0]>[0]) =>
        sendJson(response, 200, { embedUrl: `${portalUrl}/identity?token=1`, frameChannel: true }),
    ),
  );
  mount();
  const frame = await frameOf(1);
  sent.mockResolvedValue(new Response());
  frame.dispatchEvent(new Event('load'));
  await waitFor(() => expect(frames()).toEqual([]));
  expect(states).not.toContain('ready');
});

it('a page that takes open stays after the load of its own URL', async () => {
  mount();
  const frame = await frameOf(1);
  makeReadyForOpen(frame);
  await waitForStatus('ready');
  expect(frames()).toEqual([frame]);
});
