import { randomUUID } from 'node:crypto';

import type { Fault } from 'platform-powerbi/testing/stand-in';
import { send } from 'test-support';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { setOrigins } from '../../src/organizations/service.ts';
import { signInAs } from '../support/admin.ts';
import { setUpFrameHost } from '../support/frame-host.ts';
import { productPage, startPowerbi, type PowerbiStage } from '../support/powerbi-stage.ts';

let powerbi: PowerbiStage;
const { stage, frame, read, hurry, expectAnswer, load, mintFor, openUrl, openReport } =
  setUpFrameHost({}, async () => {
    powerbi = await startPowerbi();
    return [powerbi.platform];
  });
beforeAll(() => powerbi.connect(stage.portal));
afterAll(() => powerbi.close());

/** Violations of policies, and what else the browser has logged as wrong. */
let logged: string[];
beforeEach(async () => {
  logged = [];
  stage.page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) logged.push(message.text());
  });
  await stage.page.route('https://app.powerbi.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: productPage }),
  );
});

const productIn = (viewer: Pick<ReturnType<typeof frame>, 'frameLocator'>) =>
  viewer.frameLocator('.framed-page').frameLocator('iframe');
const product = () => productIn(frame());
const press = (name: string) => product().getByRole('button', { name }).click();
const textOf = (id: string) => product().locator(id).textContent();
const shown = () => ({ reportId: powerbi.reportId });
const latestToken = () => powerbi.standIn.issued.at(-1)!.token;
const listExports = async () =>
  (await stage.portal.api('GET', '/api/report-audit?action=2')).json().data as object[];
/** The settings with which the report was loaded. */
const readSettings = async (viewer = product()) =>
  JSON.parse(
    (await viewer.locator('#log').textContent())!.replace(
      /^load \S+ 1 (\{.*?\})(?:[a-z].*)?$/,
      '$1',
    ),
  );

