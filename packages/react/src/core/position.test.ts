import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import {
  waitForStatus,
  embed,
  frameOf,
  mount,
  position,
  setUpEmbed,
} from '../../test/core-stage.ts';
import { makeReady, simulatePortalPage } from '../../test/portal-page.ts';

setUpEmbed();

const start = { path: '/organizations/o', scroll: 0 };

/** Starts a refresh whose page has booted and sent its position. */
async function openRefresh() {
  mount();
  const shown = makeReady(await frameOf(1), start);
  await waitForStatus('ready');
  embed.refresh();
  const pending = simulatePortalPage(await frameOf(2)).boot();
  pending.send({ type: 'state', state: start });
  return { shown, pending };
}

describe('the position during a refresh', () => {
  it('each position of the visible frame is sent to the pending one', async () => {
    const { shown, pending } = await openRefresh();
    shown.send({ type: 'state', state: { ...position, scroll: 0 } });
    shown.send({ type: 'state', state: position });
    await waitFor(() =>
      expect(pending.received).toEqual([
        { type: 'state', state: { ...position, scroll: 0 } },
        { type: 'state', state: position },
      ]),
    );
  });

  it('connect has the latest position of the visible frame', async () => {
    mount();
    const shown = makeReady(await frameOf(1), start);
    await waitForStatus('ready');
    embed.refresh();
    const pending = simulatePortalPage(await frameOf(2));
    shown.send({ type: 'state', state: position });
    await waitFor(() => expect(pending.boot().connected?.state).toEqual(position));
  });

  it('the position of a pending frame is ignored', async () => {
    const { shown, pending } = await openRefresh();
    shown.send({ type: 'state', state: position });
    await waitFor(() => expect(pending.received).toHaveLength(1));
    pending.send({ type: 'state', state: start }).ready();
    await waitForStatus('ready');
    pending.send({ type: 'session-required', reason: 'reloaded' });
    expect(simulatePortalPage(await frameOf(3)).boot().connected?.state).toEqual(position);
  });
});

it('the position of the first frame is kept and is not sent back to it', async () => {
  mount();
  const page = simulatePortalPage(await frameOf(1)).boot();
  page.send({ type: 'state', state: position }).ready();
  await waitForStatus('ready');
  expect(page.received).toEqual([]);
  page.send({ type: 'session-required', reason: 'reloaded' });
  expect(simulatePortalPage(await frameOf(2)).boot().connected?.state).toEqual(position);
});
