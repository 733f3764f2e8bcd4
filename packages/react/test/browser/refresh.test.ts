import { expect, it } from 'vitest';

import {
  advanceClock,
  frameCount,
  sentToHost,
  openWithClock,
  setUpSharedPage,
  showsReport,
  waitForStatus,
} from './browser.ts';
import { readyPage, createPortalPage } from './pages.ts';

const stage = setUpSharedPage('metered-app.ts');

const open = async (props: object = {}) => {
  await stage.page.evaluate((given) => window.app.mount(given), props);
  await waitForStatus(stage.page, 'ready');
};
const refresh = () => stage.page.evaluate(() => window.app.handle!.refresh());

it('a refresh keeps the frame, which is always visible', async () => {
  await open();
  await stage.page.evaluate(() => {
    const counts = ((window as never as { counts: string[] }).counts = [] as string[]);
    const look = () => {
      const frames = [...document.querySelectorAll('iframe')];
      counts.push(`${frames.length}/${frames.filter((each) => each.style.opacity !== '0').length}`);
      requestAnimationFrame(look);
    };
    look();
  });
  for (let token = 2; token < 6; token++) {
    await refresh();
    await showsReport(stage.page, token);
  }
  const counts = await stage.page.evaluate(() => [
    ...new Set((window as never as { counts: string[] }).counts),
  ]);
  expect(counts).toEqual(['1/1']);
});

it('a refresh keeps the focus in the frame and does not scroll the page', async () => {
  await stage.page.evaluate(() => {
    document.body.style.paddingTop = '1500px';
    document.body.style.paddingBottom = '1500px';
  });
  await open();
  await stage.page.frameLocator('iframe').locator('button').focus();
  await stage.page.evaluate(() => scrollTo(0, 700));
  await refresh();
  await showsReport(stage.page, 2);
  expect(await stage.page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME');
  expect(await stage.page.evaluate(() => scrollY)).toBe(700);
});

it('a refresh does not take the focus from the host page', async () => {
  await stage.page.evaluate(() => {
    const input = document.createElement('input');
    document.body.prepend(input);
    input.focus();
  });
  await open();
  await refresh();
  await showsReport(stage.page, 2);
  expect(await stage.page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
});

it('a mount in StrictMode mints once', async () => {
  await openWithClock(stage);
  await open({ strict: true });
  expect(await advanceClock(stage.page)).toHaveLength(1);
  expect(await frameCount(stage.page)).toBe(1);
});

/** Whether the embed is in view, after its own observer was notified. */
const isInView = () =>
  stage.page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        // Observers are notified in the order of their creation.
        new IntersectionObserver(([entry], observer) => {
          observer.disconnect();
          resolve(entry!.isIntersecting);
        }).observe(document.querySelector('[data-portal-embed]')!);
      }),
  );

it('a lazy embed mints once, when it comes into view', async () => {
  await openWithClock(stage);
  await stage.page.evaluate(() => {
    document
      .querySelector('#root')!
      .before(Object.assign(document.createElement('div'), { id: 'spacer' }));
    document.querySelector<HTMLElement>('#spacer')!.style.height = '5000px';
  });
  await stage.page.evaluate(() => window.app.mount({ lazy: true }));
  await waitForStatus(stage.page, 'idle');
  expect(await isInView()).toBe(false);
  expect(await advanceClock(stage.page)).toEqual([]);
  await stage.page.locator('#root').scrollIntoViewIfNeeded();
  await waitForStatus(stage.page, 'ready');
  expect(stage.host.mints).toBe(1);
});

it('a lazy embed out of view refreshes when it is in view again', async () => {
  await openWithClock(stage);
  const { host, page } = stage;
  await page.evaluate(() => {
    document.body.style.paddingBottom = '5000px';
  });
  await page.evaluate(() => window.app.mount({ lazy: true, refreshInterval: 150 }));
  await waitForStatus(page, 'ready');
  await expect.poll(() => host.mints).toBeGreaterThan(1);
  await page.evaluate(() => scrollTo(0, 4000));
  await expect.poll(isInView).toBe(false);
  const { length } = await sentToHost(page);
  expect(await advanceClock(page)).toHaveLength(length);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => host.mints).toBeGreaterThan(length);
});

it('autoHeight makes the embed as high as its report until it is turned off', async () => {
  stage.portal.answer = (_, response) =>
    response.end(
      createPortalPage(
        '<h1>Low</h1>',
        `say({ type: 'ready', unappliedFilters: [] });
         if (connect.autoHeight) say({ type: 'resized', height: 90 });`,
      ),
    );
  const height = async () =>
    (await stage.page.locator('[data-portal-embed]').boundingBox())?.height;
  await open({ autoHeight: true });
  await expect.poll(height).toBe(90);
  await refresh();
  await expect.poll(() => stage.page.evaluate(() => window.app.readies.length)).toBe(2);
  await expect.poll(height).toBe(90);
  await stage.page.evaluate(() => window.app.mount());
  await expect.poll(height).toBe(384);
  await stage.page.evaluate(() => window.app.mount({ autoHeight: true }));
  await expect.poll(height).toBe(90);
});

it('the embed works under style-src self', async () => {
  stage.host.csp = `default-src 'self'; img-src data:; frame-src ${stage.portal.origin}`;
  await stage.page.goto(stage.host.origin);
  const complaints: string[] = [];
  stage.page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await open();
  const box = await stage.page.locator('iframe').boundingBox();
  expect(box!.height).toBeGreaterThan(300);
  expect(complaints).toEqual([]);
});

it('the frame gets no referrer and may use only fullscreen and the clipboard', async () => {
  let referer: string | undefined;
  stage.portal.answer = ({ headers }, response) => {
    ({ referer } = headers);
    response.end(readyPage('1'));
  };
  await open();
  expect(referer).toBeUndefined();
  const frame = (await (await stage.page.$('iframe'))!.contentFrame())!;
  const allowed = await frame.evaluate(() => {
    const { featurePolicy } = document as unknown as {
      featurePolicy: { allowsFeature: (name: string) => boolean };
    };
    return ['fullscreen', 'clipboard-write', 'clipboard-read', 'camera', 'geolocation'].filter(
      (feature) => featurePolicy.allowsFeature(feature),
    );
  });
  expect(allowed).toEqual(['fullscreen', 'clipboard-write']);
});

it('the sandbox allows what a report needs, but not to navigate the host page', async () => {
  await open();
  const frame = (await (await stage.page.$('iframe'))!.contentFrame())!;
  const isRefused = await frame.evaluate(() => {
    try {
      top!.location.href = 'about:blank';
      return false;
    } catch {
      return true;
    }
  });
  expect(isRefused).toBe(true);
  expect(stage.page.url()).toBe(`${stage.host.origin}/`);
  const sandbox = await stage.page.getAttribute('iframe', 'sandbox');
  expect(sandbox!.split(' ').toSorted()).toEqual([
    'allow-downloads',
    'allow-forms',
    'allow-modals',
    'allow-popups',
    'allow-popups-to-escape-sandbox',
    'allow-same-origin',
    'allow-scripts',
  ]);
});

it('the frame has no border and fills an embed with padding', async () => {
  await open({ style: { padding: 10, height: 400 } });
  const embed = await stage.page.locator('[data-portal-embed]').boundingBox();
  expect(await stage.page.locator('iframe').boundingBox()).toEqual(embed);
  const border = await stage.page
    .locator('iframe')
    .evaluate((frame) => getComputedStyle(frame).borderWidth);
  expect(border).toBe('0px');
});
