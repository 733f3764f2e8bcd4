import { expect, it } from 'vitest';

import { setOrigins } from '../../src/organizations/service.ts';
import { setUpFrameHost } from '../support/frame-host.ts';

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

const filtered = (key: string, value: string) => ({
  reportId: stage.portal.acme.reportId,
  customFilters: [{ key, value }],
});

it('the shell opens a report, and its token is in no address or resource entry', async () => {
  await load();
  expect(await read('boots')).toEqual([{ portalEmbed: 1, type: 'boot', accepts: ['open'] }]);
  const url = await mintFor('west');
  await openUrl(url, 1);
  await expectAnswer(1, { type: 'ready', unappliedFilters: [] });
  await frame().getByText('$30').waitFor();
  const seen = await readInFrame<string[]>(
    '[location.href, document.referrer, ...performance.getEntries().map(({ name }) => name)]',
  );
  expect(seen[0]).toBe(`${stage.portal.acme.address}/embed`);
  expect(seen.join(' ')).not.toContain(new URL(url).searchParams.get('token'));
});

it('a report that is opened in place draws its charts', async () => {
  await load();
  await openReport(1, 'both');
  await expect.poll(() => frame().locator('svg.plot').count()).toBe(2);
});

it('an open before the scripts of the page have loaded is answered', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await stage.page.route('**/assets/viewer-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await load();
  await openUrl(await mintFor('west'), 1);
  await stage.page.waitForResponse('**/identity');
  release();
  await expectAnswer(1, { type: 'ready' });
});

it('changed filters replace the numbers in place and keep the scroll position', async () => {
  await load();
  await openReport(1, 'both');
  await frame().getByText('$70').waitFor();
  await readInFrame('window.kept = true; scrollTo(0, 60)');
  await openReport(2, 'both', filtered('Region', 'East'));
  await frame().getByText('$40').waitFor();
  expect(await readInFrame('[scrollY, window.kept]')).toEqual([60, true]);
  expect(await read('boots.length')).toBe(1);
});

it('another report starts at its top', async () => {
  await load();
  await openReport(1, 'both');
  await readInFrame('scrollTo(0, 60)');
  await openReport(2, 'both', { reportId: stage.portal.acme.groupReportId });
  await frame().getByRole('heading', { level: 1, name: 'Orders of the group' }).waitFor();
  await expect.poll(() => readInFrame('scrollY')).toBe(0);
});

it('the reader stays in the report that they opened in the whole portal', async () => {
  await load();
  await openReport(1, 'both', {});
  await frame().getByRole('main').getByRole('button', { name: 'Orders', exact: true }).click();
  await frame().getByText('$70').waitFor();
  await openReport(2, 'both', { customFilters: [{ key: 'Region', value: 'East' }] });
  expect(await frame().getByText('$40').count()).toBe(1);
});

it('a page that was opened by its URL opens another one in place', async () => {
  await load(await mintFor('both'));
  await expect.poll(() => read('of("ready").length')).toBe(1);
  await openReport(1, 'both', filtered('Region', 'East'));
  await frame().getByText('$40').waitFor();
  expect(await read('boots.length')).toBe(1);
});

it('after a used URL, the report stays and the page asks for another URL', async () => {
  await load();
  const url = await mintFor('west');
  await openUrl(url, 1);
  await expectAnswer(1, { type: 'ready' });
  await openUrl(url, 2);
  await expectAnswer(2, { type: 'session-required', reason: 'used' });
  expect(await frame().getByText('$30').count()).toBe(1);
});

it('a page whose open gets no answer asks for another URL', async () => {
  await load();
  await stage.page.route('**/identity', (route) => route.abort());
  await openUrl(await mintFor('west'), 1);
  await expectAnswer(1, { type: 'session-required', reason: 'unknown' });
});

it('a URL of another address is ignored', async () => {
  await load();
  const url = await mintFor('west');
  await openUrl(url.replace(stage.portal.acme.address, stage.portal.globex.address), 1);
  await openUrl('javascript:alert(1)', 2);
  await openUrl(url, 3);
  await expectAnswer(3, { type: 'ready' });
  expect([await answers(1), await answers(2)]).toEqual([[], []]);
});

it('an embed origin that was withdrawn gets no report, and the URL stays unused', async () => {
  await load();
  const url = await mintFor('west');
  await setOrigins(stage.portal.acme.ctx, { embedOrigins: ['http://later.localhost:3000'] });
  await openUrl(url, 1);
  await expectAnswer(1, { type: 'failed', cause: 'blocked_by_portal' });
  await setOrigins(stage.portal.acme.ctx, { embedOrigins: [stage.hostOrigin] });
  await openUrl(url, 2);
  await expectAnswer(2, { type: 'ready' });
});

it('a reloaded page sends leaving and boot, and the host can open a report in it again', async () => {
  await load();
  await openReport(1, 'west');
  await readInFrame('location.reload()');
  await expect.poll(() => read('boots.length')).toBe(2);
  expect(await read('of("leaving").length')).toBe(1);
  await openReport(2, 'west');
  await frame().getByText('$30').waitFor();
});

it('a missing script asks the host for another document', async () => {
  await stage.page.route('**/assets/viewer-*.js', (route) => route.fulfill({ status: 404 }));
  await load();
  await expect
    .poll(() => read('of("session-required")'))
    .toContainEqual({ type: 'session-required', reason: 'incomplete' });
});

