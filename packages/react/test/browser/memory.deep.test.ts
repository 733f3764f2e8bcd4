import { launchHeadless } from 'test-support';
import { describe, expect, it } from 'vitest';

import { waitForStatus, setUpBrowser } from './browser.ts';

// Without JIT, because compiled code counts as memory and grows for hundreds of refreshes.
const stage = setUpBrowser('app.ts', {}, () => launchHeadless(['--js-flags=--jitless']));

/** Forty leaked listeners take 2,600 bytes. */
const maxBytes = 1_500;

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

/** Measures the growth of forty refreshes after others. */
async function measureGrowth(warmUps: number, leak?: Parameters<typeof refreshOften>[1]) {
  const { page } = stage;
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const collectGarbage = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const { nodes, documents, jsEventListeners } = await session.send('Memory.getDOMCounters');
    return {
      bytes: metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value,
      nodes,
      documents,
      jsEventListeners,
      history: await page.evaluate(() => window.history.length),
    };
  };
  const measure = async () => {
    let counts = await collectGarbage();
    // Only a later collection frees objects that one has finalized or that a running task uses.
    for (let quiet = 0; quiet < 3; quiet++) {
      const next = await collectGarbage();
      if (next.bytes < counts.bytes || next.nodes < counts.nodes) quiet = -1;
      counts = next;
    }
    return counts;
  };
  await page.evaluate(() => window.app.mount());
  await waitForStatus(page, 'ready');
  for (let round = 0; round < warmUps; round++) {
    await refreshOften(10);
    await measure();
  }
  const { bytes: bytesBefore, ...before } = await measure();
  await refreshOften(40, leak);
  const { bytes: bytesAfter, ...after } = await measure();
  expect(stage.host.mints).toBe(1 + warmUps * 10 + 40);
  return { bytes: bytesAfter - bytesBefore, before, after };
}

describe('forty refreshes', () => {
  it('do not grow the memory, the document or its history', async () => {
    // The first measurements need memory themselves: about 4,000 bytes, also without any refresh.
    const { bytes, before, after } = await measureGrowth(3);
    expect(bytes).toBeLessThan(maxBytes);
    expect(after).toEqual(before);
  });

  it('the test detects a leaked listener', async () => {
    const { before, after } = await measureGrowth(0, 'listeners');
    expect(after.jsEventListeners).toBeGreaterThanOrEqual(before.jsEventListeners + 40);
  });

  it('the test detects a leaked frame', async () => {
    const { before, after } = await measureGrowth(0, 'frames');
    expect(after.nodes).toBeGreaterThanOrEqual(before.nodes + 40);
  });
});
