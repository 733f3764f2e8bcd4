import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import {
  waitForStatus,
  causes,
  container,
  embed,
  filters,
  frameOf,
  frames,
  host,
  mount,
  update,
  setUpEmbed,
} from '../../test/core-stage.ts';
import { refuse } from '../../test/host-endpoint.ts';
import { makeReady, makeReadyForOpen, simulatePortalPage } from '../../test/portal-page.ts';

setUpEmbed();

it('the frame is removed when the request for a changed flag fails', async () => {
  mount({ reportId: 'r' });
  makeReady(await frameOf(1));
  await waitForStatus('ready');
  host.answers.push(refuse(502, 'portal_rejected_key'));
  update({ reportId: 'r', hideNavbar: true });
  expect(frames()).toHaveLength(1);
  await waitForStatus('failed');
  expect(frames()).toEqual([]);
  expect(causes).toEqual(['portal_rejected_key']);
});

it('a request has only the key and the value of each filter', async () => {
  const filter = { key: 'Region', value: 'West', toggle: () => {} };
  mount({ customFilters: [new Proxy(filter, {})] });
  await frameOf(1);
  embed.setFilters([new Proxy({ ...filter, value: 'East' }, {})]);
  await frameOf(2);
  expect(host.requests).toEqual([
    { customFilters: [{ key: 'Region', value: 'West' }] },
    { customFilters: [{ key: 'Region', value: 'East' }] },
  ]);
});

it('a changed report has the filters of the props, not those of setFilters', async () => {
  mount({ reportId: 'a' });
  await frameOf(1);
  embed.setFilters(filters);
  await frameOf(2);
  update({ reportId: 'b' });
  await frameOf(3);
  expect(host.requests.slice(1)).toEqual([
    { reportId: 'a', customFilters: filters },
    { reportId: 'b' },
  ]);
});

describe('the visible frame', () => {
  it('a changed title applies to the visible frame', async () => {
    mount({ title: 'Sales' });
    makeReady(await frameOf(1));
    await waitForStatus('ready');
    update({ title: 'Flights' });
    expect(frames()[0]!.title).toBe('Flights');
    update({});
    expect(frames()[0]!.title).toBe('Report');
  });

  it('a changed maxHeight applies to the visible frame', async () => {
    mount({ autoHeight: true, maxHeight: 500 });
    makeReady(await frameOf(1)).send({ type: 'resized', height: 900 });
    await waitFor(() => expect(container.style.height).toBe('500px'));
    update({ autoHeight: true, maxHeight: 600 });
    expect(container.style.height).toBe('600px');
    update({ autoHeight: true });
    expect(container.style.height).toBe('900px');
  });

  it('a changed autoHeight is sent to the visible frame', async () => {
    mount();
    const page = makeReady(await frameOf(1));
    await waitForStatus('ready');
    update({ autoHeight: true });
    await waitFor(() => expect(page.received).toEqual([{ type: 'set-options', autoHeight: true }]));
    page.send({ type: 'resized', height: 900 });
    await waitFor(() => expect(container.style.height).toBe('900px'));
    expect(frames()).toHaveLength(1);
    expect(host.requests).toHaveLength(1);
  });

  it.each([
    ['accentColor', '#1a7f37'],
    ['locale', 'de-AT'],
    ['theme', 'dark'],
  ])('a changed %s is sent once, without a request', async (name, value) => {
    mount();
    const page = makeReady(await frameOf(1));
    await waitForStatus('ready');
    update({ [name]: value });
    update({ [name]: value });
    update({});
    await waitFor(() =>
      expect(page.received).toEqual([
        { type: 'set-options', [name]: value },
        { type: 'set-options' },
      ]),
    );
    expect(host.requests).toHaveLength(1);
  });
});

describe('a page between boot and ready', () => {
  // No time limit, because a timeout would open another frame.
  const timeout = 0;

  it('a changed theme is sent to a page that opens a URL', async () => {
    mount({ timeout, theme: 'light' });
    const page = makeReadyForOpen(await frameOf(1));
    await waitForStatus('ready');
    embed.refresh();
    await page.waitForOpen(1);
    expect(page.connected).toMatchObject({ theme: 'light' });
    update({ timeout, theme: 'dark' });
    update({ timeout });
    await waitFor(() =>
      expect(page.received.slice(1)).toEqual([
        { type: 'set-options', theme: 'dark' },
        { type: 'set-options' },
      ]),
    );
    expect(host.requests).toHaveLength(2);
  });

  it('changed options are sent to the first page, which is not visible yet', async () => {
    mount({ timeout, theme: 'light' });
    const page = simulatePortalPage(await frameOf(1)).boot();
    update({ timeout, theme: 'dark', autoHeight: true });
    await waitFor(() =>
      expect(page.received).toEqual([{ type: 'set-options', theme: 'dark', autoHeight: true }]),
    );
    expect(host.requests).toHaveLength(1);
    expect(frames()).toHaveLength(1);
  });

  it('connect has the options that changed before boot', async () => {
    mount({ timeout, theme: 'light' });
    const page = simulatePortalPage(await frameOf(1));
    const options = {
      theme: 'dark',
      accentColor: '#1a7f37',
      locale: 'de',
      autoHeight: true,
    } as const;
    update({ timeout, ...options });
    expect(page.boot().connected).toMatchObject(options);
    expect(host.requests).toHaveLength(1);
  });
});

it('autoHeight and filters that change together both apply', async () => {
  mount();
  const page = makeReadyForOpen(await frameOf(1));
  await waitForStatus('ready');
  update({ autoHeight: true, customFilters: filters });
  await page.waitForOpen(1);
  expect(page.received[0]).toEqual({ type: 'set-options', autoHeight: true });
  expect(host.requests[1]).toEqual({ customFilters: filters });
  expect(host.requests).toHaveLength(2);
});
