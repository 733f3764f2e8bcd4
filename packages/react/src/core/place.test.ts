import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { becomes, embed, frameOf, mount, place, setStage } from '../../test/core-stage.ts';
import { becomeReady, playPortalPage } from '../../test/portal-page.ts';

setStage();

const start = { path: '/organizations/o', scroll: 0 };

/** A refresh whose page has booted and tells where it begins. */
async function openRefresh() {
  mount();
  const shown = becomeReady(await frameOf(1), start);
  await becomes('ready');
  embed.refresh();
  const pending = playPortalPage(await frameOf(2)).boot();
  pending.send({ type: 'state', state: start });
  return { shown, pending };
}

describe('where the reader goes in the frame on show, while a fresh one is on its way,', () => {
  it('is told to the fresh one, step by step', async () => {
    const { shown, pending } = await openRefresh();
    shown.send({ type: 'state', state: { ...place, scroll: 0 } });
    shown.send({ type: 'state', state: place });
    await waitFor(() =>
      expect(pending.received).toEqual([
        { type: 'state', state: { ...place, scroll: 0 } },
        { type: 'state', state: place },
      ]),
    );
  });

  it('is where a fresh one begins that has not booted yet', async () => {
    mount();
    const shown = becomeReady(await frameOf(1), start);
    await becomes('ready');
    embed.refresh();
    const pending = playPortalPage(await frameOf(2));
    shown.send({ type: 'state', state: place });
    await waitFor(() => expect(pending.boot().connected?.state).toEqual(place));
  });

  it('is the place from then on, whatever the fresh one tells of itself', async () => {
    const { shown, pending } = await openRefresh();
    shown.send({ type: 'state', state: place });
    await waitFor(() => expect(pending.received).toHaveLength(1));
    pending.send({ type: 'state', state: start }).ready();
    await becomes('ready');
    pending.send({ type: 'session-required', reason: 'reloaded' });
    expect(playPortalPage(await frameOf(3)).boot().connected?.state).toEqual(place);
  });
});

it('the place of the first frame is what it tells, and is not told back to it', async () => {
  mount();
  const page = playPortalPage(await frameOf(1)).boot();
  page.send({ type: 'state', state: place }).ready();
  await becomes('ready');
  expect(page.received).toEqual([]);
  page.send({ type: 'session-required', reason: 'reloaded' });
  expect(playPortalPage(await frameOf(2)).boot().connected?.state).toEqual(place);
});
