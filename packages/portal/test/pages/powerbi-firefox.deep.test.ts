import { buildFirst } from 'test-support/build';
import { startFirefox, type Engine, type EnginePage } from 'test-support/engines';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { unlinkReports } from '../../src/access/report-links.ts';
import { loadBuiltAssets } from '../support/built-assets.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { productPage, startPowerbi, type PowerbiStage } from '../support/powerbi-stage.ts';
import { startReactHost } from '../support/react-host.ts';

let powerbi: PowerbiStage;
let portal: TestPortal;
let engine: Engine;

buildFirst();
beforeAll(async () => {
  powerbi = await startPowerbi();
  const assets = await loadBuiltAssets();
  [portal, engine] = await Promise.all([
    startTestPortal({ assets, platforms: [powerbi.platform] }),
    startFirefox(),
  ]);
  await powerbi.connect(portal);
});
afterAll(async () => {
  await engine.close();
  await portal.close();
  await powerbi.close();
});

// oxlint-disable-next-line no-eval -- runs in the browser, whose types are not known here
const evaluate = (script: string) => (0, eval)(script) as unknown;
const patient = { timeout: 20_000 };

/** Opens the page of a host that shows `<PortalEmbed>` to a user. */
async function openHost(headers: Record<string, string> = {}) {
  const host = await startReactHost(portal, headers);
  const page: EnginePage = await engine.openPage();
  onTestFinished(async () => {
    await page.close();
    host.close();
  });
  await page.answerOrigin!('https://app.powerbi.com', productPage);
  await page.open(host.origin);
  /** Evaluates a script in the host's page (0), the portal's (1), or the product's (3). */
  const read = async <Value>(depth: number, script: string) =>
    (await page.evaluateAt!(depth)(evaluate, script).catch(() => undefined)) as Value | undefined;
  await page.evaluate(
    evaluate,
    `window.violations = [];
    addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective));`,
  );
  return {
    ...host,
    read,
    mount: (props: object = {}) =>
      read(0, `mount(${JSON.stringify({ portalUrl: portal.acme.address, ...props })})`),
    press: (id: string) => read(3, `document.querySelector('#${id}').click()`),
    textOf: (id: string) => read<string>(3, `document.querySelector('#${id}').textContent`),
    valuesOf: (type: string) =>
      read<unknown[]>(
        0,
        `events.filter(({ type }) => type === '${type}').map(({ value }) => value)`,
      ),
  };
}

it('Firefox shows built-in reports and those of Power BI in one page, and renews an ended token', async () => {
  const { mount, signIn, read, press, textOf, valuesOf } = await openHost();
  signIn('both');
  await mount({ reportId: portal.acme.reportId });
  await expect.poll(() => read(1, 'document.body.innerText'), patient).toContain('$70');
  const customFilters = [{ key: 'Shop/City', value: 'Oslo' }];
  await mount({ reportId: powerbi.reportId, customFilters });
  await expect.poll(() => textOf('state'), patient).toBe('drawn');
  expect(await textOf('filters')).toBe('Shop/City = Oslo');
  await press('next');
  await press('select');
  await expect.poll(() => valuesOf('select')).toMatchObject([{ values: ['Oslo'] }]);
  const first = powerbi.standIn.issued.at(-1)!.token;
  await press('expire');
  await expect.poll(() => textOf('state'), patient).toBe('drawn');
  const { token } = powerbi.standIn.issued.at(-1)!;
  expect(token).not.toBe(first);
  expect(await textOf('log')).toMatch(new RegExp(`token ${token}load ${token}`));
  expect(await textOf('page')).toBe('second');
  await mount({ reportId: portal.acme.reportId });
  await expect.poll(() => read(1, 'document.body.innerText'), patient).toContain('$70');
  expect(await read(1, 'frames.length')).toBe(0);
  expect(await read(0, 'violations')).toEqual([]);
  expect(await valuesOf('error')).toEqual([]);
});

it('in Firefox, another user of the screen starts anew, and an unmounted embed leaves no frame', async () => {
  const { mount, signIn, read, press, textOf } = await openHost();
  signIn('west');
  await mount({ reportId: powerbi.reportId });
  await expect.poll(() => textOf('state'), patient).toBe('drawn');
  await press('next');
  const first = powerbi.standIn.issued.at(-1)!.token;
  signIn('east');
  await mount({ reportId: powerbi.reportId, hideMenu: true });
  await expect.poll(() => powerbi.standIn.issued.at(-1)!.token, patient).not.toBe(first);
  const { token } = powerbi.standIn.issued.at(-1)!;
  await expect.poll(() => textOf('log'), patient).toContain(`load ${token}`);
  expect(await textOf('page')).toBe('first');
  await read(0, 'unmount()');
  await expect.poll(() => read(0, 'frames.length')).toBe(0);
});

it('in Firefox, a report is gone when its access was withdrawn', async () => {
  const { mount, signIn, read, textOf, valuesOf } = await openHost();
  signIn('east');
  await mount({ reportId: powerbi.phoneReportId });
  await expect.poll(() => textOf('state'), patient).toBe('drawn');
  const { ctx, emails } = portal.acme;
  await unlinkReports(ctx, { userEmail: emails.east, reports: [powerbi.phoneReportId] });
  await expect
    .poll(() => valuesOf('error'), { timeout: 60_000 })
    .toMatchObject([{ cause: 'report_not_accessible' }]);
  expect(await read(1, 'frames.length')).toBeFalsy();
});

it.each(['require-corp', 'credentialless'])(
  'in a page with %s, Firefox shows built-in reports and says once that it cannot show those of Power BI',
  async (policy) => {
    const { mount, signIn, read, requests, valuesOf } = await openHost({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': policy,
    });
    expect(await read(0, 'crossOriginIsolated')).toBe(true);
    signIn('both');
    await mount({ reportId: portal.acme.reportId });
    await expect.poll(() => read(1, 'document.body.innerText'), patient).toContain('$70');
    await mount({ reportId: powerbi.reportId });
    await expect
      .poll(() => valuesOf('error'), patient)
      .toMatchObject([{ cause: 'blocked_by_host' }]);
    const { length } = requests;
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(requests).toHaveLength(length);
    expect(await valuesOf('error')).toHaveLength(1);
  },
);
