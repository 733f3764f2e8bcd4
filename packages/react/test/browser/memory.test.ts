import { describe, expect, it } from 'vitest';

import { becomes, setStage } from './browser.ts';

// Compiled code would count as memory in use, and it keeps growing for hundreds of refreshes.
const stage = setStage('app.ts', {}, ['--js-flags=--jitless']);

/** For the records that the browser keeps of 80 requests, which take 3,200. */
const mostBytes = 5_000;

/** Refreshes `times` times; `leak` keeps something of each. */
const refreshOften = (times: number, leak: 'nothing' | 'listeners' | 'frames' = 'nothing') =>
  stage.page.evaluate(
    async ([count, planted]) => {
      const { app } = window;
      const kept: unknown[] = [];
      for (let time = 0; time < count; time++) {
        const { iframe, refresh } = app.handle!;
        if (planted === 'listeners') addEventListener('online', () => iframe);
        if (planted === 'frames') kept.push(iframe);
        const before = app.refreshes.length;
        refresh();
        while (app.refreshes.length === before) await new Promise((tick) => setTimeout(tick, 5));
      }
      Object.assign(window, { kept });
      app.refreshes = [];
      app.states = [];
    },
    [times, leak] as const,
  );

/** What forty refreshes add, once the page has warmed up. */
async function measureGrowth(leak?: Parameters<typeof refreshOften>[1]) {
  const { page } = stage;
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const collectGarbage = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value;
  };
  const measure = async () => {
    // Objects finalized in one collection are freed in the next.
    let [before, heap] = [Infinity, await collectGarbage()];
    while (heap < before) [before, heap] = [heap, await collectGarbage()];
    const { nodes, documents, jsEventListeners } = await session.send('Memory.getDOMCounters');
    const history = await page.evaluate(() => window.history.length);
    return { heap, dom: { nodes, documents, jsEventListeners, history } };
  };
  await page.evaluate(() => window.app.mount());
  await becomes(page, 'ready');
  await refreshOften(10);
  const before = await measure();
  await refreshOften(40, leak);
  const after = await measure();
  expect(stage.host.mints).toBe(51);
  return { bytes: after.heap - before.heap, before: before.dom, after: after.dom };
}

describe('forty refreshes', () => {
  it('leave the memory as it is, and the document and its history', async () => {
    const { bytes, before, after } = await measureGrowth();
    expect(bytes).toBeLessThan(mostBytes);
    expect(after).toEqual(before);
  });

  it('would be noticed if each left a listener', async () => {
    const { bytes, before, after } = await measureGrowth('listeners');
    expect(bytes).toBeGreaterThan(mostBytes);
    expect(after.jsEventListeners).toBeGreaterThan(before.jsEventListeners);
  });

  it('would be noticed if each left a frame', async () => {
    const { before, after } = await measureGrowth('frames');
    expect(after.nodes).toBeGreaterThan(before.nodes);
  });
});
