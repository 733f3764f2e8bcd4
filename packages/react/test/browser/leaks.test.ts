import { describe, expect, it } from 'vitest';

import { refuse } from '../host-endpoint.ts';
import { setStage } from './browser.ts';
import type { Stage } from './browser.ts';

const react18 = new URL('../../../react-18/node_modules/', import.meta.url).pathname;

const nothing = { timers: 0, listeners: 0, observers: 0, ports: 0, requests: 0, frames: 0 };

/** What 200 embeds, each unmounted at a random instant of its life, leave behind. */
async function countLeftovers({ page }: Stage, strict: boolean, leak = false) {
  return page.evaluate(
    async ([inStrictMode, planted]) => {
      const pause = (ms: number) =>
        new Promise((done) => {
          setTimeout(done, ms);
        });
      const minus = (a: Record<string, number>, b: Record<string, number>) =>
        Object.fromEntries(Object.keys(a).map((kind) => [kind, a[kind]! - b[kind]!]));
      const { app, meter } = window;
      // React keeps listeners and a channel of its own from the first render on.
      app.mount({ fetchIdentityUrl: () => new Promise(() => {}), strict: inStrictMode });
      await pause(100);
      app.unmount();
      await pause(100);
      const before = meter.count();
      const reached = new Set<string>();
      for (let time = 0; time < 200; time++) {
        app.mount({
          strict: inStrictMode,
          lazy: time % 5 === 0,
          refreshInterval: 20,
          timeout: time % 3 === 0 ? 25 : 30_000,
          keys: time % 2 ? ['a'] : ['a', 'b'],
          onReady: () => {
            if (!planted) return;
            setTimeout(() => time, 60_000);
            addEventListener('online', () => time);
            new ResizeObserver(() => time).observe(document.body);
            new MessageChannel().port1.start();
            void fetch('/never');
            document.body.append(document.createElement('iframe'));
          },
        });
        await pause(Math.random() * (time % 10 === 0 ? 500 : 40));
        for (const state of app.states) reached.add(state);
        app.states = [];
        app.unmount();
      }
      await pause(1_000);
      return { left: minus(meter.count(), before), reached: [...reached].toSorted() };
    },
    [strict, leak],
  );
}

describe.each([
  ['React 19', {}],
  [
    'React 18',
    {
      react: `${react18}react`,
      'react-dom/client': `${react18}react-dom/client`,
      'react-dom': `${react18}react-dom`,
    },
  ],
])('200 unmounts at random instants on %s', (name, alias) => {
  const stage = setStage('metered-app.ts', alias);

  it.each([
    ['without StrictMode', false],
    ['in StrictMode', true],
  ])('leave nothing behind %s', async (_, strict) => {
    expect(await stage.page.evaluate(() => window.reactVersion)).toContain(name.slice(-2));
    const { left, reached } = await countLeftovers(stage, strict);
    expect(left).toEqual(nothing);
    expect(reached).toEqual(expect.arrayContaining(['loading', 'minting', 'ready', 'refreshing']));
  });

  it('and would not go unnoticed if they left anything of any kind', async () => {
    await stage.page.route('**/never', () => {});
    const { left } = await countLeftovers(stage, false, true);
    const noticed = Object.keys(nothing).filter((kind) => left[kind]! > 0);
    expect(noticed).toEqual(Object.keys(nothing));
  });

  it.each(['onReady', 'onRefresh', 'onError', 'onStateChange'] as const)(
    'and in %s leave nothing behind, and ask for nothing more',
    async (callback) => {
      const { host, page } = stage;
      if (callback === 'onError')
        host.answer = (_, response) => refuse(404, 'unknown_tenant')(response, {});
      const left = await page.evaluate(async (moment) => {
        const pause = (ms: number) =>
          new Promise((done) => {
            setTimeout(done, ms);
          });
        const { app, meter } = window;
        app.mount({ fetchIdentityUrl: () => new Promise(() => {}) });
        await pause(100);
        app.unmount();
        await pause(100);
        const before = meter.count();
        let calls = 0;
        app.mount({
          refreshInterval: 100,
          [moment]: () => {
            calls++;
            app.unmount();
          },
        });
        await pause(1_500);
        const after = meter.count();
        return {
          calls,
          kinds: Object.keys(after).filter((kind) => after[kind] !== before[kind]),
        };
      }, callback);
      expect(left.kinds).toEqual([]);
      expect(left.calls).toBeGreaterThan(0);
      expect(host.mints).toBe(callback === 'onRefresh' ? 2 : 1);
    },
  );
});