describe('a report of Power BI', () => {
  it('is shown in its own page with a token of the reader, and tells the host', async () => {
    await load();
    await openReport(1, 'west', {
      ...shown(),
      customFilters: [{ key: 'Shop/City', value: 'Oslo' }],
    });
    await product().getByRole('heading', { name: powerbi.reportId }).waitFor();
    const { token, request } = powerbi.standIn.issued.at(-1)!;
    expect(request.identities).toEqual([
      { username: 'west@acme.example', roles: ['West'], datasets: [powerbi.modelId] },
    ]);
    expect(await textOf('#log')).toContain(`load ${token}`);
    expect(await textOf('#filters')).toBe('Shop/City = Oslo');
    await expectAnswer(1, { type: 'ready', unappliedFilters: [] });
    const [, , inner] = stage.page.frames();
    const fit = `(({ clientWidth, scrollHeight, clientHeight }) => [
      clientWidth - document.querySelector('iframe').clientWidth, scrollHeight - clientHeight,
    ])(document.documentElement)`;
    expect(await inner!.evaluate(fit)).toEqual([0, 0]);
    expect(logged).toEqual([]);
  });

  it('shows filters and pages of Power BI, and none of its bars, under each display flag', async () => {
    await load();
    for (const [id, flags] of [{}, { embed: true }].entries()) {
      await openReport(id + 1, 'west', { ...shown(), ...flags });
      expect(await readSettings()).toMatchObject({
        bars: { actionBar: { visible: false }, statusBar: { visible: false } },
        panes: { filters: { visible: true }, pageNavigation: { visible: true } },
        commands: [{ exportData: { displayOption: 0 }, seeData: { displayOption: 0 } }],
      });
    }
  });

  it('follows the theme of the host in place, and is loaded anew in another language', async () => {
    await load();
    await openReport(1, 'west', shown());
    expect(await textOf('#theme')).toBe('Light');
    await read(`port.postMessage({ type: 'set-options', theme: 'dark', locale: 'en' })`);
    await expect.poll(() => textOf('#theme')).toBe('Dark');
    await read(`port.postMessage({ type: 'set-options', theme: 'light', locale: 'en' })`);
    await expect.poll(() => textOf('#theme')).toBe('Light');
    expect((await textOf('#log'))!.match(/load/g)).toHaveLength(1);
    const isLocale = async (language: string) =>
      expect
        .poll(async () => (await readSettings()).localeSettings)
        .toEqual({ language, formatLocale: language });
    await isLocale('en');
    await read(`port.postMessage({ type: 'set-options', theme: 'dark', locale: 'de' })`);
    await isLocale('de');
    expect(await textOf('#theme')).toBe('Dark');
  });

  it.each([
    ['a wide page does not get the phone layout', 800, 'phoneReportId', 'Master'],
    ['a narrow page gets the phone layout', 390, 'phoneReportId', 'MobilePortrait'],
    ['a narrow page gets the usual layout of a report without another', 390, 'reportId', 'Master'],
  ] as const)('%s', async (_, width, report, layout) => {
    await read(`document.querySelector('iframe').style.width = '${width}px'`);
    await load();
    const customFilters = [{ key: 'Shop/City', value: 'Oslo' }];
    await openReport(1, 'west', { reportId: powerbi[report], customFilters });
    await expect.poll(() => textOf('#layout')).toBe(layout);
    expect(await textOf('#filters')).toBe('Shop/City = Oslo');
    expect(await textOf('#log')).not.toContain('unknown');
    expect(logged).toEqual([]);
  });

  it('that Power BI cannot load fails, and can be tried again', async () => {
    await load();
    await openReport(1, 'west', shown());
    await press('Fail');
    await frame().getByRole('heading', { name: 'The report could not be shown' }).waitFor();
    expect(await frame().locator('iframe').count()).toBe(0);
    await frame().getByRole('button', { name: 'Try again' }).click();
    await product().getByRole('heading', { name: powerbi.reportId }).waitFor();
  });

  it('counts an export', async () => {
    await load();
    await openReport(1, 'west', shown());
    const before = (await listExports()).length;
    await press('Export data');
    await expect.poll(async () => (await listExports()).length).toBe(before + 1);
  });

  it('hides the export of data from somebody who views as the reader', async () => {
    const { portal, page } = stage;
    const { acme } = portal;
    const browser = await signInAs(portal, acme, 1, `${randomUUID()}@acme.example`);
    const found = await portal.api('GET', `/api/user?email=${acme.emails.west}`);
    const { id } = found.json().data[0];
    const path = `/organizations/${acme.id}/users/${id}/view`;
    const minted = await browser.send('POST', path, { json: {} });
    await setOrigins(acme.ctx, { embedOrigins: [stage.hostOrigin, portal.adminUrl] });
    await page.goto(minted.json().url);
    await page.getByRole('main').getByRole('button', { name: 'Shop sales', exact: true }).click();
    await productIn(page).getByRole('heading', { name: powerbi.reportId }).waitFor();
    const { commands } = await readSettings(productIn(page));
    expect(commands).toEqual([{ exportData: { displayOption: 2 }, seeData: { displayOption: 2 } }]);
  });
});

describe('the view of the reader', () => {
  const readView = async () => (await read<{ view: string }[]>(`of('view')`)).at(-1)?.view;
  const filteredBy = (city: string) => ({
    ...shown(),
    customFilters: [{ key: 'Shop/City', value: city }],
  });

  it('shows the page of the reader again in a new frame, and its filters unless the host has others', async () => {
    await load();
    await openReport(1, 'west', filteredBy('Oslo'));
    const before = await readView();
    await press('Next page');
    await expect.poll(readView).not.toBe(before);
    const view = await readView();
    for (const city of ['Oslo', 'Rome']) {
      await stage.page.goto(stage.hostOrigin);
      await read(`options = ${JSON.stringify({ view })}`);
      await load(await mintFor('west', filteredBy(city)));
      await product().getByText('second', { exact: true }).waitFor();
      expect(await textOf('#filters')).toBe(`Shop/City = ${city}`);
      const hasBookmark = (await textOf('#log'))!.includes('bookmark state of second');
      expect(hasBookmark).toBe(city === 'Oslo');
    }
  });

  it('tells the host what is selected', async () => {
    await load();
    await openReport(1, 'west', shown());
    await press('Select Oslo');
    await press('Select nothing');
    await expect
      .poll(() => read(`of('selected')`))
      .toEqual([
        { type: 'selected', field: 'Shop/City', values: ['Oslo'] },
        { type: 'selected', field: 'Shop/City', values: [] },
      ]);
  });
});

