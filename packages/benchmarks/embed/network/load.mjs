/**
 * Measures the first load of a report over a network, from the navigation to the host page until the
 * report's numbers are painted and visible. `run first-load [<rounds>] [--base <folder>]` in this
 * folder, after `npm run build` in the root. `--minutes` ends it earlier.
 */
import { parseArgs } from 'node:util';

import { launchChromium } from 'test-support';

import { openBase, repository } from './base.mjs';
import { rttMs, startSite } from './site.mjs';
import { median, print, repeat, rotate, summarizeRatios } from './statistics.mjs';
import { waitForText, watch } from './watch.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { base: { type: 'string' }, minutes: { type: 'string', default: 'Infinity' } },
});
const rounds = Number(positionals[0] ?? 20);
const totalSales = '$2,297,201';

const base = await openBase(options.base);
const sites = { now: await startSite(repository), base: await startSite(base.root) };
const subjects = {
  A: { site: 'now', subject: 'ready' },
  B: { site: 'now', subject: 'fetching' },
  C: { site: 'base', subject: 'embed' },
  D: { site: 'now', subject: 'embed', hasShell: true },
};
const names = Object.keys(subjects);
const settings = [10, 5].flatMap((mbits) =>
  [false, true].flatMap((preconnect) =>
    ['cold', 'warm'].map((heat) => ({
      title: `${heat}, ${mbits} Mbit/s${preconnect ? ', preconnect' : ''}`,
      mbits,
      preconnect,
      heat,
    })),
  ),
);
const browser = await launchChromium();
const openContext = async () => {
  const context = await browser.newContext({ viewport: { width: 1_000, height: 720 } });
  await watch(context);
  return context;
};

async function findAddress({ site: name, subject, hasShell }, preconnect) {
  const { hostUrl, portalUrl, salesId, mint } = sites[name];
  const url = new URL(hostUrl);
  const query = {
    subject,
    reportId: salesId,
    ...(hasShell && { portalUrl }),
    ...(subject === 'ready' && { url: await mint({ reportId: salesId }) }),
    ...(preconnect && { preconnect: '' }),
  };
  url.search = new URLSearchParams(query);
  return url.href;
}

const isAsset = ({ path }) => path.startsWith('/assets/');

/** Returns milliseconds from the navigation to each step. */
async function load(context, address) {
  const page = await context.newPage();
  try {
    await page.goto(address, { waitUntil: 'commit' });
    const { at, times: frameTimes } = await waitForText(page, totalSales);
    const { start, times } = await page.evaluate(() => ({
      start: performance.timeOrigin,
      times: window.watched.readTimes(),
    }));
    const hostScript = times.find(isAsset);
    const mint = times.find(({ path }) => path === '/portal-embed/url');
    const [framePage] = frameTimes;
    const redemption = frameTimes.slice(1).findLast(({ path }) => path === '/identity');
    const assets = frameTimes.filter(isAsset);
    const moments = {
      'host page received': times[0].receivedAt,
      'host script received': hostScript.receivedAt,
      'URL requested': mint?.sentAt,
      'URL received': mint?.receivedAt,
      'frame requested': framePage.sentAt,
      'frame, first byte': framePage.firstByteAt,
      'frame received': framePage.receivedAt,
      'scripts and styles received': Math.max(...assets.map(({ receivedAt }) => receivedAt)),
      'URL opened in the page': redemption?.sentAt,
      'report received': redemption?.receivedAt ?? framePage.receivedAt,
      'numbers visible': at,
    };
    return Object.fromEntries(
      Object.entries(moments).map(([moment, time]) => [moment, time && time - start]),
    );
  } finally {
    await page.close();
  }
}

const warm = { now: await openContext(), base: await openContext() };
async function measure(name, { mbits, preconnect, heat }) {
  const subject = subjects[name];
  const site = sites[subject.site];
  await site.setRate(mbits);
  const address = await findAddress(subject, preconnect);
  // Caches are full in a warm load, and there are no connections, as after a minute elsewhere.
  await site.dropConnections();
  if (heat === 'warm') return load(warm[subject.site], address);
  const context = await openContext();
  try {
    return await load(context, address);
  } finally {
    await context.close();
  }
}

// Chromium keeps compiled code from the second load on.
for (let time = 0; time < 3; time++)
  for (const name of names) await measure(name, { mbits: 100, preconnect: false, heat: 'warm' });

const loads = settings.map(() => Object.fromEntries(names.map((name) => [name, []])));
const done = await repeat(rounds, Number(options.minutes), async (round) => {
  for (const [index, setting] of settings.entries())
    for (const name of rotate(names, round)) loads[index][name].push(await measure(name, setting));
});

const total = (list) => list.map((each) => each['numbers visible']);
const rows = {};
for (const [index, { title }] of settings.entries()) {
  const [a, b, c, d] = names.map((name) => total(loads[index][name]));
  rows[title] = {
    ...Object.fromEntries(
      [a, b, c, d].map((list, at) => [`${names[at]}, ms`, Math.round(median(list))]),
    ),
    'D/B': summarizeRatios(d, b),
    'D/A': summarizeRatios(d, a),
    'D/C': summarizeRatios(d, c),
  };
}
const printSteps = (wanted) => {
  const lists = loads[settings.findIndex(({ title }) => title === wanted)];
  const steps = Object.keys(lists.D[0]).map((step) => [
    step,
    Object.fromEntries(
      names.map((name) => {
        const times = lists[name].map((each) => each[step]).filter((time) => time !== undefined);
        return [name, times.length > 0 ? Math.round(median(times)) : ''];
      }),
    ),
  ]);
  print(`${wanted}: milliseconds from the navigation, medians`, Object.fromEntries(steps));
};
print(`${done} rounds, round trip ${rttMs} ms`, rows);
for (const wanted of ['cold, 10 Mbit/s, preconnect', 'warm, 10 Mbit/s, preconnect'])
  printSteps(wanted);

await browser.close();
for (const site of Object.values(sites)) await site.stop();
base.remove();
