import { expect, it } from 'vitest';

import { sendJson } from '../host-endpoint.ts';
import {
  frameCount,
  headingInFrame,
  setUpSharedPage,
  showsReport,
  waitForStatus,
} from './browser.ts';

const stage = setUpSharedPage();

const mount = (props: object = {}) =>
  stage.page.evaluate((given) => window.app.mount(given), {
    portalUrl: stage.portal.origin,
    ...props,
  });
const causes = () => stage.page.evaluate(() => window.app.causes);

it('the shell loads once, and each report is opened in it', async () => {
  await mount({ reportId: 'a' });
  await showsReport(stage.page, 1);
  await mount({ reportId: 'b' });
  await showsReport(stage.page, 2);
  await stage.page.evaluate(() => window.app.handle!.refresh());
  await showsReport(stage.page, 3);
  expect(stage.portal.requests).toEqual([
    '/embed',
    '/identity?token=1',
    '/identity?token=2',
    '/identity?token=3',
  ]);
  expect(await frameCount(stage.page)).toBe(1);
});

it('a portal without a shell is opened by the URL', async () => {
  stage.portal.hasShell = false;
  await mount();
  await showsReport(stage.page, 1);
  expect(await causes()).toEqual([]);
});

it('a portal that refuses to frame its shell is opened by the URL', async () => {
  const { portal, page } = stage;
  portal.answer = ({ url }, response) => {
    if (url === '/embed') response.setHeader('x-frame-options', 'DENY').end('Not found');
    else response.end('<h1>Another portal</h1>');
  };
  await mount();
  await waitForStatus(page, 'ready');
  expect(await headingInFrame(page)).toBe('Another portal');
  expect(await causes()).toEqual([]);
});

it('a shell that is reloaded or moved shows its report again', async () => {
  await mount();
  await showsReport(stage.page, 1);
  const [, frame] = stage.page.frames();
  await frame!.evaluate(() => location.reload());
  await showsReport(stage.page, 2);
  await stage.page.evaluate(() => document.body.append(document.querySelector('#root')!));
  await showsReport(stage.page, 3);
  expect(await causes()).toEqual([]);
  expect(await frameCount(stage.page)).toBe(1);
});

it('a portal that cannot be reached is unreachable', async () => {
  await stage.page.evaluate(() => (Math.random = () => 0));
  await stage.portal.stop();
  await mount();
  await waitForStatus(stage.page, 'failed');
  expect(await causes()).toEqual(['unreachable']);
});

it('a shell that an error page replaces before the mint has ended is loaded again', async () => {
  const { host, portal, page } = stage;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  host.answer = (_, response) => {
    host.answer = undefined;
    void held.then(() =>
      sendJson(response, 200, { embedUrl: `${portal.origin}/identity?token=1` }),
    );
  };
  await mount();
  const frame = await page.waitForSelector('iframe', { state: 'attached' });
  const shell = (await frame.contentFrame())!;
  await shell.waitForFunction(() => 'connect' in window);
  const restart = await portal.breakDown(() => {});
  const probed = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
  await shell.evaluate(() => setTimeout(() => location.reload()));
  await probed;
  await restart();
  release();
  // The URL is another one if the mint ended before the probe.
  await expect.poll(() => headingInFrame(page).catch(() => '')).toMatch(/^Report [12]$/);
  expect(await causes()).toEqual([]);
});
