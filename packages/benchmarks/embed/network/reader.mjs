/**
 * Measures what a reader waits for who opens an identity URL by itself: the first number and the last
 * chart, on a slow processor and line, compared with an earlier version. `run reader-page [<rounds>]
 * [--base <folder>]` in this folder, after `npm run build` in the root.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { launchHeadless } from 'test-support';

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
/** The tiles of the demo's report before it was a file. */
const threeTiles = `workspace: Sales
dataset: superstore
pages:
  - name: Overview
    rows:
      - tiles:
          - { type: kpi, title: Total sales, metric: Sales }
      - tiles:
          - { type: line, title: Sales by month, x: Order Date by month, y: Sales }
          - { type: bar, title: Sales by category, x: Category, y: Sales }
`;
const baseFile = path.join(base.root, 'examples/demo-data/content/reports/superstore-sales.yaml');
const sameReport = fs.existsSync(baseFile)
  ? fs.readFileSync(baseFile, 'utf8').replace(/^name: .*$/m, '')
  : threeTiles;
const [before, now] = [await startSite(base.root), await startSite(repository)];
const sameId = await now.addReport('The same', sameReport);
const subjects = {
  base: { site: before, reportId: before.salesId },
  same: { site: now, reportId: sameId },
  now: { site: now, reportId: now.salesId },
};
const names = Object.keys(subjects);
// Chromium with its own interface loads parts of that in each new page, beside the report.
const browser = await launchHeadless();
const openContext = async () => {
  const context = await browser.newContext({ viewport: { width: 1_000, height: 720 } });
  await context.addInitScript({ path: fileURLToPath(new URL('reader-page.js', import.meta.url)) });
  return context;
};
const warm = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await openContext()])),
);

/** Returns milliseconds from the navigation to the first number and to the last chart. */
async function load(context, { site, reportId }) {
  const url = await site.mint({ reportId });
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
  const subject = subjects[name];
  if (heat === 'warm') return load(warm[name], subject);
  const context = await openContext();
  try {
    return await load(context, subject);
  } finally {
    await context.close();
  }
}

// Chromium keeps compiled code from the second load on.
for (const name of names) for (let time = 0; time < 3; time++) await measure(name, 'warm');
for (const site of [before, now]) await site.setRate(mbits);

const createLists = () => Object.fromEntries(names.map((name) => [name, []]));
const loads = { cold: createLists(), warm: createLists() };
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
    const times = names.map((name) => lists[name].map((shown) => shown[moment]));
    rows[`${heat}, ${title}`] = {
      ...Object.fromEntries(
        names.map((name, at) => [`${name}, ms`, Math.round(median(times[at]))]),
      ),
      'same/base': summarizeRatios(times[1], times[0]),
      'now/base': summarizeRatios(times[2], times[0]),
    };
  }
print(`${done} rounds, CPU 1/${cpuRate}, RTT ${rttMs} ms, ${mbits} Mbit/s`, rows);

await browser.close();
for (const site of [before, now]) await site.stop();
base.remove();
