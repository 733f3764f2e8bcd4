import { launchHeadless } from 'testing';
import { describe, expect, it } from 'vitest';

import { waitForStatus, setUpBrowser } from './browser.ts';

// Without JIT, because compiled code counts as memory and grows for hundreds of refreshes.
const stage = setUpBrowser('app.ts', {}, () => launchHeadless(['--js-flags=--jitless']));

/** The browser keeps records of 80 requests, and of the messages of the frame. */
const maxBytes = 8_000;

/** Refreshes `times` times. `leak` keeps a resource of each refresh. */
const refreshOften = (times: number, leak: 'nothing' | 'listeners' | 'frames' = 'nothing') =>
  stage.page.evaluate(
    async ([count, kind]) => {
      const { app } = window;
      const kept: unknown[] = [];
      for (let time = 0; time < count; time++) {
        const { iframe, refresh } = app.handle!;
        if (kind === 'listeners') addEventListener('online', () => iframe);
        if (kind === 'frames') kept.push(iframe!.cloneNode());
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

/** Measures the growth of forty refreshes after ten others. */
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
  await waitForStatus(page, 'ready');
  await refreshOften(10);
  const before = await measure();
  await refreshOften(40, leak);
  const after = await measure();
  expect(stage.host.mints).toBe(51);
  return { bytes: after.heap - before.heap, before: before.dom, after: after.dom };
}

describe('forty refreshes', () => {
  it('forty refreshes do not grow the memory, the document or its history', async () => {
    const { bytes, before, after } = await measureGrowth();
    expect(bytes).toBeLessThan(maxBytes);
    expect(after).toEqual(before);
  });

  it('the test detects a leaked listener', async () => {
    const { before, after } = await measureGrowth('listeners');
    expect(after.jsEventListeners).toBeGreaterThan(before.jsEventListeners);
  });

  it('the test detects a leaked frame', async () => {
    const { before, after } = await measureGrowth('frames');
    expect(after.nodes).toBeGreaterThan(before.nodes);
  });
});
