import { act, render, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { waitForStatus, frame, frames, host, setUpEmbed } from '../test/component-stage.ts';
import { makeReadyForOpen, simulatePortalPage } from '../test/portal-page.ts';
import { PortalEmbed } from './PortalEmbed.ts';
import type { PortalEmbedProps } from './PortalEmbed.ts';

setUpEmbed();

async function open(props: PortalEmbedProps) {
  const ui = (next: PortalEmbedProps) => <PortalEmbed endpoint={host.url} {...next} />;
  const { rerender } = render(ui(props));
  const page = makeReadyForOpen(await frame());
  await waitForStatus('ready');
  return { page, change: (next: PortalEmbedProps) => rerender(ui(next)) };
}
const viewsReceived = ({ received }: ReturnType<typeof simulatePortalPage>) =>
  received.filter(({ type }) => type === 'set-view');

describe('view and initialView', () => {
  it.each([
    [{ view: 'a' }, 'a'],
    [{ initialView: 'b' }, 'b'],
    [{ view: 'a', initialView: 'b' }, 'a'],
    [{ view: '', initialView: 'b' }, ''],
    [{}, undefined],
  ])('a page that connects is asked for the view of %j', async (props, view) => {
    const { page } = await open(props);
    expect(page.connected).toHaveProperty('view', view);
  });

  it('a changed view is shown in the page, without a request', async () => {
    const { page, change } = await open({ view: 'a' });
    change({ view: 'b' });
    change({ view: '' });
    await waitFor(() =>
      expect(page.received).toEqual([
        { type: 'set-view', view: 'b' },
        { type: 'set-view', view: '' },
      ]),
    );
    expect(host.requests).toHaveLength(1);
  });

  it('a view without a value leaves the reader where they are', async () => {
    const { page, change } = await open({ view: 'a' });
    change({});
    change({ initialView: 'b' });
    change({ view: 'c' });
    await waitFor(() => expect(page.received).toEqual([{ type: 'set-view', view: 'c' }]));
  });

  it('a frame that is loaded again has the latest view of the reader', async () => {
    const { page } = await open({ view: 'a' });
    page.send({ type: 'view', view: 'b', scroll: 40 });
    page.send({ type: 'session-required', reason: 'incomplete' });
    await waitFor(() => expect(frames()[0]?.src).toContain('token=2'));
    const { position } = simulatePortalPage(frames()[0]!).boot();
    expect(position).toEqual({ view: 'b', scroll: 40 });
  });

  it('another report gets its view together with its URL', async () => {
    const { page, change } = await open({ reportId: 'r', view: 'a' });
    change({ reportId: 's', view: 'b' });
    expect(await page.waitForOpen(1)).toMatchObject({ view: 'b' });
    expect(viewsReceived(page)).toEqual([]);
  });

  it('another report without a view does not get that of the previous one', async () => {
    const { page, change } = await open({ reportId: 'r', initialView: 'a' });
    page.send({ type: 'view', view: 'b', scroll: 40 });
    change({ reportId: 's', initialView: 'a' });
    expect((await page.waitForOpen(1)).view).toBeUndefined();
  });
});

describe('onViewChange', () => {
  it('is called for another view, but not for a scroll or a view of the host', async () => {
    const onViewChange = vi.fn();
    const { page, change } = await open({ view: 'a', onViewChange });
    page.send({ type: 'view', view: 'a', scroll: 0 });
    page.send({ type: 'view', view: 'b', scroll: 0 });
    page.send({ type: 'view', view: 'b', scroll: 40 });
    await waitFor(() => expect(onViewChange).toHaveBeenCalled());
    change({ view: 'c', onViewChange });
    page.send({ type: 'view', view: 'c', scroll: 40 });
    page.send({ type: 'view', view: '', scroll: 40 });
    await waitFor(() => expect(onViewChange.mock.calls).toEqual([['b'], ['']]));
  });

  it('is called for a view of another report once that report is open', async () => {
    const onViewChange = vi.fn();
    const { page, change } = await open({ reportId: 'r', onViewChange });
    change({ reportId: 's', onViewChange });
    const { id } = await page.waitForOpen(1);
    page.send({ type: 'view', id, view: 'b', scroll: 0 });
    await waitFor(() => expect(onViewChange.mock.calls).toEqual([['b']]));
  });

  it('the view of a report as it opens is no change', async () => {
    const onViewChange = vi.fn();
    const { page } = await open({ onViewChange });
    page.send({ type: 'view', view: '', scroll: 0 });
    page.send({ type: 'view', view: 'b', scroll: 0 });
    await waitFor(() => expect(onViewChange.mock.calls).toEqual([['b']]));
  });

  it('a view that the host passes back is not sent to the page again', async () => {
    const { page, change } = await open({
      view: '',
      onViewChange: (view) => act(() => change({ view, onViewChange: () => {} })),
    });
    page.send({ type: 'view', view: 'b', scroll: 0 });
    await waitFor(() => expect(host.requests).toHaveLength(1));
    change({ view: 'c' });
    await waitFor(() => expect(viewsReceived(page)).toEqual([{ type: 'set-view', view: 'c' }]));
  });
});

it('onSelect gets the field and the values of the selected marks', async () => {
  const onSelect = vi.fn();
  const { page } = await open({ onSelect });
  page.send({ type: 'selected', field: 'Region', values: ['West'] });
  page.send({ type: 'selected', field: 'Region', values: [] });
  await waitFor(() => expect(onSelect).toHaveBeenCalledTimes(2));
  expect(onSelect.mock.calls.map(([{ field, values }]) => [field, values])).toEqual([
    ['Region', ['West']],
    ['Region', []],
  ]);
});
