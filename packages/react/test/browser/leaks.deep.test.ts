import { chooseCases, chooseRepetitions } from 'test-support/repetitions';
import { describe, expect, it } from 'vitest';

import { refuse } from '../host-endpoint.ts';
import { advanceClock, setClock, setUpBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

const react18 = new URL('../../../react-18/node_modules/', import.meta.url).pathname;

const unmounts = chooseRepetitions(20, 200);

const nothing = { timers: 0, listeners: 0, observers: 0, ports: 0, requests: 0, frames: 0 };

/**
 * Unmounts embeds at random times and counts what they leave behind. Runs at least `unmounts` times and
 * until each status has occurred. With `leak`, one embed leaks a resource of each kind.
 */
async function countLeftovers({ page }: Stage, strict: boolean, leak = false) {
  return page.evaluate(
    async ([inStrictMode, leaks, times]) => {
      const pause = (ms: number) =>
        new Promise((done) => {
          setTimeout(done, ms);
        });
      const { app, meter } = window;
      const statuses = ['minting', 'loading', 'ready', 'refreshing'] as const;
      const reached = new Set<string>();
      const sawAll = () => statuses.every((status) => reached.has(status));
      const born = performance.now();
      // The first render of React creates listeners and a channel that it keeps.
      app.mount({ refreshInterval: 20, strict: inStrictMode });
      while (!app.states.includes('refreshing')) await pause(5);
      const life = performance.now() - born;
      app.unmount();
      while (meter.count()['requests']) await pause(5);
      const before = meter.count();
      app.states = [];
      for (let time = 0; time < (leaks ? 1 : times) || !sawAll(); time++) {
        app.mount({
          strict: inStrictMode,
          lazy: time % 5 === 0,
          refreshInterval: 20,
          timeout: time % 3 === 0 ? 25 : 30_000,
          keys: time % 2 ? ['a'] : ['a', 'b'],
          onReady: () => {
            if (!leaks) return;
            setTimeout(() => time, 60_000);
            addEventListener('online', () => time);
            new ResizeObserver(() => time).observe(document.body);
            new MessageChannel().port1.start();
            void fetch('/never');
            document.body.append(document.createElement('iframe'));
          },
        });
        // Includes the 150 ms that an embed waits after an aborted request.
        await pause(Math.random() * (time % 5 === 1 ? 1.3 * (150 + life) : 30));
        for (const state of app.states) reached.add(state);
        app.states = [];
        app.unmount();
      }
      return meter.compare(before, leaks ? 500 : undefined);
    },
    [strict, leak, unmounts] as const,
  );
}

const versions: [string, Record<string, string>][] = [
  ['React 19', {}],
  [
    'React 18',
    {
      react: `${react18}react`,
      'react-dom/client': `${react18}react-dom/client`,
      'react-dom': `${react18}react-dom`,
    },
  ],
];

describe.each(chooseCases(1, versions))('unmounts at random times on %s', (name, alias) => {
  const stage = setUpBrowser('metered-app.ts', alias);

  it.each([
    ['without StrictMode', false],
    ['in StrictMode', true],
  ])('unmounting at random times leaves nothing behind %s', async (_, strict) => {
    expect(await stage.page.evaluate(() => window.reactVersion)).toContain(name.slice(-2));
    expect(await countLeftovers(stage, strict)).toEqual(nothing);
  });

  it('the test detects a leak of each kind', async () => {
    await stage.page.route('**/never', () => {});
    const left = await countLeftovers(stage, false, true);
    const detected = Object.keys(nothing).filter((kind) => left[kind]! > 0);
    expect(detected).toEqual(Object.keys(nothing));
  });

  it('unmounting during a probe leaves nothing behind', async () => {
    const { page, portal } = stage;
    portal.answer = (_, response) => response.end('<!doctype html>');
    await page.route(`${portal.origin}/`, () => {});
    const before = await page.evaluate(async () => {
      const { app, meter } = window;
      // The first render of React creates listeners and a channel that it keeps.
      app.mount({ fetchIdentityUrl: () => new Promise(() => {}) });
      while (app.states.length === 0) await new Promise((next) => setTimeout(next, 5));
      app.unmount();
      return meter.count();
    });
    const probe = page.waitForRequest(`${portal.origin}/`);
    await page.evaluate(() => window.app.mount());
    await probe;
    await page.evaluate(() => window.app.unmount());
    const left = await page.evaluate((counts) => window.meter.compare(counts), before);
    expect(left).toEqual(nothing);
  });

  it.each(['onReady', 'onRefresh', 'onError', 'onStateChange'] as const)(
    'unmounting in %s leaves nothing behind and starts no request',
    async (callback) => {
      const { host, page } = stage;
      if (callback === 'onError')
        host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
      await setClock(stage);
      const before = await page.evaluate(async (moment) => {
        const pause = (ms: number) =>
          new Promise((done) => {
            setTimeout(done, ms);
          });
        const { app, meter } = window;
        app.mount({ fetchIdentityUrl: () => new Promise(() => {}) });
        while (app.states.length === 0) await pause(5);
        app.unmount();
        const counts = meter.count();
        await new Promise<void>((called) => {
          app.mount({
            refreshInterval: 100,
            [moment]: () => {
              app.unmount();
              called();
            },
          });
        });
        return counts;
      }, callback);
      // The first state is `minting`, before the request.
      const mints = { onStateChange: 0, onReady: 1, onError: 1, onRefresh: 2 }[callback];
      expect(await advanceClock(page)).toHaveLength(mints);
      const left = await page.evaluate((counts) => window.meter.compare(counts), before);
      expect(left).toEqual(nothing);
    },
  );
});
