/**
 * Measures what a reader waits for who opens an identity URL by itself: the first number and the last
 * chart, on a slow processor and line, compared with an earlier version. `run reader-page [<rounds>]
 * [--base <folder>]` in this folder, after `npm run build` in the root.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { launchHeadless } from 'testing';

import { openBase, repository } from './base.mjs';
import { rttMs, startSite } from './site.mjs';
import { median, print, repeat, rotate, summarizeRatios } from './statistics.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { base: { type: 'string' }, minutes: { type: 'string', default: 'Infinity' } },
});
const rounds = Number(positionals[0] ?? 20);
const mbits = 5;
const cpuRate = 4;
/** Without another chart for this time, the last one is on show. */
const quietMs = 3_000;

const base = await openBase(options.base);
const sites = { base: await startSite(base.root), now: await startSite(repository) };
const names = Object.keys(sites);
// Chromium with its own interface loads parts of that in each new page, beside the report.
const browser = await launchHeadless();
const openContext = async () => {
  const context = await browser.newContext({ viewport: { width: 1_000, height: 720 } });
  await context.addInitScript({ path: fileURLToPath(new URL('reader-page.js', import.meta.url)) });
  return context;
};
const warm = { base: await openContext(), now: await openContext() };

/** Returns milliseconds from the navigation to the first number and to the last chart. */
async function load(context, site) {
  const url = await site.mint({ reportId: site.salesId });
  // Caches are full in a warm load, and there are no connections, as after a minute elsewhere.
  await site.dropConnections();
  const page = await context.newPage();
  try {
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: cpuRate });
    await page.goto(url, { waitUntil: 'commit' });
    // A question to the page would run on its main thread, and delay what is measured.
    await page.waitForTimeout(quietMs);
    const found = await page.waitForFunction(
      (quiet) => {
        const { firstNumber, lastChart } = window.shown;
        const isQuiet = performance.now() - Math.max(firstNumber, lastChart) > quiet;
        return isQuiet && window.shown;
      },
      quietMs,
      { polling: 200, timeout: 60_000 },
    );
    return await found.jsonValue();
  } finally {
    await page.close();
  }
}

async function measure(name, heat) {
  const site = sites[name];
  if (heat === 'warm') return load(warm[name], site);
  const context = await openContext();
  try {
    return await load(context, site);
  } finally {
    await context.close();
  }
}

// Chromium keeps compiled code from the second load on.
for (const name of names) for (let time = 0; time < 3; time++) await measure(name, 'warm');
for (const name of names) await sites[name].setRate(mbits);

const loads = { cold: { base: [], now: [] }, warm: { base: [], now: [] } };
const done = await repeat(rounds, Number(options.minutes), async (round) => {
  for (const [heat, lists] of Object.entries(loads))
    for (const name of rotate(names, round)) lists[name].push(await measure(name, heat));
});

const rows = {};
for (const [heat, lists] of Object.entries(loads))
  for (const [moment, title] of [
    ['firstNumber', 'first number'],
    ['lastChart', 'last chart'],
  ]) {
    const [before, now] = names.map((name) => lists[name].map((times) => times[moment]));
    rows[`${heat}, ${title}`] = {
      'base, ms': Math.round(median(before)),
      'now, ms': Math.round(median(now)),
      'now/base': summarizeRatios(now, before),
    };
  }
print(`${done} rounds, CPU 1/${cpuRate}, RTT ${rttMs} ms, ${mbits} Mbit/s`, rows);

await browser.close();
for (const site of Object.values(sites)) await site.stop();
base.remove();
