import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { passTime, sent } from '../../test/clock.ts';
import {
  becomes,
  causes,
  container,
  embed,
  filters,
  frameOf,
  frames,
  host,
  mount,
  place,
  states,
  update,
  setStage,
} from '../../test/core-stage.ts';
import { refuse } from '../../test/host-endpoint.ts';
import { becomeReady, playPortalPage } from '../../test/portal-page.ts';

setStage();

it('a frame that does not show what was asked for goes when that cannot be had', async () => {
  mount({ reportId: 'r' });
  becomeReady(await frameOf(1));
  await becomes('ready');
  host.answers.push(refuse(502, 'portal_rejected_key'));
  update({ reportId: 'r', hideNavbar: true });
  expect(frames()).toHaveLength(1);
  await becomes('failed');
  expect(frames()).toEqual([]);
  expect(causes).toEqual(['portal_rejected_key']);
});

describe('filters that are changed in place', () => {
  it('tell onRefresh which of them no column answers to', async () => {
    const [onReady, onRefresh] = [vi.fn(), vi.fn()];
    mount({ onReady, onRefresh });
    const page = becomeReady(await frameOf(1));
    await becomes('ready');
    embed.setFilters([{ key: 'Nope', value: 'x' }]);
    page.ready(['Nope']);
    await waitFor(() =>
      expect(onRefresh.mock.calls).toEqual([[{ type: 'ready', unappliedFilters: ['Nope'] }]]),
    );
    expect(onReady).toHaveBeenCalledOnce();
  });

  it('and cannot be had tell onError, and leave the report and its URL', async () => {
    mount();
    const page = becomeReady(await frameOf(1));
    await becomes('ready');
    embed.setFilters(filters);
    page.send({ type: 'failed', cause: 'report_failed' });
    await waitFor(() => expect(causes).toEqual(['report_failed']));
    await passTime();
    expect(states.at(-1)).toBe('ready');
    expect(frames()).toHaveLength(1);
    expect(sent).toHaveBeenCalledOnce();
  });
});

it('sends no more of a filter than the endpoint is asked for', async () => {
  mount();
  const page = becomeReady(await frameOf(1));
  await becomes('ready');
  const filter = { key: 'Region', value: 'West', toggle: () => {} };
  embed.setFilters([new Proxy(filter, {})]);
  update({ customFilters: [new Proxy({ ...filter, value: 'East' }, {})] });
  await waitFor(() =>
    expect(page.received).toEqual([
      { type: 'set-filters', filters: [{ key: 'Region', value: 'West' }] },
      { type: 'set-filters', filters: [{ key: 'Region', value: 'East' }] },
    ]),
  );
});

describe('the frame on show takes', () => {
  it('another title', async () => {
    mount({ title: 'Sales' });
    becomeReady(await frameOf(1));
    await becomes('ready');
    update({ title: 'Flights' });
    expect(frames()[0]!.title).toBe('Flights');
    update({});
    expect(frames()[0]!.title).toBe('Report');
  });

  it('another maxHeight', async () => {
    mount({ autoHeight: true, maxHeight: 500 });
    becomeReady(await frameOf(1)).send({ type: 'resized', height: 900 });
    await waitFor(() => expect(container.style.height).toBe('500px'));
    update({ autoHeight: true, maxHeight: 600 });
    expect(container.style.height).toBe('600px');
    update({ autoHeight: true });
    expect(container.style.height).toBe('900px');
  });

  it('another autoHeight through a fresh one, at the same place', async () => {
    mount();
    becomeReady(await frameOf(1), place);
    await becomes('ready');
    update({ autoHeight: true });
    const { connected } = playPortalPage(await frameOf(2)).boot();
    expect(connected).toMatchObject({ autoHeight: true, state: place });
  });
});

describe('a page that has booted and is not ready', () => {
  // No deadline, which would bring another page too.
  const timeout = 0;
  const bootNext = async (token: number) => playPortalPage(await frameOf(token)).boot().connected;

  it('is told of another theme, and so is the one on show', async () => {
    mount({ timeout, theme: 'light' });
    const shown = becomeReady(await frameOf(1), place);
    await becomes('ready');
    embed.refresh();
    const pending = playPortalPage(await frameOf(2)).boot();
    expect(pending.connected).toMatchObject({ theme: 'light' });
    update({ timeout, theme: 'dark' });
    update({ timeout });
    for (const { received } of [shown, pending])
      await waitFor(() =>
        expect(received).toEqual([
          { type: 'set-theme', theme: 'dark' },
          { type: 'set-theme', theme: undefined },
        ]),
      );
    expect(host.requests).toHaveLength(2);
  });

  it('has the newest theme if that came before', async () => {
    mount({ timeout, theme: 'light' });
    const page = playPortalPage(await frameOf(1));
    update({ timeout, theme: 'dark' });
    expect(page.boot().connected).toMatchObject({ theme: 'dark' });
    expect(host.requests).toHaveLength(1);
  });

  it('gives way to one with another autoHeight', async () => {
    mount({ timeout });
    await bootNext(1);
    update({ timeout, autoHeight: true });
    expect(await bootNext(2)).toMatchObject({ autoHeight: true });
  });
});

it('another autoHeight is not lost where other filters come with it', async () => {
  mount();
  becomeReady(await frameOf(1));
  await becomes('ready');
  update({ autoHeight: true, customFilters: filters });
  const { connected } = playPortalPage(await frameOf(2)).boot();
  expect(connected).toMatchObject({ autoHeight: true });
  expect(host.requests[1]).toEqual({ customFilters: filters });
  expect(host.requests).toHaveLength(2);
});
