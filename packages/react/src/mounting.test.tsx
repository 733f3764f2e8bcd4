import { act, render, screen, waitFor } from '@testing-library/react';
import * as React from 'react';
import { createElement, StrictMode, version } from 'react';
import type { ComponentType, PropsWithChildren } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { advanceClock, sent } from '../test/clock.ts';
import { waitForStatus, frame, frames, host, setUpEmbed } from '../test/component-stage.ts';
import { makeReady, simulatePortalPage } from '../test/portal-page.ts';
import { PortalEmbed } from './PortalEmbed.ts';

/** Only in React 19. */
const { Activity } = React as {
  Activity?: ComponentType<PropsWithChildren<{ mode: 'visible' | 'hidden' }>>;
};

setUpEmbed();

it('the tests run on the React version of the project', () => {
  expect(version.split('.')[0]).toBe(process.env['REACT_MAJOR']);
});

describe('mounting', () => {
  it('a mount requests one URL and opens it in one frame with the title', async () => {
    const onReady = vi.fn();
    render(
      <PortalEmbed endpoint={host.url} reportId="r1" hideMenu title="Sales" onReady={onReady} />,
    );
    expect(screen.getByRole('status')).toHaveTextContent('Loading report');
    makeReady(await frame()).ready(['Nope']);
    await waitForStatus('ready');
    expect(host.requests).toEqual([{ reportId: 'r1', hideMenu: true }]);
    expect(screen.getByTitle('Sales')).toHaveAttribute(
      'src',
      'http://portal.localhost:4100/identity?token=1',
    );
    expect(onReady).toHaveBeenCalledExactlyOnceWith({ unappliedFilters: [] });
    expect(screen.getByRole('status')).toHaveTextContent('Report loaded');
  });

  it('the default endpoint is on the host page’s origin', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('offline'));
    render(<PortalEmbed />);
    await waitFor(() =>
      expect(fetched).toHaveBeenCalledWith(
        `${location.origin}/portal-embed/url`,
        expect.objectContaining({ method: 'POST', body: '{}' }),
      ),
    );
  });

  it('a mount in StrictMode sends one POST', async () => {
    render(<PortalEmbed endpoint={host.url} />, { wrapper: StrictMode });
    makeReady(await frame());
    await waitForStatus('ready');
    await advanceClock();
    expect(sent).toHaveBeenCalledOnce();
    expect(frames()).toHaveLength(1);
  });

  it('a mount that ends at once sends no POST', async () => {
    render(<PortalEmbed endpoint={host.url} />).unmount();
    await advanceClock();
    expect(sent).not.toHaveBeenCalled();
  });

  it('twenty fast remounts send at most two POSTs', async () => {
    // A fake clock makes each remount take 5 ms. It starts after the pause of any earlier test.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let now = performance.now() + 250;
    // On a busy machine, an answer could arrive before its embed is unmounted.
    host.answers.push(() => {});
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const pass = (ms: number) =>
      act(async () => {
        now += ms;
        await vi.advanceTimersByTimeAsync(ms);
      });
    for (let mount = 1; mount < 20; mount++) {
      const view = render(<PortalEmbed endpoint={host.url} />);
      await pass(5);
      view.unmount();
    }
    render(<PortalEmbed endpoint={host.url} />);
    await pass(400);
    expect(sent).toHaveBeenCalledTimes(2);
  });

  it('a page requests at most four URLs at a time', async () => {
    host.answers.push(...Array.from({ length: 4 }, () => () => {}));
    render(Array.from({ length: 6 }, (_, key) => <PortalEmbed key={key} endpoint={host.url} />));
    // The last two start after the first four time out, in 30 seconds.
    await advanceClock(20_000);
    expect(sent).toHaveBeenCalledTimes(4);
  });
});

// React 18 has no Activity.
describe.each(Activity ? [Activity] : [])('inside an Activity', (Boundary) => {
  it('an Activity that becomes visible shows the current report without the old position', async () => {
    const ui = (mode: 'visible' | 'hidden', reportId: string) =>
      createElement(Boundary, { mode }, <PortalEmbed endpoint={host.url} reportId={reportId} />);
    const { rerender } = render(ui('visible', 'a'));
    const state = { view: 'page-two', scroll: 9 };
    makeReady(await frame(), state);
    await waitForStatus('ready');
    rerender(ui('hidden', 'a'));
    await waitFor(() => expect(frames()).toHaveLength(0));
    rerender(ui('hidden', 'b'));
    rerender(ui('visible', 'b'));
    const page = simulatePortalPage(await frame()).boot();
    expect(host.requests.at(-1)).toEqual({ reportId: 'b' });
    expect(page.position).toEqual({});
    page.ready();
    await waitForStatus('ready');
  });
});

describe('unmounting', () => {
  it('aborts the running request', async () => {
    host.answers.push(() => {});
    const { unmount } = render(<PortalEmbed endpoint={host.url} />);
    await waitFor(() => expect(host.requests).toHaveLength(1));
    unmount();
    await waitFor(() => expect(host.aborted).toBe(1));
  });

  it('removes the frame and its listeners', async () => {
    const { unmount } = render(<PortalEmbed endpoint={host.url} />);
    const page = simulatePortalPage(await frame());
    unmount();
    expect(frames()).toHaveLength(0);
    page.boot();
    expect(page.connected).toBeUndefined();
  });
});
