import { describe, expect, it, onTestFinished } from 'vitest';

import { sendJson } from '../host-endpoint.ts';
import {
  waitForStatus,
  frameCount,
  headingInFrame,
  advanceClock,
  openPage,
  openWithClock,
  setUpSharedPage,
  showsReport,
} from './browser.ts';

const stage = setUpSharedPage('metered-app.ts');

const open = async (props: object = {}) => {
  await stage.page.evaluate((given) => window.app.mount(given), props);
  await waitForStatus(stage.page, 'ready');
};
const currentFrame = async () => {
  const element = await stage.page.waitForSelector('iframe:not([inert])', { state: 'attached' });
  return (await element.contentFrame())!;
};
const position = { view: 'page-two', scroll: 120 };
const filters = [{ key: 'Region', value: 'West' }];
const goSomewhere = async () => {
  const token = stage.host.mints + 1;
  await stage.page.evaluate((set) => window.app.handle!.setFilters(set), filters);
  await showsReport(stage.page, token);
  const frame = await currentFrame();
  await frame.evaluate((place) => {
    const { say, openId: id } = window as never as Said;
    say({ type: 'view', ...(id !== undefined && { id }), ...place });
    say({ type: 'navigated', path: '/organizations/o/reports/other', reportId: 'other' });
  }, position);
  // One port keeps the order, so earlier messages have arrived too.
  await stage.page.waitForFunction(() => window.app.navigations.length > 0);
};
const restored = async () =>
  (await currentFrame()).evaluate(() => {
    const { view, scroll } = (window as never as Said).connect;
    return { view, scroll };
  });
const nextMint = async () =>
  (await stage.page.waitForRequest('**/portal-embed/url')).postDataJSON();
interface Said {
  say: (message: unknown) => void;
  /** Of the latest `open`. */
  openId?: number;
  connect: { view?: unknown; scroll?: unknown };
  received: unknown[];
}

describe('the report is restored with its position and filters', () => {
  it('the report is restored when the reader reloads the frame', async () => {
    await open();
    await goSomewhere();
    const minted = nextMint();
    await (await currentFrame()).evaluate(() => location.reload());
    await showsReport(stage.page, 3);
    expect(await minted).toEqual({ customFilters: filters });
    expect(await restored()).toEqual(position);
    expect(stage.host.mints).toBe(3);
  });

  it('the report is restored when append moves the frame', async () => {
    await open();
    await goSomewhere();
    const minted = nextMint();
    await stage.page.evaluate(() => {
      const box = document.createElement('section');
      document.body.append(box);
      box.append(document.querySelector('#root')!);
    });
    await showsReport(stage.page, 3);
    expect(await minted).toEqual({ customFilters: filters });
    expect(await restored()).toEqual(position);
  });

  it('the report is restored when React reorders keyed embeds', async () => {
    await open({ keys: ['a', 'b', 'c'] });
    await expect.poll(() => stage.page.locator('[data-portal-embed=ready]').count()).toBe(3);
    await stage.page.evaluate(() => window.app.mount({ keys: ['c', 'b', 'a'] }));
    await expect.poll(() => stage.host.mints).toBeGreaterThan(3);
    await expect
      .poll(async () => (await stage.page.locator('iframe:not([inert])').count()) === 3)
      .toBe(true);
    await expect
      .poll(async () => {
        const headings = [];
        for (const index of [0, 1, 2])
          headings.push(
            await stage.page
              .frameLocator('iframe:not([inert])')
              .nth(index)
              .locator('h1')
              .textContent(),
          );
        return headings.every((heading) => heading?.startsWith('Report'));
      })
      .toBe(true);
    expect(await stage.page.evaluate(() => window.app.causes)).toEqual([]);
  });

  it('the report is restored when a frame without the frame channel is moved', async () => {
    const redeemed = new Set<string>();
    stage.portal.answer = ({ url }, response) => {
      const token = url!.split('token=')[1]!;
      if (redeemed.has(token)) response.writeHead(410).end('<h1>This link has been used</h1>');
      else response.end(`<h1>Report ${token}</h1>`);
      redeemed.add(token);
    };
    await open();
    await stage.page.evaluate(() => document.body.append(document.querySelector('#root')!));
    await showsReport(stage.page, 2);
    expect(stage.host.mints).toBe(2);
    expect(await stage.page.evaluate(() => window.app.causes)).toEqual([]);
  });

  it('the report is restored when the portal session has ended', async () => {
    await open();
    await goSomewhere();
    const minted = nextMint();
    await (
      await currentFrame()
    ).evaluate(() =>
      (window as never as Said).say({ type: 'session-required', id: 1, reason: 'session-ended' }),
    );
    await showsReport(stage.page, 3);
    expect(await minted).toEqual({ customFilters: filters });
    expect(await stage.page.evaluate(() => window.app.refreshes.length)).toBe(2);
  });

  it('the report is shown when its URL was used before', async () => {
    const { host, page, portal } = stage;
    const embedUrl = `${portal.origin}/identity?token=prefetched`;
    await page.request.get(embedUrl.replace('portal.localhost', '127.0.0.1'));
    host.answer = (_, response) => {
      host.answer = undefined;
      sendJson(response, 200, { embedUrl });
    };
    await page.evaluate(() => window.app.mount());
    await showsReport(page, 2);
    expect(portal.requests).toHaveLength(3);
  });

  it('the report is restored when an error page without boot replaces it', async () => {
    const { page, portal } = stage;
    await open();
    portal.answer = (_, response) => {
      portal.answer = undefined;
      response.writeHead(502).end('<h1>Bad gateway</h1>');
    };
    await (await currentFrame()).evaluate(() => location.reload());
    await showsReport(page, 2);
    expect(portal.requests.slice(2)).toEqual(['/embed', '/identity?token=2']);
  });

  it('the report is shown when the browser is online again', async () => {
    const context = stage.page.context();
    onTestFinished(() => context.setOffline(false));
    await context.setOffline(true);
    await stage.page.evaluate(() => window.app.mount());
    await waitForStatus(stage.page, 'failed');
    expect(stage.host.mints).toBe(0);
    await context.setOffline(false);
    await waitForStatus(stage.page, 'ready');
  });

  it('the report is shown when the browser’s clock is a day wrong', async () => {
    const page = await openPage(stage);
    await page.clock.install({ time: Date.now() + 86_400_000 });
    await page.goto(stage.host.origin);
    await open();
    expect(await headingInFrame(stage.page)).toBe('Report 1');
    expect(stage.host.mints).toBe(1);
  });
});

