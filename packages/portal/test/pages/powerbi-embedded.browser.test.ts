import { launchHeadless } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { unlinkReports } from '../../src/access/report-links.ts';
import { loadBuiltAssets } from '../support/built-assets.ts';
import { takeHeapSnapshots } from '../support/heap-snapshot.ts';
import { hurryScript } from '../support/hurry.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { productPage, startPowerbi, type PowerbiStage } from '../support/powerbi-stage.ts';
import { startReactHost } from '../support/react-host.ts';

type Browser = Awaited<ReturnType<typeof launchHeadless>>;

let powerbi: PowerbiStage;
let portal: TestPortal;
let browser: Browser;

buildFirst();
beforeAll(async () => {
  powerbi = await startPowerbi();
  const assets = await loadBuiltAssets();
  [portal, browser] = await Promise.all([
    startTestPortal({ assets, platforms: [powerbi.platform] }),
    launchHeadless(),
  ]);
  await powerbi.connect(portal);
});
afterAll(async () => {
  await browser.close();
  await portal.close();
  await powerbi.close();
});

const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin' };
const embedder = (policy: string) => ({ 'Cross-Origin-Embedder-Policy': policy });

/** What a page has left behind, in the words of Chromium. */
const counted = new Set(['Documents', 'Frames', 'JSEventListeners', 'Nodes']);

/** Opens the page of a host that shows `<PortalEmbed>` to a user. */
async function openHost({
  headers = {},
  init = '',
}: { headers?: Record<string, string>; init?: string } = {}) {
  const host = await startReactHost(portal, headers);
  const page = await browser.newPage();
  onTestFinished(async () => {
    await page.close();
    host.close();
  });
  /** Violations of policies, and what else the browser has logged as wrong. */
  const logged: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) logged.push(message.text());
  });
  page.on('pageerror', (error) => logged.push(String(error)));
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.route('https://app.powerbi.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: productPage }),
  );
  await page.addInitScript(`${init};
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('violation', violatedDirective, blockedURI));`);
  await page.goto(host.origin);
  const viewer = page.frameLocator('iframe');
  const product = viewer.frameLocator('.framed-page').frameLocator('iframe');
  const { address } = portal.acme;
  return {
    ...host,
    page,
    viewer,
    product,
    logged,
    requested,
    mount: (props: object = {}) =>
      page.evaluate(`mount(${JSON.stringify({ portalUrl: address, ...props })})`),
    unmount: () => page.evaluate('unmount()'),
    valuesOf: (type: string) =>
      page.evaluate<unknown[]>(
        `events.filter(({ type }) => type === '${type}').map(({ value }) => value)`,
      ),
    choose: (name: string) =>
      viewer.getByRole('navigation').getByRole('button', { name, exact: true }).click(),
    drawn: (reportId = powerbi.reportId) =>
      product.getByRole('heading', { name: reportId }).waitFor(),
  };
}