describe('the token', () => {
  it('is renewed before it ends, and the report is not loaded again', async () => {
    powerbi.standIn.tokenSeconds = 125;
    onTestFinished(() => void (powerbi.standIn.tokenSeconds = 3_600));
    await hurry(9_000, 20_000);
    await load();
    await openReport(1, 'west', shown());
    const first = latestToken();
    await press('Next page');
    await expect.poll(latestToken).not.toBe(first);
    await expect.poll(() => textOf('#log')).toContain(`token ${latestToken()}`);
    expect((await textOf('#log'))!.match(/load/g)).toHaveLength(1);
    expect(await textOf('#page')).toBe('second');
  });

  it('that Power BI has ended is replaced, and the report is loaded where the reader was', async () => {
    await load();
    await openReport(1, 'west', shown());
    const first = latestToken();
    await press('Next page');
    await press('End the token');
    await expect.poll(() => textOf('#state')).toBe('drawn');
    const token = latestToken();
    expect(token).not.toBe(first);
    expect(await textOf('#log')).toMatch(new RegExp(`token ${token}load ${token}`));
    expect(await textOf('#page')).toBe('second');
    expect(await frame().getByRole('alert').count()).toBe(0);
  });

  it('a confirmation keeps the session of a reader who works only inside the frame', async () => {
    await hurry(40_000);
    await load();
    await openReport(1, 'west', shown());
    const { db } = stage.portal;
    const readTouched = async () =>
      (
        await db
          .selectFrom('portal_sessions')
          .select('touched_at')
          .orderBy('created_at', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow()
      ).touched_at.getTime();
    const idle = new Date(Date.now() - 29 * 60_000);
    await db.updateTable('portal_sessions').set({ touched_at: idle }).execute();
    await expect.poll(readTouched).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('without a report', () => {
  const failed = (title: string) => frame().getByRole('heading', { name: title }).waitFor();

  it('a reader without a role sees no rows, and Power BI is not asked', async () => {
    const count = powerbi.standIn.issued.length;
    await load();
    await openReport(1, 'none', shown());
    await failed('No rows');
    expect(powerbi.standIn.issued).toHaveLength(count);
    expect(await frame().locator('iframe').count()).toBe(0);
  });

  it.each<[Fault, string, RegExp]>([
    ['trial-used-up', 'This report cannot be shown', /Assign the workspace to a capacity/],
    ['no-rights', 'This report cannot be shown', /Add it there as a member/],
    ['not-allowed', 'This report cannot be shown', /tenant settings/],
    ['paused', 'The data source is unavailable', /Resume it in the Azure portal/],
    ['throttled', 'Too many reports are being computed', /too many requests/],
  ])(
    'a reader learns what to do when Power BI answers %s, and the log says why',
    async (fault, title, reason) => {
      powerbi.standIn.faults.set('/GenerateToken', fault);
      onTestFinished(() => powerbi.standIn.faults.clear());
      await load();
      await openUrl(await mintFor('west', shown()), 1);
      await failed(title);
      await expectAnswer(1, { type: 'failed', cause: 'report_failed' });
      expect(stage.portal.log.join('\n')).toMatch(reason);
    },
  );
});

describe('the policy of the page', () => {
  const html = { accept: 'text/html' };
  const frameSources = async (address: string) => {
    const { headers } = await send(`${address}/frames/powerbi`, { headers: html });
    const policy = String(headers['content-security-policy']);
    return /frame-src ([^;]+)/.exec(policy)![1]!.split(' ');
  };

  it('admits the hosts of the cloud of the organization, and without a connection none', async () => {
    const { acme, globex, publicUrl } = stage.portal;
    expect(await frameSources(acme.address)).toEqual([
      'https://app.powerbi.com',
      'https://app.fabric.microsoft.com',
    ]);
    expect(await frameSources(globex.address)).toEqual(["'none'"]);
    // URLs of all organizations open there.
    expect(await frameSources(publicUrl)).toHaveLength(6);
  });

  it('no other page admits Power BI', async () => {
    const { acme, adminUrl } = stage.portal;
    await load();
    await openReport(1, 'west', shown());
    const addresses = [
      `${acme.address}/embed`,
      `${acme.address}/`,
      await mintFor('west', shown()),
      `${adminUrl}/admin`,
    ];
    for (const address of addresses) {
      const { headers } = await send(address, { headers: html });
      const policy = String(headers['content-security-policy']);
      expect([address, policy]).toEqual([address, expect.stringContaining('default-src')]);
      expect([address, /powerbi|microsoft/.test(policy)]).toEqual([address, false]);
    }
  });
});
