import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';

import {
  embed,
  frameOf,
  mount,
  position,
  setUpEmbed,
  waitForStatus,
} from '../../test/core-stage.ts';
import { makeReady, makeReadyForOpen, simulatePortalPage } from '../../test/portal-page.ts';

setUpEmbed();

it('a page that is opened in place keeps its position by itself', async () => {
  mount();
  const page = makeReadyForOpen(await frameOf(1)).send({ type: 'view', ...position });
  await waitForStatus('ready');
  embed.refresh();
  await page.waitForOpen(1);
  expect(page.received.map(({ type }) => type)).toEqual(['open']);
});

it('a frame that replaces another has the latest position in connect', async () => {
  mount();
  const shown = makeReady(await frameOf(1), { view: 'page-one', scroll: 0 });
  await waitForStatus('ready');
  shown.send({ type: 'view', ...position });
  embed.refresh();
  await waitFor(async () =>
    expect(simulatePortalPage(await frameOf(2)).boot().position).toEqual(position),
  );
});

it('the position of the first frame is kept and is not sent back to it', async () => {
  mount();
  const page = simulatePortalPage(await frameOf(1)).boot();
  page.send({ type: 'view', ...position }).ready();
  await waitForStatus('ready');
  expect(page.received).toEqual([]);
  page.send({ type: 'session-required', reason: 'reloaded' });
  expect(simulatePortalPage(await frameOf(2)).boot().position).toEqual(position);
});
