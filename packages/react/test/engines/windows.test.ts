import type { EnginePage } from 'test-support/engines';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { bundle } from '../browser/sites.ts';
import { causesOf, mount, setUpEngine } from './stage.ts';

declare global {
  interface Window {
    /** The window whose document contains the embed. */
    other: typeof window;
    errors: string[];
  }
}

const stage = setUpEngine('metered-app.ts');
let meter: string;
beforeAll(async () => {
  meter = await bundle('meter.ts');
});
beforeEach(async () => {
  stage.host.body = `<div id="root"></div>
    <button id="window" onclick="other = open('', '', 'width=800,height=600')">Open</button>
    <button id="frame" onclick="
      const frame = document.createElement('iframe');
      frame.srcdoc = '<!doctype html><title>Frame</title>';
      frame.style = 'width: 800px; height: 500px';
      frame.onload = () => { other = frame.contentWindow; };
      document.body.append(frame)">Open</button>`;
  await stage.page.open(stage.host.origin);
});

/** Renders the embed in another window from now on. Its meter is added to the one of the page. */
async function openOther(kind: string) {
  const { page } = stage;
  await page.click(`#${kind}`);
  const isComplete = () =>
    page.evaluate(() => window.other?.document.readyState === 'complete').catch(() => false);
  await expect.poll(isComplete).toBe(true);
  await page.evaluate((script) => {
    const { app, other } = window;
    window.errors = [];
    for (const view of [window, other])
      view.addEventListener('error', ({ message }) => window.errors.push(message));
    addEventListener('unhandledrejection', ({ reason }) => window.errors.push(String(reason)));
    other.Function(script)();
    app.place = other.document.createElement('main');
    (app.place as HTMLElement).style.height = '400px';
    other.document.body.append(app.place);
    // The first render of React creates listeners and a channel that it keeps.
    app.mount({ fetchIdentityUrl: () => new Promise(() => {}) });
    app.unmount();
  }, meter);
  return kind === 'window' ? page.openedPage() : page;
}

const count = () => stage.page.evaluate(() => [window.meter.count(), window.other.meter.count()]);
const readApp = () =>
  stage.page.evaluate(() => {
    const { readies, refreshes, causes } = window.app;
    return { readies, refreshes, causes };
  });
const verified = { unappliedFilters: [] };

describe.each(['window', 'frame'])('an embed in another %s', (kind) => {
  let page: EnginePage;
  beforeEach(async () => {
    page = await openOther(kind);
  });

  it(`an embed in another ${kind} connects, refreshes and leaves nothing behind`, async () => {
    await expect.poll(async () => (await count())[0]!['requests']).toBe(0);
    const before = await count();
    await mount(stage, { strict: true });
    await expect.poll(readApp).toEqual({ readies: [verified], refreshes: [], causes: [] });
    await stage.page.evaluate(() => window.app.handle!.refresh());
    await expect.poll(readApp).toEqual({ readies: [verified], refreshes: [verified], causes: [] });
    expect(stage.host.mints).toBe(2);
    const styles = await stage.page.evaluate(() => {
      const { document, frames } = window.other;
      const frame = document.querySelector('iframe')!;
      const { height, width } = frame.getBoundingClientRect();
      const { position } = getComputedStyle(frame.parentElement!);
      return { frames: frames.length, height, isWide: width > 300, position };
    });
    expect(styles).toEqual({ frames: 1, height: 400, isWide: true, position: 'relative' });
    await stage.page.evaluate(() => window.app.unmount());
    await expect.poll(count).toEqual(before);
    expect(await stage.page.evaluate(() => window.errors)).toEqual([]);
  });

  it(`the keyboard reaches the report in another ${kind}, and the button after a failure`, async ({
    skip,
  }) => {
    // Without a window manager, WebKit's second window does not get the keys.
    if (kind === 'window' && process.env['PORTAL_TEST_ENGINE'] === 'webkit') skip();
    const { host } = stage;
    host.answer = (_, response) => response.writeHead(404).end();
    await mount(stage);
    await expect.poll(() => causesOf(stage)).toEqual(['endpoint_invalid']);
    const pressTabUntil = (tag: string) =>
      expect
        .poll(async () => {
          await page.press('Tab');
          return page.evaluate(() => (window.other ?? window).document.activeElement?.tagName);
        })
        .toBe(tag);
    await pressTabUntil('BUTTON');
    host.answer = undefined;
    await page.press('Enter');
    await expect.poll(async () => (await readApp()).readies).toHaveLength(1);
    // The button is gone. The focus stays in the embed.
    const focused = () =>
      stage.page.evaluate(
        () => (window.other.document.activeElement as HTMLElement).dataset['portalEmbed'],
      );
    expect(await focused()).toBe('ready');
    await pressTabUntil('IFRAME');
  });

  it(`closing another ${kind} causes no error`, async () => {
    await mount(stage, { timeout: 1_000 });
    await expect.poll(async () => (await readApp()).readies).toHaveLength(1);
    await stage.page.evaluate(() => {
      window.other.close();
      document.querySelector('iframe')?.remove();
      window.app.handle!.refresh();
    });
    // The attempt ends at its timeout. No other attempt follows, because the document is hidden.
    await expect
      .poll(() => stage.page.evaluate(() => window.app.states.at(-1)))
      .toMatch(/^(ready|failed)$/);
    await stage.page.evaluate(() => window.app.unmount());
    expect(await stage.page.evaluate(() => window.errors)).toEqual([]);
  });
});
