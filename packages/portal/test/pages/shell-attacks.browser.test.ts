import { expect, it, onTestFinished } from 'vitest';

import { setOrigins } from '../../src/organizations/service.ts';
import { setUpFrameHost } from '../support/frame-host.ts';
import { startResettingProxy } from '../support/resetting-proxy.ts';
import { mint, open } from '../support/viewer.ts';

const {
  stage,
  frame,
  read,
  readInFrame,
  answers,
  expectAnswer,
  load,
  mintFor,
  openUrl,
  openReport,
} = setUpFrameHost();

const expectNothingShown = async () => expect(await frame().getByText('$30').count()).toBe(0);
/** Spends the URL, which shows that nothing has spent it before. */
const expectUnused = async (url: string) => expect((await open(url)).status).toBe(200);

it('an open that is replayed in another document gets no report', async () => {
  await load();
  const url = await mintFor('west');
  await openUrl(url, 1);
  await expectAnswer(1, { type: 'ready' });
  await readInFrame('location.reload()');
  await expect.poll(() => read('boots.length')).toBe(2);
  await openUrl(url, 2);
  await expectAnswer(2, { type: 'session-required', reason: 'used' });
  await expectNothingShown();
});

it('an expired URL gets no report and says that it has expired', async () => {
  await load();
  const url = await mintFor('west');
  await stage.portal.db
    .updateTable('identity_urls')
    .set({ expires_at: new Date(0) })
    .execute();
  await openUrl(url, 1);
  await expectAnswer(1, { type: 'session-required', reason: 'expired' });
  await expectNothingShown();
});

it('an open from a window that does not embed the page is ignored', async () => {
  // The host stays silent, so that the other window is the first one to connect.
  await read('isSilent = true');
  await load();
  const url = await mintFor('west');
  const connectAndOpen = (id: number) => `
    const channel = new MessageChannel();
    channel.port1.onmessage = ({ data }) => received.push(data);
    shell.postMessage({ portalEmbed: 1, type: 'connect' }, '*', [channel.port2]);
    channel.port1.postMessage({ type: 'open', url: ${JSON.stringify(url)}, id: ${id} });`;
  await read(`new Promise((resolve) => {
    const sibling = document.createElement('iframe');
    sibling.srcdoc = \`<script>
      const received = [], shell = parent.frames[0];
      ${connectAndOpen(1)}
    </script>\`;
    sibling.onload = resolve;
    document.body.append(sibling);
  })`);
  await read(`{ const received = messages, shell = frames[0]; ${connectAndOpen(2)} }`);
  await expectAnswer(2, { type: 'ready' });
  expect(await stage.page.frames()[2]!.evaluate('[received, origin]')).toEqual([
    [],
    stage.hostOrigin,
  ]);
});

it('a page outside a frame ignores an open', async () => {
  const url = await mintFor('west');
  const [popup] = await Promise.all([
    stage.page.waitForEvent('popup'),
    read(`void (window.popup = open('${stage.portal.acme.address}/embed'))`),
  ]);
  await popup.waitForLoadState();
  await read(`{
    const channel = new MessageChannel();
    popup.postMessage({ portalEmbed: 1, type: 'connect' }, '*', [channel.port2]);
    channel.port1.postMessage({ type: 'open', url: ${JSON.stringify(url)}, id: 1 });
  }`);
  // The messages have arrived before this answer.
  expect(await popup.evaluate('window.portalFrame')).toBeUndefined();
  expect(await popup.getByText('$30').count()).toBe(0);
  await expectUnused(url);
});

it('a token of another address gets no report and stays unused', async () => {
  const { acme, globex } = stage.portal;
  await load();
  const url = await mint(stage.portal, globex, {
    userEmail: globex.emails.west,
    reportId: globex.reportId,
  });
  await openUrl(url.replace(globex.address, acme.address), 1);
  await expectAnswer(1, { type: 'session-required', reason: 'unknown' });
  await expectNothingShown();
  await expectUnused(url);
});

