import { randomUUID } from 'node:crypto';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { unlinkReports } from '../../src/access/report-links.ts';
import { setOrigins } from '../../src/organizations/service.ts';
import { signInAs } from '../support/admin.ts';
import { setUpFrameHost } from '../support/frame-host.ts';
import { addFramedReport } from '../support/framed-reports.ts';
import { takeHeapSnapshots } from '../support/heap-snapshot.ts';
import { startLocalFrames, type LocalFrames } from '../support/local-frame-platform.ts';

let frames: LocalFrames;
const {
  stage,
  frame,
  read,
  readInFrame,
  hurry,
  answers,
  expectAnswer,
  load,
  mintFor,
  openUrl,
  openReport,
} = setUpFrameHost({}, async () => {
  frames = await startLocalFrames();
  return [frames.platform];
});

/** Reports of the local product, by what is special about them. */
const reports = {} as Record<'plain' | 'taken' | 'incomplete', { reportId: string }>;
beforeAll(async () => {
  const { acme } = stage.portal;
  const { west, east, both, none } = acme.emails;
  const add = (name: string, source = {}) =>
    addFramedReport(stage.portal, acme, frames, {
      name,
      source,
      holders: [west, east, both],
      readers: [none],
    });
  reports.plain = await add('Framed');
  reports.taken = await add('Taken', { canPrint: true, canExport: true });
  reports.incomplete = await add('Incomplete', { isSetUp: false });
});

/** Violations of policies, and what else the browser has logged as wrong. */
let logged: string[];
beforeEach(() => {
  logged = [];
  stage.page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) logged.push(message.text());
  });
  stage.page.on('pageerror', (error) => logged.push(String(error)));
});

const framed = ({ reportId }: { reportId: string } = reports.plain) => ({ reportId });
const product = () => frame().frameLocator('.framed-page').frameLocator('iframe');
const heading = (user: 'west' | 'east' | 'both') =>
  product().getByRole('heading', { name: `${user}@acme.example as Staff` });
const productLog = () => product().locator('#log').textContent();
const messagesOf = (type: string) => read<{ view: string }[]>(`of(${JSON.stringify(type)})`);
const listAudit = async (action: number) =>
  (await stage.portal.api('GET', `/api/report-audit?action=${action}`)).json().data as object[];

