import { expect, it } from 'vitest';

import { causesOf, expectLatestReport, messagesOf, mount, setUpEngine, statusOf } from './stage.ts';

const stage = setUpEngine();

/** While there is no network, answers every request with a page, as many service workers do. */
const worker = `
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    const offline = () =>
      new Response('<p>You are offline</p>', { headers: { 'content-type': 'text/html' } });
    event.respondWith(fetch(event.request).catch(offline));
  });`;

it('an offline page of a service worker does not count as an answer, and the report loads after `online`', async () => {
  const { page, host } = stage;
  host.answerOthers = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(worker);
  await page.evaluate(() => {
    void navigator.serviceWorker.register('/worker.js');
  });
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
    .toBe(true);
  host.answer = (request) => request.socket.resetAndDestroy();
  // The drivers of Firefox and WebKit cannot take the network away.
  const setOnline = (isOnline: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => value });
      dispatchEvent(new Event(value ? 'online' : 'offline'));
    }, isOnline);
  await setOnline(false);
  await mount(stage);
  await expect.poll(() => causesOf(stage), { timeout: 15_000 }).toEqual(['endpoint_unreachable']);
  expect(await messagesOf(stage)).toEqual(['No answer from /portal-embed/url.']);
  expect(await statusOf(stage)).toBe('failed');
  host.answer = undefined;
  await setOnline(true);
  await expectLatestReport(stage);
});