describe('a reader of a host', () => {
  it('goes from a built-in report to one of Power BI and back in one session', async () => {
    const { mount, signIn, choose, drawn, viewer, page, requested, requests, logged, valuesOf } =
      await openHost();
    signIn('both');
    await mount();
    await choose('Orders');
    await viewer.getByText('$70').waitFor();
    // A built-in report loads no code of Power BI.
    expect(requested.filter((url) => /powerbi|\/frames\//i.test(url))).toEqual([]);
    await choose('Shop sales');
    await drawn();
    await choose('Orders');
    await viewer.getByText('$70').waitFor();
    expect(page.frames()).toHaveLength(2);
    await choose('Shop on a phone');
    await drawn(powerbi.phoneReportId);
    expect(requests).toHaveLength(1);
    const { reportId } = portal.acme;
    expect(await valuesOf('navigate')).toMatchObject([
      { reportId },
      { reportId: powerbi.reportId },
      { reportId },
      { reportId: powerbi.phoneReportId },
    ]);
    expect(logged).toEqual([]);
  }, 60_000);

  it('makes the component report that it is ready, and what the reader does inside', async () => {
    const { mount, signIn, drawn, product, valuesOf, logged } = await openHost();
    signIn('west');
    const { reportId } = powerbi;
    await mount({ reportId, customFilters: [{ key: 'Country', value: 'Norway' }] });
    await drawn();
    await expect.poll(() => valuesOf('ready')).toEqual([{ unappliedFilters: ['Country'] }]);
    const before = (await valuesOf('view')).length;
    for (const name of ['Next page', 'Select Oslo', 'Export data'])
      await product.getByRole('button', { name }).click();
    await expect
      .poll(() => valuesOf('select'))
      .toMatchObject([{ field: 'Shop/City', values: ['Oslo'] }]);
    await expect.poll(async () => (await valuesOf('view')).length).toBeGreaterThan(before);
    await expect.poll(() => valuesOf('export')).toMatchObject([{ format: 'other', reportId }]);
    await product.getByRole('button', { name: 'Fail' }).click();
    await expect
      .poll(() => valuesOf('error'))
      .toEqual([expect.objectContaining({ cause: 'report_failed' })]);
    // The failure itself.
    expect(logged.filter((text) => !text.includes('LoadReportFailed'))).toEqual([]);
  });

  it('keeps page and frame while the component refreshes', async () => {
    const { mount, signIn, drawn, product, valuesOf } = await openHost();
    signIn('west');
    await mount({ reportId: powerbi.reportId, refreshInterval: 1_000 });
    await drawn();
    await product.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(async () => (await valuesOf('refresh')).length).toBeGreaterThan(1);
    const log = await product.locator('#log').textContent();
    expect(log!.match(/load/g)).toHaveLength(1);
    expect(log).toContain('refresh');
    expect(await product.locator('#page').textContent()).toBe('second');
  });

  it('leaves nothing behind when the component is unmounted', async () => {
    const { mount, unmount, signIn, drawn, page, requested } = await openHost({
      init: hurryScript(40_000, 50_000),
    });
    signIn('west');
    const devtools = await page.context().newCDPSession(page);
    const count = async () => {
      await devtools.send('HeapProfiler.collectGarbage');
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.filter(({ name }) => counted.has(name));
    };
    await devtools.send('Performance.enable');
    const show = async () => {
      await mount({ reportId: powerbi.reportId });
      await drawn();
      await unmount();
      await expect.poll(() => page.frames().length).toBe(1);
    };
    // The first mount loads what stays in any page.
    await show();
    const before = await count();
    await show();
    await show();
    await expect.poll(count).toEqual(before);
    const [snapshot] = await takeHeapSnapshots(page);
    for (const { token } of powerbi.standIn.issued) expect(snapshot!.includes(token)).toBe(false);
    const { length } = requested;
    await page.waitForTimeout(1_500);
    expect(requested).toHaveLength(length);
  }, 60_000);

  it('is followed on one screen by another, who finds nothing of the first', async () => {
    const { mount, signIn, drawn, page, product } = await openHost();
    signIn('west');
    await mount({ reportId: powerbi.reportId });
    await drawn();
    const first = powerbi.standIn.issued.at(-1)!.token;
    await product.getByRole('button', { name: 'Next page' }).click();
    signIn('east');
    await mount({ reportId: powerbi.reportId, hideMenu: true });
    await expect.poll(() => powerbi.standIn.issued.at(-1)!.token).not.toBe(first);
    const { token } = powerbi.standIn.issued.at(-1)!;
    await product.locator('#log').getByText(`load ${token}`).waitFor();
    expect(await product.locator('#page').textContent()).toBe('first');
    const snapshots = await takeHeapSnapshots(page);
    // As booleans, because a failure would print the whole snapshots.
    const holds = (text: string) => snapshots.map((snapshot) => snapshot.includes(text));
    expect(holds(token)).toContain(true);
    for (const text of [first, portal.acme.emails.west]) expect(holds(text)).not.toContain(true);
  }, 60_000);
});

describe('within a minute, the report is gone', () => {
  const open = async () => {
    const host = await openHost({ init: hurryScript(40_000) });
    host.signIn('east');
    await host.mount({ reportId: powerbi.reportId });
    await host.drawn();
    return host;
  };
  it('after the reader has signed out of the host', async () => {
    const { signIn, page, valuesOf } = await open();
    signIn(undefined);
    await portal.api('DELETE', `/api/user/${portal.acme.emails.east}/sessions`);
    await expect.poll(() => page.frames().length).toBe(1);
    expect(await valuesOf('error')).toMatchObject([{ cause: 'not_signed_in' }]);
  });

  it('after access was withdrawn', async () => {
    const { page, valuesOf } = await open();
    const { ctx, emails } = portal.acme;
    await unlinkReports(ctx, { userEmail: emails.east, reports: [powerbi.reportId] });
    await expect.poll(() => page.frames().length).toBeLessThan(3);
    expect(await valuesOf('error')).toMatchObject([{ cause: 'report_not_accessible' }]);
  });
});

describe.each([
  ['require-corp', { ...isolation, ...embedder('require-corp') }],
  ['credentialless', { ...isolation, ...embedder('credentialless') }],
] as const)('in a page with %s', (_, headers) => {
  it('a built-in report and one of Power BI are shown', async () => {
    const { mount, signIn, drawn, viewer, page, logged } = await openHost({ headers });
    expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    signIn('both');
    await mount({ reportId: portal.acme.reportId });
    await viewer.getByText('$70').waitFor();
    await mount({ reportId: powerbi.reportId });
    await drawn();
    expect(logged).toEqual([]);
  });
});
