import { describe, expect, it } from 'vitest';

import { sendJson } from '../host-endpoint.ts';
import {
  becomes,
  frameCount,
  headingInFrame,
  passTime,
  setClock,
  setStage,
  showsReport,
} from './browser.ts';

const stage = setStage('metered-app.ts');

const open = async (props: object = {}) => {
  await stage.page.evaluate((given) => window.app.mount(given), props);
  await becomes(stage.page, 'ready');
};
const currentFrame = async () => {
  const element = await stage.page.waitForSelector('iframe:not([inert])', { state: 'attached' });
  return (await element.contentFrame())!;
};
const place = { path: '/organizations/o/reports/other', scroll: 120 };
const filters = [{ key: 'Region', value: 'West' }];
const goSomewhere = async () => {
  await stage.page.evaluate((set) => window.app.handle!.setFilters(set), filters);
  const frame = await currentFrame();
  await frame.evaluate((state) => {
    const { say } = window as never as Said;
    say({ type: 'state', state });
    say({ type: 'navigated', path: state.path, reportId: 'other' });
  }, place);
  // Over one port: what was said before has been heard too.
  await stage.page.waitForFunction(() => window.app.navigations.length > 0);
};
const restored = async () =>
  (await currentFrame()).evaluate(() => (window as never as Said).connect.state);
const nextMint = async () =>
  (await stage.page.waitForRequest('**/portal-embed/url')).postDataJSON();
interface Said {
  say: (message: unknown) => void;
  connect: { state?: unknown };
  received: unknown[];
}

describe('the report comes back, at the same place with the same filters,', () => {
  it('when the reader reloads the frame', async () => {
    await open();
    await goSomewhere();
    const minted = nextMint();
    await (await currentFrame()).evaluate(() => location.reload());
    await showsReport(stage.page, 2);
    expect(await minted).toEqual({ customFilters: filters });
    expect(await restored()).toEqual(place);
    expect(stage.host.mints).toBe(2);
  });

  it('when the frame is moved in the DOM by append', async () => {
    await open();
    await goSomewhere();
    const minted = nextMint();
    await stage.page.evaluate(() => {
      const box = document.createElement('section');
      document.body.append(box);
      box.append(document.querySelector('#root')!);
    });
    await showsReport(stage.page, 2);
    expect(await minted).toEqual({ customFilters: filters });
    expect(await restored()).toEqual(place);
  });

  it('when React reorders keyed embeds', async () => {
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

  it('when a frame of a portal that does not speak the channel is moved', async () => {
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

  it('when the portal session has ended', async () => {
    await open();
    await goSomewhere();
    const minted = nextMint();
    await (
      await currentFrame()
    ).evaluate(() =>
      (window as never as Said).say({ type: 'session-required', reason: 'session-ended' }),
    );
    await showsReport(stage.page, 2);
    expect(await minted).toEqual({ customFilters: filters });
    expect(await restored()).toEqual(place);
    expect(await stage.page.evaluate(() => window.app.refreshes.length)).toBe(1);
  });

  it('when the URL had been used before it was opened', async () => {
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

  it('when a mute error page has taken its place', async () => {
    const { page, portal } = stage;
    await open();
    portal.answer = (_, response) => {
      portal.answer = undefined;
      response.writeHead(502).end('<h1>Bad gateway</h1>');
    };
    await (await currentFrame()).evaluate(() => location.reload());
    await showsReport(page, 2);
    expect(portal.requests).toHaveLength(3);
  });

  it('when the browser is online again', async () => {
    await stage.page.context().setOffline(true);
    await stage.page.evaluate(() => window.app.mount());
    await becomes(stage.page, 'failed');
    expect(stage.host.mints).toBe(0);
    await stage.page.context().setOffline(false);
    await becomes(stage.page, 'ready');
  });

  it('when the browser’s clock is a day wrong', async () => {
    await stage.page.clock.install({ time: Date.now() + 86_400_000 });
    await open();
    expect(await headingInFrame(stage.page)).toBe('Report 1');
    expect(stage.host.mints).toBe(1);
  });

  it('when the page comes back from the back/forward cache', async () => {
    await open();
    await stage.page.evaluate(() => {
      addEventListener('pageshow', ({ persisted }) => {
        document.title = persisted ? 'restored' : 'loaded';
      });
    });
    await stage.page.goto('about:blank');
    await stage.page.goBack({ waitUntil: 'commit' });
    await expect.poll(() => stage.page.title()).toBe('restored');
    await becomes(stage.page, 'ready');
    // The channel still works: the page in the frame asks for a fresh URL and gets it.
    await stage.page.evaluate(() => document.body.append(document.querySelector('#root')!));
    await expect.poll(() => stage.host.mints).toBe(2);
    await becomes(stage.page, 'ready');
  });

  it('when the page is loaded again through history', async () => {
    await open();
    await stage.page.evaluate(() => addEventListener('unload', () => {}));
    await stage.page.goto('about:blank');
    await stage.page.goBack();
    await stage.page.evaluate(() => window.app.mount());
    await showsReport(stage.page, 2);
    expect(await frameCount(stage.page)).toBe(1);
  });
});

it('leaves alone a reader who goes from page to page of a portal that does not speak', async () => {
  stage.portal.answer = ({ url }, response) =>
    response.end(`<h1>Page of ${url}</h1><a href="/next">Next</a>`);
  await setClock(stage);
  await open();
  await (await currentFrame()).click('a');
  await expect.poll(() => headingInFrame(stage.page).catch(() => '')).toBe('Page of /next');
  // After each of the two pages, the embed has checked whether the portal answers.
  const sent = ['/portal-embed/url', stage.portal.origin, stage.portal.origin];
  await expect.poll(() => stage.page.evaluate(() => window.meter.sent)).toEqual(sent);
  await expect.poll(() => stage.page.evaluate(() => window.meter.count()['requests'])).toBe(0);
  expect(await passTime(stage.page)).toEqual(sent);
  expect(await headingInFrame(stage.page)).toBe('Page of /next');
  const told = await stage.page.evaluate(() => [window.app.causes, window.app.refreshes]);
  expect(told).toEqual([[], []]);
});

it('keeps the frame and its page when it is moved by moveBefore', async () => {
  await setClock(stage);
  await open();
  await stage.page.evaluate(() => {
    const box = document.createElement('section');
    document.body.append(box);
    (box as unknown as { moveBefore: (node: Node, child: null) => void }).moveBefore(
      document.querySelector('#root')!,
      null,
    );
  });
  expect(await passTime(stage.page)).toHaveLength(1);
  expect(await headingInFrame(stage.page)).toBe('Report 1');
  expect(await frameCount(stage.page)).toBe(1);
});

it('heals a frame that is moved five times, each after ten seconds on show', async () => {
  await stage.page.clock.install();
  await open();
  for (let token = 2; token < 7; token++) {
    await stage.page.clock.fastForward(11_000);
    await stage.page.evaluate(() => document.body.append(document.querySelector('#root')!));
    await showsReport(stage.page, token);
  }
  expect(await stage.page.evaluate(() => window.app.causes)).toEqual([]);
});
