import { launchChromium } from 'test-support';
import { expect, it } from 'vitest';

import { sendJson } from '../host-endpoint.ts';
import { frameCount, setUpBrowser, showsReport, waitForStatus } from './browser.ts';

// The headless shell has no back/forward cache.
const stage = setUpBrowser('metered-app.ts', {}, launchChromium);

/** Shows a report, and goes back to it after `act` on another page. */
async function goAwayAndBack(act: () => void) {
  await stage.page.evaluate(() => window.app.mount());
  await waitForStatus(stage.page, 'ready');
  await stage.page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => {
      document.title = persisted ? 'restored' : 'loaded';
    });
  });
  await stage.page.goto('about:blank');
  act();
  await stage.page.goBack({ waitUntil: 'commit' });
  await expect.poll(() => stage.page.title()).toBe('restored');
}

it('the report is restored and refreshed when the page returns from the back/forward cache', async () => {
  await goAwayAndBack(() => {});
  await expect.poll(() => stage.host.mints).toBe(2);
  await waitForStatus(stage.page, 'ready');
  // The channel still works: the page requests a new URL and gets it.
  await stage.page.evaluate(() => document.body.append(document.querySelector('#root')!));
  await expect.poll(() => stage.host.mints).toBe(3);
  await waitForStatus(stage.page, 'ready');
});

it('a user who has signed out does not get the report back with Back', async () => {
  await goAwayAndBack(() => {
    stage.host.answer = (_, response) =>
      sendJson(response, 401, { type: 'urn:portal-embed:problem:not_signed_in' });
  });
  await waitForStatus(stage.page, 'failed');
  expect(await frameCount(stage.page)).toBe(0);
});

it('the report is shown when history loads the page again', async () => {
  await stage.page.evaluate(() => window.app.mount());
  await waitForStatus(stage.page, 'ready');
  await stage.page.evaluate(() => addEventListener('unload', () => {}));
  await stage.page.goto('about:blank');
  await stage.page.goBack();
  await stage.page.evaluate(() => window.app.mount());
  await showsReport(stage.page, 2);
  expect(await frameCount(stage.page)).toBe(1);
});