describe('a framed report', () => {
  it('is shown by its product, and its token is in no address or element', async () => {
    await load();
    await openReport(1, 'west', framed());
    await heading('west').waitFor();
    const documents = await Promise.all(
      stage.page
        .frames()
        .slice(1, 3)
        .map((each) =>
          each.evaluate<string>(`[
            location.href, document.referrer, JSON.stringify(history.state),
            document.documentElement.outerHTML, JSON.stringify({ ...localStorage, ...sessionStorage }),
            ...performance.getEntries().map(({ name }) => name),
          ].join(' ')`),
        ),
    );
    expect(documents[0]).toContain('/frames/local-frame');
    for (const text of documents) expect(text).not.toContain('token-of-west');
    expect(stage.page.frames().map((each) => each.url())).toEqual([
      `${stage.hostOrigin}/`,
      `${stage.portal.acme.address}/embed`,
      `${stage.portal.acme.address}/frames/local-frame`,
      `${frames.origin}/`,
    ]);
    expect(logged).toEqual([]);
  });

  it('a report is ready only when its product has drawn it', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await stage.page.route(`${frames.origin}/data`, async (route) => {
      await held;
      await route.continue();
    });
    await load();
    await openUrl(await mintFor('west', framed()), 1);
    await product().locator('#page').waitFor({ state: 'attached' });
    await frame().locator('.framed-cover').waitFor();
    expect(await answers(1)).not.toContainEqual(expect.objectContaining({ type: 'ready' }));
    release();
    await expectAnswer(1, { type: 'ready', unappliedFilters: [] });
    expect(await frame().locator('.framed-cover').count()).toBe(0);
  });

  it('a reader goes from a built-in report to a framed one and back, and the page is never blank', async () => {
    await load();
    await openReport(1, 'both', {});
    await readInFrame(`
      window.blanks = 0;
      const check = () => {
        const { innerText } = document.querySelector('#viewer');
        const isFilled = document.querySelector('.report-content > *, .overview');
        if (!innerText.includes('both') || !document.querySelector('h1') || !isFilled) blanks += 1;
        requestAnimationFrame(check);
      };
      check();
    `);
    const choose = (name: string) =>
      frame().getByRole('navigation').getByRole('button', { name, exact: true }).click();
    for (let round = 0; round < 2; round += 1) {
      await choose('Orders');
      await frame().getByText('$70').waitFor();
      await choose('Framed');
      await heading('both').waitFor();
      await frame().getByRole('heading', { name: 'Framed', level: 1 }).waitFor();
    }
    await choose('Orders');
    await frame().getByText('$70').waitFor();
    expect(await readInFrame('blanks')).toBe(0);
    expect(await frame().locator('iframe').count()).toBe(0);
    expect(logged).toEqual([]);
  });

  it('a host changes between a built-in and a framed report in one document', async () => {
    await load();
    await openReport(1, 'both');
    await openReport(2, 'both', framed());
    await heading('both').waitFor();
    await openReport(3, 'both');
    await frame().getByText('$70').waitFor();
    expect(await frame().locator('iframe').count()).toBe(0);
    expect(await read('boots.length')).toBe(1);
  });

  it('a reader without a role sees no rows, and no frame', async () => {
    await load();
    await openReport(1, 'none', framed());
    await frame().getByRole('heading', { name: 'No rows' }).waitFor();
    expect(await frame().locator('iframe').count()).toBe(0);
  });

  it('a report that is not set up says so', async () => {
    await load();
    await openUrl(await mintFor('west', framed(reports.incomplete)), 1);
    await expectAnswer(1, { type: 'failed', cause: 'report_failed' });
    await frame().getByRole('heading', { name: 'This report cannot be shown' }).waitFor();
  });

  it('a report that its product refuses fails, and can be tried again', async () => {
    await stage.page.route(`${frames.origin}/data`, (route) => route.fulfill({ status: 403 }), {
      times: 1,
    });
    await load();
    await openUrl(await mintFor('west', framed()), 1);
    await expectAnswer(1, { type: 'failed', cause: 'report_failed' });
    await frame().getByRole('heading', { name: 'The report could not be shown' }).waitFor();
    await frame().getByRole('button', { name: 'Try again' }).click();
    await expectAnswer(1, { type: 'ready' });
    await heading('west').waitFor();
  });

  it('a product that draws nothing within 30 seconds fails', async () => {
    await hurry(30_000);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await stage.page.route(`${frames.origin}/data`, async (route) => {
      await held;
      await route.abort();
    });
    await load();
    await openUrl(await mintFor('west', framed()), 1);
    await expectAnswer(1, { type: 'failed', cause: 'report_failed' });
    await frame()
      .getByRole('heading', { name: 'The report did not load within 30 seconds' })
      .waitFor();
    release();
  });

  it('the theme of the host reaches the product in place, and its language loads the frame anew', async () => {
    await load();
    await openReport(1, 'west', framed());
    await product().getByRole('button', { name: 'Next page' }).click();
    await read(`port.postMessage({ type: 'set-options', theme: 'dark' })`);
    await product().locator('body.dark').waitFor();
    expect(await productLog()).toBe('show update');
    await read(`port.postMessage({ type: 'set-options', theme: 'dark', locale: 'de' })`);
    await expect.poll(productLog).toBe('show');
    await product().getByText('page 2').waitFor();
    const [, , inner] = stage.page.frames();
    expect(await inner!.evaluate<string>('document.documentElement.lang')).toBe('de');
  });

  it('the keyboard reaches the product after the bars of the report, and Escape the host', async () => {
    await load();
    await openReport(1, 'west', framed());
    await frame().getByRole('button', { name: 'Why these rows?' }).focus();
    await stage.page.keyboard.press('Tab');
    const focused = () => product().locator(':focus').textContent({ timeout: 100 }).catch(String);
    await expect.poll(focused).toBe('Next page');
    expect(await frame().locator('iframe').getAttribute('title')).toBe('Framed');
    const [, , inner] = stage.page.frames();
    await inner!.evaluate(`dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))`);
    await expect.poll(() => messagesOf('key')).toEqual([{ type: 'key', key: 'Escape' }]);
  });
});

