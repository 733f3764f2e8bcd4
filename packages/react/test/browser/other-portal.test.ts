import type { RequestListener } from 'node:http';

import { startOtherPortal } from 'other-portal';
import type { OtherPortal } from 'other-portal';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { readJson, sendJson } from '../host-endpoint.ts';
import { frameCount, headingInFrame, setUpSharedPage, waitForStatus } from './browser.ts';

// A portal whose pages are plain HTML, without scripts and so without the frame channel.
const stage = setUpSharedPage();
let portal: OtherPortal;
beforeEach(async () => {
  portal = await startOtherPortal();
  stage.host.answer = (request, response) => void mint(request, response);
  await stage.page.evaluate(() => (Math.random = () => 0));
});
afterEach(() => portal[Symbol.asyncDispose]());

/** Answers as a host endpoint, with a URL of the other portal. */
async function mint(...[request, response]: Parameters<RequestListener>) {
  const { apiUrl, apiKey, portalUrl: baseUrl, state } = portal;
  const body = await readJson(request);
  const { organizationId } = state;
  const report = body['reportId'] === undefined ? {} : { organizationId };
  const minted = await fetch(`${apiUrl}/api/identity/url`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ userEmail: 'ana@meridian.example', baseUrl, ...report, ...body }),
  });
  sendJson(response, minted.status, (await minted.json()) as object);
}

const mount = (props: object = {}) =>
  stage.page.evaluate((given) => window.app.mount(given), {
    reportId: portal.state.reports[0]!.id,
    ...props,
  });
const app = () =>
  stage.page.evaluate(() => ({
    readies: window.app.readies,
    causes: window.app.causes,
    refreshes: window.app.refreshes,
  }));
const unverified = { unappliedFilters: [], unverified: true };
const signIns = () => portal.requests.filter((each) => each === 'GET /sign-in').length;
const rows = () => stage.page.frameLocator('iframe').locator('tbody tr').count();

it('a portal without the frame channel is ready, and the event says that this is unverified', async () => {
  await mount();
  await waitForStatus(stage.page, 'ready');
  expect(await headingInFrame(stage.page)).toBe('Orders');
  expect(await app()).toEqual({ readies: [unverified], causes: [], refreshes: [] });
  expect(signIns()).toBe(1);
});

it('without the frame channel, options and methods of the page change nothing and do not fail', async () => {
  await mount();
  await waitForStatus(stage.page, 'ready');
  await mount({ theme: 'dark', locale: 'de', accentColor: '#ff0000', autoHeight: true, view: 'v' });
  await stage.page.evaluate(() => {
    window.app.handle!.export('csv');
    window.app.handle!.print();
  });
  expect(await headingInFrame(stage.page)).toBe('Orders');
  expect(await app()).toEqual({ readies: [unverified], causes: [], refreshes: [] });
  expect(signIns()).toBe(1);
});

it('without the frame channel, filters, flags and a refresh show the report through new URLs', async () => {
  await mount();
  await waitForStatus(stage.page, 'ready');
  expect(await rows()).toBe(2);
  await stage.page.evaluate(() =>
    window.app.handle!.setFilters([{ key: 'City', value: 'Manaus' }]),
  );
  await expect.poll(() => app()).toMatchObject({ readies: [unverified, unverified] });
  expect(await rows()).toBe(1);
  await mount({ embed: true });
  await expect.poll(async () => (await app()).readies.length).toBe(3);
  expect(await stage.page.frameLocator('iframe').locator('nav, menu').count()).toBe(0);
  await stage.page.evaluate(() => window.app.handle!.refresh());
  await expect.poll(async () => (await app()).readies.length).toBe(4);
  expect(signIns()).toBe(4);
  expect(await frameCount(stage.page)).toBe(1);
  expect((await app()).causes).toEqual([]);
});

it('a portal without a shell below its path is opened by the URL', async () => {
  await mount({ portalUrl: portal.portalUrl });
  await waitForStatus(stage.page, 'ready');
  expect(await headingInFrame(stage.page)).toBe('Orders');
  expect((await app()).causes).toEqual([]);
  expect(signIns()).toBe(1);
});

it('with handshake="required", a portal without the frame channel is not_answering', async () => {
  await mount({ handshake: 'required' });
  await waitForStatus(stage.page, 'failed');
  expect((await app()).causes).toEqual(['not_answering']);
  expect(await frameCount(stage.page)).toBe(0);
});