it('navigation in a portal without the frame channel keeps the frame', async () => {
  stage.portal.answer = ({ url }, response) =>
    response.end(`<h1>Page of ${url}</h1><a href="/next">Next</a>`);
  await openWithClock(stage);
  await open();
  await (await currentFrame()).click('a');
  await expect.poll(() => headingInFrame(stage.page).catch(() => '')).toBe('Page of /next');
  // The embed probes the portal after each of the two pages.
  await expect.poll(() => stage.page.evaluate(() => window.meter.sent.length)).toBeGreaterThan(2);
  await expect.poll(() => stage.page.evaluate(() => window.meter.count()['requests'])).toBe(0);
  expect(await advanceClock(stage.page)).toHaveLength(1);
  expect(await headingInFrame(stage.page)).toBe('Page of /next');
  const calls = await stage.page.evaluate(() => [window.app.causes, window.app.refreshes]);
  expect(calls).toEqual([[], []]);
});

it('moveBefore keeps the frame and its page', async () => {
  await openWithClock(stage);
  await open();
  await stage.page.evaluate(() => {
    const box = document.createElement('section');
    document.body.append(box);
    (box as unknown as { moveBefore: (node: Node, child: null) => void }).moveBefore(
      document.querySelector('#root')!,
      null,
    );
  });
  expect(await advanceClock(stage.page)).toHaveLength(1);
  expect(await headingInFrame(stage.page)).toBe('Report 1');
  expect(await frameCount(stage.page)).toBe(1);
});

it('a frame that is moved every ten seconds is restored each time', async () => {
  await openWithClock(stage);
  await open();
  for (let token = 2; token < 7; token++) {
    await stage.page.clock.fastForward(11_000);
    await stage.page.evaluate(() => document.body.append(document.querySelector('#root')!));
    await showsReport(stage.page, token);
  }
  expect(await stage.page.evaluate(() => window.app.causes)).toEqual([]);
});