it("another user's session removes the previous report before it draws its own", async () => {
  await load();
  await openReport(1, 'west');
  await readInFrame(`
    window.seen = [];
    new MutationObserver(() => seen.push(document.body.innerText)).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
    });`);
  await openReport(2, 'east');
  await frame().getByText('$40').waitFor();
  const seen = await readInFrame<string[]>('seen');
  const mixed = seen.filter((text) => text.includes('east@') && /west@|\$30\b/.test(text));
  expect(mixed).toEqual([]);
  expect(seen.some((text) => !/west@|east@/.test(text))).toBe(true);
});

it('a heap snapshot after a change of user holds nothing of the previous one', async () => {
  await load();
  await openReport(1, 'west');
  await openReport(2, 'west', filtered('Category', 'Chairs'));
  await openReport(3, 'east');
  const snapshot = await takeHeapSnapshot();
  // As booleans, because a failure would print the whole snapshot.
  const { east, west } = stage.portal.acme.emails;
  expect([snapshot.includes(east), snapshot.includes(west)]).toEqual([true, false]);
});

/** Returns a heap snapshot of the frame, taken after a garbage collection. */
async function takeHeapSnapshot(): Promise<string> {
  const [, child] = stage.page.frames();
  const devtools = await stage.page.context().newCDPSession(child!);
  const chunks: string[] = [];
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await devtools.detach();
  return chunks.join('');
}

it('opened by hand, the shell says where to open the report', async () => {
  await stage.page.goto(`${stage.portal.acme.address}/embed`);
  const heading = stage.page.getByRole('heading', { name: 'Open this from your application' });
  await expect.poll(() => heading.isVisible()).toBe(true);
});

it('in a frame, the shell shows nothing until a report is opened', async () => {
  await load();
  const heading = frame().getByText('Open this from your application');
  await expect.poll(() => heading.count()).toBe(1);
  await expect.poll(() => heading.isVisible()).toBe(false);
});

it('numbers and dates have the locale of the host, and change with it at once', async () => {
  await read("void (options = { locale: 'de-DE' })");
  await load();
  await openReport(1, 'both');
  await frame().getByText('70\u00a0$').waitFor();
  await frame().getByText('Jan', { exact: false }).first().waitFor();
  const requests: string[] = [];
  stage.page.on('request', (request) => requests.push(request.url()));
  await read("port.postMessage({ type: 'set-options', locale: 'en-GB' })");
  await frame().getByText('US$70').waitFor();
  expect(await frame().getByText('70\u00a0$').count()).toBe(0);
  await read("port.postMessage({ type: 'set-options', locale: 'not a tag' })");
  await frame().getByText('$70', { exact: true }).waitFor();
  expect(requests).toEqual([]);
  expect(await readInFrame('document.documentElement.lang')).toBe('en');
});

it('the page reports its height only while the host sets autoHeight', async () => {
  await load();
  await openReport(1, 'both');
  expect(await read('of("resized")')).toEqual([]);
  await read("port.postMessage({ type: 'set-options', autoHeight: true })");
  await expect.poll(() => read('of("resized").length')).toBeGreaterThan(0);
  await read("port.postMessage({ type: 'set-options' })");
  await expect
    .poll(() => readInFrame('document.documentElement.dataset.autoHeight'))
    .toBe(undefined);
  // A chart that was drawn meanwhile has changed the height once more.
  const sent = await read('of("resized").length');
  await openReport(2, 'both', filtered('Region', 'Nowhere'));
  await frame().getByText('No rows').first().waitFor();
  expect(await read('of("resized").length')).toBe(sent);
});

it('a yellow, near-black, near-white, blue, green or good accent is visible in light and dark', async () => {
  await load();
  await openReport(1, 'both', {});
  for (const accentColor of ['#ffe600', '#050505', '#fdfdfd', '#0000ff', '#00ff00', '#1a7f37'])
    for (const theme of ['light', 'dark']) {
      const options = { type: 'set-options', theme, accentColor };
      await read(`port.postMessage(${JSON.stringify(options)})`);
      await expect.poll(() => readInFrame('document.documentElement.dataset.theme')).toBe(theme);
      const contrasts = await readInFrame<Record<string, number>>(measureContrasts);
      const invisible = Object.entries(contrasts).filter(([, contrast]) => contrast < 4.5);
      expect([accentColor, theme, invisible]).toEqual([accentColor, theme, []]);
    }
});

/** Measures the contrast of the accent on each surface, from the painted colors. */
const measureContrasts = `(() => {
  const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
    .getContext('2d', { willReadFrequently: true });
  const probe = document.body.appendChild(document.createElement('i'));
  const luminance = (color) => {
    probe.style.color = \`var(\${color})\`;
    context.fillStyle = getComputedStyle(probe).color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((value) =>
      value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const contrasts = Object.fromEntries([
    ...['--background', '--surface', '--surface-raised', '--accent-soft', '--on-accent'].map(
      (surface) => [surface, contrast('--accent-strong', surface)]),
    ['chart', contrast('--chart', '--surface')],
  ]);
  probe.remove();
  return contrasts;
})()`;