describe('access', () => {
  it('a session that the host ends takes the frame with it within a minute', async () => {
    await hurry(40_000);
    await load();
    await openReport(1, 'west', framed());
    const { acme } = stage.portal;
    await stage.portal.api('DELETE', `/api/user/${acme.emails.west}/sessions`);
    await expectAnswer(1, { type: 'session-required', reason: 'session-ended' });
    // The host may open another session within ten seconds.
    expect(await frame().locator('iframe').count()).toBe(1);
    await frame().locator('iframe').waitFor({ state: 'detached', timeout: 15_000 });
    await frame().getByRole('heading', { name: 'Your session has ended' }).waitFor();
  });

  it('a session that the host opens in time keeps the frame and the page of the reader', async () => {
    await hurry(40_000);
    await load();
    await openReport(1, 'west', framed());
    await product().getByRole('button', { name: 'Next page' }).click();
    const { acme } = stage.portal;
    await stage.portal.api('DELETE', `/api/user/${acme.emails.west}/sessions`);
    await expectAnswer(1, { type: 'session-required' });
    await openReport(2, 'west', framed());
    await product().getByText('page 2').waitFor();
    expect(await productLog()).toMatch(/^show update( refresh)?$/);
  });

  it('that is withdrawn takes the frame with it within a minute', async () => {
    const { acme } = stage.portal;
    const { reportId } = await addFramedReport(stage.portal, acme, frames, {
      holders: [acme.emails.west],
    });
    await hurry(40_000);
    await load();
    await openReport(1, 'west', { reportId });
    await unlinkReports(acme.ctx, { userEmail: acme.emails.west, reports: [reportId] });
    await frame().locator('iframe').waitFor({ state: 'detached' });
    await frame().getByRole('heading', { name: 'You have no access to this report' }).waitFor();
    await expectAnswer(1, { type: 'failed', cause: 'report_not_accessible' });
  });

  it('while the portal cannot be reached, the frame stays until its token ends', async () => {
    await hurry(9_000);
    await load();
    await openReport(1, 'west', framed());
    let requests = 0;
    await stage.page.route('**/view', (route) => {
      requests += 1;
      return route.abort();
    });
    await expect.poll(() => requests).toBeGreaterThan(2);
    expect(await frame().getByRole('alert').count()).toBe(0);
    await heading('west').waitFor();
    await readInFrame('{ const { now } = Date; Date.now = () => now() + 900_000; }');
    await frame().getByRole('heading', { name: 'The portal could not be reached' }).waitFor();
    expect(await frame().locator('iframe').count()).toBe(0);
  });

  it('a token that ends soon is renewed in place', async () => {
    await hurry(9_000);
    await load();
    await openReport(1, 'west', framed());
    await product().getByRole('button', { name: 'Next page' }).click();
    const before = frames.opened.length;
    await readInFrame('{ const { now } = Date; Date.now = () => now() + 800_000; }');
    await expect
      .poll(() => frames.opened.slice(before))
      .toContainEqual({ held: true, kind: 'frame' });
    await expect.poll(productLog).toMatch(/^show update/);
    await product().getByText('page 2').waitFor();
  });

  it('a visible frame is confirmed, and a hidden one when it is visible again', async () => {
    await hurry(40_000);
    await stage.page.addInitScript(`
      Object.defineProperty(document, 'hidden', { get: () => window.isHidden === true });`);
    await stage.page.goto(stage.hostOrigin);
    await load();
    await openReport(1, 'west', framed());
    const before = frames.opened.length;
    await expect.poll(() => frames.opened.length).toBeGreaterThan(before);
    expect(frames.opened.at(-1)).toEqual({ held: true, kind: 'kept' });
    expect(await productLog()).toBe('show');
    const setHidden = (isHidden: boolean) =>
      readInFrame(`isHidden = ${isHidden}; document.dispatchEvent(new Event('visibilitychange'))`);
    await setHidden(true);
    await stage.page.waitForTimeout(1_000);
    const count = frames.opened.length;
    await stage.page.waitForTimeout(1_500);
    expect(frames.opened).toHaveLength(count);
    await readInFrame('{ const { now } = Date; Date.now = () => now() + 60_000; }');
    await setHidden(false);
    await expect.poll(() => frames.opened.length, { interval: 20, timeout: 400 }).toBe(count + 1);
  });

  it('another user of the same screen finds nothing of the one before in the memory of any document', async () => {
    await load();
    await openReport(1, 'west', framed());
    await heading('west').waitFor();
    await openReport(2, 'east', framed());
    await heading('east').waitFor();
    const snapshots = await takeHeapSnapshots(stage.page);
    const { west } = stage.portal.acme.emails;
    // As booleans, because a failure would print the whole snapshots.
    const holds = (text: string) => snapshots.map((snapshot) => snapshot.includes(text));
    expect(holds('token-of-east-')).toContain(true);
    for (const text of ['token-of-west-', west]) expect(holds(text)).not.toContain(true);
  });
});

describe('the view of the reader', () => {
  it('the host restores the page that the reader has chosen in the frame', async () => {
    await load();
    await openReport(1, 'west', framed());
    await product().getByRole('button', { name: 'Next page' }).click();
    await expect.poll(async () => (await messagesOf('view')).at(-1)?.view).not.toBe('');
    const { view } = (await messagesOf('view')).at(-1)!;
    await stage.page.goto(stage.hostOrigin);
    await read(`options = ${JSON.stringify({ view })}`);
    await load(await mintFor('west', framed()));
    await product().getByText('page 2').waitFor();
    await read(`port.postMessage({ type: 'set-view', view: '' })`);
    await product().getByText('page 1').waitFor();
  });

  it('another report starts without the view of the one before', async () => {
    await load();
    await openReport(1, 'west', framed());
    await product().getByRole('button', { name: 'Next page' }).click();
    await product().getByText('page 2').waitFor();
    const pageOf = () => product().locator('#page').textContent();
    await openReport(2, 'west', framed(reports.taken));
    expect(await pageOf()).toBe('page 1');
    await openReport(3, 'west', framed());
    expect(await pageOf()).toBe('page 1');
  });
});

