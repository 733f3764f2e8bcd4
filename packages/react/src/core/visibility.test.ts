import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { advanceClock, sent } from '../../test/clock.ts';
import {
  waitForStatus,
  causes,
  embed,
  frameOf,
  frames,
  host,
  mount,
  states,
  unmount,
  update,
  setUpEmbed,
} from '../../test/core-stage.ts';
import { refuse } from '../../test/host-endpoint.ts';
import { makeReady } from '../../test/portal-page.ts';

setUpEmbed();

describe('the viewport', () => {
  let notify: (entries: { isIntersecting: boolean }[]) => void;
  const setInView = (isIntersecting: boolean) => notify([{ isIntersecting }]);
  beforeEach(() => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(act: typeof notify) {
          notify = act;
        }
        observe() {
          setInView(false);
        }
        disconnect() {}
      },
    );
  });
  const scrollPast = async () => {
    setInView(false);
    setInView(true);
    await advanceClock();
  };

  it.each([false, true])('scrolling after a failure starts no request (lazy: %s)', async (lazy) => {
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': '120' }));
    mount({ lazy });
    setInView(true);
    await waitForStatus('failed');
    await scrollPast();
    expect(sent).toHaveBeenCalledOnce();
    update({ lazy: !lazy });
    await scrollPast();
    expect(sent).toHaveBeenCalledOnce();
  });

  it('scrolling after a failed refresh starts no request', async () => {
    mount({ lazy: true });
    setInView(true);
    makeReady(await frameOf(1));
    await waitForStatus('ready');
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': '120' }));
    embed.refresh();
    await waitFor(() => expect(causes).toEqual(['rate_limited']));
    await scrollPast();
    expect(sent).toHaveBeenCalledTimes(2);
  });

  it('after an online event out of view, a failed lazy embed retries when it is in view', async () => {
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': '120' }));
    mount({ lazy: true });
    setInView(true);
    await waitForStatus('failed');
    setInView(false);
    window.dispatchEvent(new Event('online'));
    await advanceClock();
    expect(sent).toHaveBeenCalledOnce();
    setInView(true);
    makeReady(await frameOf(1));
    await waitForStatus('ready');
  });

  it('a lazy embed out of view refreshes when it is in view again', async () => {
    mount({ lazy: true, refreshInterval: 100, onReady: () => setInView(false) });
    setInView(true);
    makeReady(await frameOf(1));
    await waitForStatus('ready');
    await advanceClock();
    expect(sent).toHaveBeenCalledOnce();
    setInView(true);
    makeReady(await frameOf(2));
    await waitForStatus('ready');
  });

  it('scrolling into view after refresh() starts no second request', async () => {
    mount({ lazy: true });
    embed.refresh();
    makeReady(await frameOf(1));
    await waitForStatus('ready');
    setInView(true);
    await advanceClock();
    expect(host.requests).toHaveLength(1);
  });

  it('a lazy embed out of view requests a changed report when it is in view', async () => {
    mount({ lazy: true, reportId: 'a' });
    update({ lazy: true, reportId: 'b' });
    await advanceClock();
    expect(sent).not.toHaveBeenCalled();
    setInView(true);
    await frameOf(1);
    expect(host.requests).toEqual([{ reportId: 'b' }]);
  });

  it('the embed uses the last entry of a notification', async () => {
    mount({ lazy: true });
    notify([{ isIntersecting: false }, { isIntersecting: true }]);
    await frameOf(1);
    expect(host.requests).toHaveLength(1);
  });

  it('a lazy embed that is mounted again waits until it is in view', async () => {
    mount({ lazy: true });
    setInView(true);
    makeReady(await frameOf(1));
    await waitForStatus('ready');
    // A browser notifies the new observer later.
    vi.spyOn(IntersectionObserver.prototype, 'observe').mockReturnValue();
    const disconnect = vi.spyOn(IntersectionObserver.prototype, 'disconnect');
    unmount!();
    expect(disconnect).toHaveBeenCalledOnce();
    mount({ lazy: true });
    await advanceClock();
    expect(sent).toHaveBeenCalledOnce();
    setInView(true);
    await frameOf(2);
  });

  it('turning lazy off requests the URL out of view', async () => {
    mount({ lazy: true });
    await advanceClock();
    expect(sent).not.toHaveBeenCalled();
    update({ lazy: false });
    await frameOf(1);
    expect(host.requests).toHaveLength(1);
  });
});

it('a hidden page requests its URL when it becomes visible', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  mount();
  await advanceClock();
  expect(sent).not.toHaveBeenCalled();
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  makeReady(await frameOf(1));
  await waitForStatus('ready');
});

describe('a page that returns from the back/forward cache', () => {
  const show = (persisted: boolean) =>
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }));
  const showReport = async () => {
    mount();
    makeReady(await frameOf(1));
    await waitForStatus('ready');
  };

  it('removes its report if the user has signed out', async () => {
    await showReport();
    host.answers.push(refuse(401, 'not_signed_in'));
    show(true);
    await waitForStatus('failed');
    expect(causes).toEqual(['not_signed_in']);
    expect(frames()).toEqual([]);
  });

  it('keeps its report until the new one is there, or while the endpoint is away', async () => {
    await showReport();
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': '120' }));
    show(true);
    await waitFor(() => expect(causes).toEqual(['rate_limited']));
    expect(states.slice(-2)).toEqual(['refreshing', 'ready']);
  });

  it('is not one that loads for the first time', async () => {
    await showReport();
    show(false);
    await advanceClock();
    expect(sent).toHaveBeenCalledOnce();
  });
});