it.each([
  ['another site', 'window'],
  ['an opaque origin', 'frames[0]'],
])('a page of %s cannot spend a token', async (_, sender) => {
  const { acme } = stage.portal;
  const url = await mintFor('west');
  const body = JSON.stringify({
    token: new URL(url).searchParams.get('token'),
    embedOrigin: stage.hostOrigin,
  });
  await stage.page.goto(stage.hostOrigin.replace('host.', 'evil.'));
  // Without `allow-same-origin`, the origin of the frame is `null`.
  await read(`new Promise((resolve) => {
    const frame = document.querySelector('iframe');
    frame.sandbox = 'allow-scripts';
    frame.srcdoc = '<p>';
    frame.onload = resolve;
  })`);
  const page = sender === 'window' ? stage.page.mainFrame() : stage.page.frames()[1]!;
  const results = await page.evaluate<string[]>(`(async () => {
    const post = (options) =>
      fetch('${acme.address}/identity', { method: 'POST', body: ${JSON.stringify(body)}, ...options })
        .then(({ type }) => type, () => 'rejected');
    const headers = { 'content-type': 'application/json' };
    return [
      origin,
      await post({ headers }),
      await post({ mode: 'no-cors' }),
      await post({ mode: 'no-cors', headers }),
      await post({ mode: 'no-cors', credentials: 'include', referrerPolicy: 'no-referrer' }),
    ];
  })()`);
  expect(results.slice(1)).toEqual(['rejected', 'opaque', 'opaque', 'opaque']);
  expect(results[0] === 'null').toBe(sender !== 'window');
  await expectUnused(url);
});

it('a POST that the browser sends again asks the host for another URL', async () => {
  const { acme, publicUrl } = stage.portal;
  const proxy = await startResettingProxy(Number(new URL(publicUrl).port), 'POST /identity');
  onTestFinished(async () => {
    proxy.close();
    await setOrigins(acme.ctx, { addresses: [acme.address] });
  });
  const address = `http://proxied.portal.localhost:${proxy.port}`;
  await setOrigins(acme.ctx, { addresses: [acme.address, address] });
  const { reportId } = acme;
  await load(`${address}/embed`);
  // Only a connection that has been used before lets the browser send the request again.
  await readInFrame("fetch('/embed').then((response) => response.text())");
  await openUrl(await mintFor('west', { reportId, baseUrl: address }), 1);
  await expectAnswer(1, { type: 'session-required', reason: 'used' });
  expect(proxy.seen).toBe(2);
  await expectNothingShown();
  await openReport(2, 'west', { reportId, baseUrl: address });
});

it('an embed origin that was withdrawn cannot frame the shell that the browser has kept', async () => {
  await load();
  await setOrigins(stage.portal.acme.ctx, { embedOrigins: ['http://later.localhost:3000'] });
  await read(`new Promise((resolve) => {
    const again = document.createElement('iframe');
    again.src = document.querySelector('iframe').src;
    again.onload = resolve;
    document.body.append(again);
  })`);
  expect(await read('boots.length')).toBe(1);
});

it('messages that do not match the contract, and a second connect, change nothing', async () => {
  await load();
  const { origin } = new URL(stage.portal.acme.address);
  const own = await mintFor('west');
  const requested: string[] = [];
  stage.page.on('request', (request) => requested.push(request.url()));
  await read(`{
    const own = ${JSON.stringify(own)}, evil = own.replace('${origin}', 'https://evil.localhost');
    const urls = [undefined, null, 7, [], {}, '', evil, evil.replace('https:', ''),
      own.replace('://', '://evil.localhost@').replace('acme', 'evil'), own.replace('://', '://evil.'),
      'javascript:parent.postMessage(1, "*")', 'data:text/html,x', { toString: null, valueOf: null }];
    const options = {
      theme: ['pink', 7, {}, '"];x'],
      accentColor: [null, 'red', '#1a7f37;}*{display:none}', 'url(https://evil.localhost)', 'x'.repeat(1e6)],
      locale: [null, '\\0', '__proto__', '<b>', 'x'.repeat(1e6), 7, ['de']],
      autoHeight: [1, 'yes', {}],
    };
    const { port1, port2 } = new MessageChannel();
    for (const message of [
      null, 1, '', [], new Map([['type', 'open']]), new ArrayBuffer(8), new Error('x'),
      JSON.parse('{"__proto__": {"type": "open", "id": 1}}'), { type: '__proto__' },
      ...urls.map((url) => ({ type: 'open', url, id: 1 })),
      ...Object.entries(options).flatMap(([name, values]) =>
        values.map((value) => ({ type: 'set-options', [name]: value }))),
    ]) port.postMessage(message);
    port1.onmessage = ({ data }) => messages.push(data);
    frames[0].postMessage({ portalEmbed: 1, type: 'connect', theme: 'dark' }, '*', [port2]);
    port1.postMessage({ type: 'open', url: own, id: 1 });
  }`);
  await openReport(2, 'west');
  expect(await frame().getByText('$30').count()).toBe(1);
  expect(await answers(1)).toEqual([]);
  expect(
    await readInFrame(`[
      document.documentElement.dataset.theme,
      document.documentElement.style.getPropertyValue('--accent'),
      'autoHeight' in document.documentElement.dataset,
    ]`),
  ).toEqual(['auto', '', false]);
  expect(requested.filter((url) => /evil|identity/.test(url))).toEqual([`${origin}/identity`]);
  await expectUnused(own);
});