describe('copies', () => {
  it('a product that cannot export or print is not asked to', async () => {
    await load();
    await openReport(1, 'west', framed());
    for (const name of ['Print', 'More: Framed'])
      expect(await frame().getByRole('button', { name }).count()).toBe(0);
    await read(`port.postMessage({ type: 'print' })`);
    await read(`port.postMessage({ type: 'export', format: 'csv' })`);
    await frame().getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(productLog).toBe('show refresh');
    expect(await messagesOf('exported')).toEqual([]);
  });

  it('a product that can exports and prints, for the reader and for the host, and each is recorded', async () => {
    await load();
    await openReport(1, 'west', framed(reports.taken));
    const before = (await listAudit(2)).length;
    await frame().getByRole('button', { name: 'Print' }).click();
    await expect.poll(productLog).toBe('show print');
    await frame().getByRole('button', { name: 'More: Taken' }).click();
    await frame().getByRole('button', { name: 'Download Excel' }).click();
    await expect.poll(productLog).toBe('show print export');
    await read(`port.postMessage({ type: 'export', format: 'png' })`);
    await expect.poll(productLog).toBe('show print export export');
    await product().getByRole('button', { name: 'Take a copy' }).click();
    const { reportId } = reports.taken;
    await expect
      .poll(() => messagesOf('exported'))
      .toEqual(
        ['print', 'xlsx', 'png', 'other'].map((format) => ({ type: 'exported', format, reportId })),
      );
    expect((await listAudit(2)).length).toBe(before + 4);
  });

  it('who views the portal as a user may take nothing away', async () => {
    const { portal, page } = stage;
    const { acme } = portal;
    const browser = await signInAs(portal, acme, 1, `${randomUUID()}@acme.example`);
    const found = await portal.api('GET', `/api/user?email=${acme.emails.west}`);
    const { id } = found.json().data[0];
    const minted = await browser.send('POST', `/organizations/${acme.id}/users/${id}/view`, {
      json: {},
    });
    await setOrigins(acme.ctx, { embedOrigins: [stage.hostOrigin, portal.adminUrl] });
    await page.goto(minted.json().url);
    await page.getByRole('main').getByRole('button', { name: 'Taken', exact: true }).click();
    const inner = page.frameLocator('.framed-page').frameLocator('iframe');
    await inner.getByRole('heading', { name: 'west@acme.example as Staff' }).waitFor();
    await page.getByText('Viewed as west').waitFor();
    for (const name of ['Print', 'More: Taken'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
  });
});

describe('policies', () => {
  it('only the page of a platform may frame its product', async () => {
    await load();
    await openReport(1, 'west', framed());
    const [, viewer, inner] = stage.page.frames();
    const tryFrame = (url: string) => `new Promise((resolve) => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
      const element = document.createElement('iframe');
      element.onload = () => setTimeout(resolve, 500, 'loaded');
      element.src = ${JSON.stringify(url)};
      document.body.append(element);
    })`;
    expect(await viewer!.evaluate(tryFrame(`${frames.origin}/`))).toBe('frame-src');
    expect(await inner!.evaluate(tryFrame(`${stage.portal.acme.address}/embed`))).toBe('frame-src');
    expect(await inner!.evaluate(tryFrame(`${frames.origin}/`))).toBe('loaded');
  });

  it('the page of a platform shows nothing for a page of another origin', async () => {
    await stage.page.goto(stage.hostOrigin);
    await read(`window.sent = []; addEventListener('message', ({ data }) => sent.push(data))`);
    await stage.page.locator('iframe').evaluate((element, src) => {
      (element as unknown as { src: string }).src = src;
    }, `${stage.portal.acme.address}/frames/local-frame`);
    await expect.poll(() => stage.page.frames()[1]?.url()).toContain('/frames/');
    await stage.page.frames()[1]!.waitForLoadState();
    await read(`
      const channel = new MessageChannel();
      frames[0].postMessage({ type: 'viewer-connect' }, '*', [channel.port2]);
      channel.port1.postMessage({ type: 'show', request: { url: ${JSON.stringify(frames.origin)}, settings: {} } })`);
    await stage.page.waitForTimeout(300);
    expect(await read('sent')).toEqual([]);
    expect(stage.page.frames()).toHaveLength(2);
  });
});
