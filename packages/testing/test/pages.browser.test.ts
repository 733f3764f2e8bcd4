import type { PortalEmbedElement } from '@portal-embed/react/element';
import { launchHeadless } from 'test-support';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startFakePortal } from '../src/index.ts';
import type { FakePortal } from '../src/index.ts';
import { startHostPage } from './host-page.ts';
import type { HostPage } from './host-page.ts';

type Browser = Awaited<ReturnType<typeof launchHeadless>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

const reportId = '6a1f4c1e-0000-4000-8000-000000000001';
const userEmail = 'west@acme.example';

let browser: Browser;
let portal: FakePortal;
let host: HostPage;
let page: Page;

beforeAll(async () => {
  browser = await launchHeadless();
  portal = await startFakePortal({
    users: [userEmail],
    reports: [{ id: reportId, name: 'Sales' }],
  });
  host = await startHostPage(portal, userEmail);
});
afterAll(async () => {
  await browser?.close();
  host?.close();
  await portal?.close();
});

/** Adds an embed to the host's page. Its events are in `window.events`. */
const addEmbed = () =>
  page.evaluate((id) => {
    const events: string[] = [];
    const embed = document.createElement('portal-embed');
    embed.options = { reportId: id };
    embed.addEventListener('statechange', ({ detail }) => events.push(detail.status));
    embed.addEventListener('failure', ({ detail }) => events.push(detail.cause));
    embed.addEventListener('selection', ({ detail }) => events.push(String(detail.values)));
    document.body.append(embed);
    Object.assign(window, { events });
  }, reportId);
const readEvents = () => page.evaluate(() => (window as unknown as { events: string[] }).events);

beforeEach(async () => {
  portal.show('ready');
  portal.minted.length = 0;
  page = await browser.newPage();
  await page.goto(host.url);
  return () => page.close();
});

describe('a page of the fake portal in a browser', () => {
  it('is shown by the component, for the user of the host', async () => {
    await addEmbed();
    await page.frameLocator('iframe').getByText(`Report ${reportId}`).waitFor();
    await page.frameLocator('iframe').getByText(userEmail).waitFor();
    await expect.poll(readEvents).toEqual(['minting', 'loading', 'ready']);
    expect(portal.minted).toMatchObject([{ userEmail, reportId, isOpened: true }]);
  });

  // #region page
  it('sends what the test does, and refreshes after the end of its session', async () => {
    await addEmbed();
    await expect.poll(readEvents).toContain('ready');
    const shown = portal.pages.at(-1)!;
    shown.select('Region', ['West', 'East']);
    await expect.poll(readEvents).toContain('West,East');
    shown.endSession();
    await expect.poll(() => portal.minted.length).toBe(2);
    await expect
      .poll(readEvents)
      .toEqual(expect.arrayContaining(['refreshing', 'ready']) as string[]);
    await page.evaluate(() => document.querySelector<PortalEmbedElement>('portal-embed')!.print());
    await expect.poll(() => shown.received.at(-1)).toEqual({ type: 'print' });
  });
  // #endregion

  it('fails as its scenario says', async () => {
    portal.show('report_not_accessible');
    await addEmbed();
    await expect.poll(readEvents).toContain('report_not_accessible');
  });
});

it('fakeEmbeds shows a page in a browser, and sends no request', async () => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.evaluate(() => {
    window.fakeEmbeds();
  });
  await addEmbed();
  await page.frameLocator('iframe').getByText(`Report ${reportId}`).waitFor();
  await expect.poll(readEvents).toEqual(['minting', 'loading', 'ready']);
  expect(requested).toEqual([]);
});
