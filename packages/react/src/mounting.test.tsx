import { act, render, screen, waitFor } from '@testing-library/react';
import * as React from 'react';
import { createElement, StrictMode, version } from 'react';
import type { ComponentType, PropsWithChildren } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { passTime, sent } from '../test/clock.ts';
import { becomes, frame, frames, host, setStage } from '../test/component-stage.ts';
import { becomeReady, playPortalPage } from '../test/portal-page.ts';
import { PortalEmbed } from './PortalEmbed.ts';

/** Of React 19 only. */
const { Activity } = React as {
  Activity?: ComponentType<PropsWithChildren<{ mode: 'visible' | 'hidden' }>>;
};

setStage();

it('runs on the React that the project names', () => {
  expect(version.split('.')[0]).toBe(process.env['REACT_MAJOR']);
});

describe('mounting', () => {
  it('fetches one URL and shows it in one frame of the given title', async () => {
    const onReady = vi.fn();
    render(
      <PortalEmbed endpoint={host.url} reportId="r1" hideMenu title="Sales" onReady={onReady} />,
    );
    expect(screen.getByRole('status')).toHaveTextContent('Loading report');
    becomeReady(await frame()).ready(['Nope']);
    await becomes('ready');
    expect(host.requests).toEqual([{ reportId: 'r1', hideMenu: true }]);
    expect(screen.getByTitle('Sales')).toHaveAttribute(
      'src',
      'http://portal.localhost:4100/identity?token=1',
    );
    expect(onReady).toHaveBeenCalledExactlyOnceWith({ type: 'ready', unappliedFilters: [] });
    expect(screen.getByRole('status')).toHaveTextContent('Report loaded');
  });

  it('asks the host page itself for a URL by default', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('offline'));
    render(<PortalEmbed />);
    await waitFor(() =>
      expect(fetched).toHaveBeenCalledWith(
        '/portal-embed/url',
        expect.objectContaining({ method: 'POST', body: '{}' }),
      ),
    );
  });

  it('sends one POST for a mount in StrictMode', async () => {
    render(<PortalEmbed endpoint={host.url} />, { wrapper: StrictMode });
    becomeReady(await frame());
    await becomes('ready');
    await passTime();
    expect(sent).toHaveBeenCalledOnce();
    expect(frames()).toHaveLength(1);
  });

  it('sends no POST for a mount that is undone at once', async () => {
    render(<PortalEmbed endpoint={host.url} />).unmount();
    await passTime();
    expect(sent).not.toHaveBeenCalled();
  });

  it('sends at most two POSTs for twenty fast remounts', async () => {
    // However busy the machine, to the embed each takes 5 ms. Begins past any pause of another test.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let now = performance.now() + 250;
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

  it('asks for at most four URLs at a time', async () => {
    host.answers.push(...Array.from({ length: 4 }, () => () => {}));
    render(Array.from({ length: 6 }, (_, key) => <PortalEmbed key={key} endpoint={host.url} />));
    // The last two start when the first four time out, after 30 seconds.
    await passTime(20_000);
    expect(sent).toHaveBeenCalledTimes(4);
  });
});

// React 18 has none.
describe.each(Activity ? [Activity] : [])('inside an Activity', (Boundary) => {
  it('comes back with what it shall show now, and not at the place of another report', async () => {
    const ui = (mode: 'visible' | 'hidden', reportId: string) =>
      createElement(Boundary, { mode }, <PortalEmbed endpoint={host.url} reportId={reportId} />);
    const { rerender } = render(ui('visible', 'a'));
    const state = { path: '/organizations/o/reports/a', scroll: 9 };
    becomeReady(await frame(), state);
    await becomes('ready');
    rerender(ui('hidden', 'a'));
    await waitFor(() => expect(frames()).toHaveLength(0));
    rerender(ui('hidden', 'b'));
    rerender(ui('visible', 'b'));
    const page = playPortalPage(await frame()).boot();
    expect(host.requests.at(-1)).toEqual({ reportId: 'b' });
    expect(page.connected?.state).toBeUndefined();
    page.ready();
    await becomes('ready');
  });
});

describe('unmounting', () => {
  it('aborts the request that is under way', async () => {
    host.answers.push(() => {});
    const { unmount } = render(<PortalEmbed endpoint={host.url} />);
    await waitFor(() => expect(host.requests).toHaveLength(1));
    unmount();
    await waitFor(() => expect(host.aborted).toBe(1));
  });

  it('removes the frame and stops listening', async () => {
    const { unmount } = render(<PortalEmbed endpoint={host.url} />);
    const page = playPortalPage(await frame());
    unmount();
    expect(frames()).toHaveLength(0);
    page.boot();
    expect(page.connected).toBeUndefined();
  });
});
