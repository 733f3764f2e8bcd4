/**
 * Measures a change of the report and of a filter over a network, from the changed props until the new
 * numbers are painted and visible, and how long no report was visible. `run change [<rounds>]
 * [--base <folder>]` in this folder, after `npm run build` in the root.
 */
import { parseArgs } from 'node:util';

import { launchChromium } from 'test-support';

import { openBase, repository } from './base.mjs';
import { openInkCounter, startFilm } from './film.mjs';
import { rttMs, startSite } from './site.mjs';
import { median, print, repeat, rotate, summarizeRatios } from './statistics.mjs';
import { waitForText, watch } from './watch.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { base: { type: 'string' }, minutes: { type: 'string', default: 'Infinity' } },
});
const rounds = Number(positionals[0] ?? 20);
const mbits = 10;
const totalSales = '$2,297,201';

const base = await openBase(options.base);
const subjects = { C: await startSite(base.root), D: await startSite(repository) };
const changes = {
  'another report': (site) => ({ props: { reportId: site.flightsId }, text: '3,000,000' }),
  'another filter': () => ({
    props: { customFilters: [{ key: 'Superstore/Region', value: 'West' }] },
    text: '$725,458',
  }),
};
const browser = await launchChromium();
const contexts = {};
for (const [name, site] of Object.entries(subjects)) {
  contexts[name] = await browser.newContext({ viewport: { width: 1_000, height: 720 } });
  await watch(contexts[name]);
  await site.setRate(mbits);
}
const countInk = await openInkCounter(browser);

/** The time between the start and the end in which an item is blank. An item lasts until the next. */
const sumBlank = (items, isBlank, start, end) =>
  items.reduce((sum, item, index) => {
    const until = Math.min(items[index + 1]?.at ?? end, end);
    return isBlank(item) ? sum + Math.max(0, until - Math.max(item.at, start)) : sum;
  }, 0);

const hasNoReport = ({ hasReport }) => !hasReport;

async function findBlankPictures(pictures, start, end) {
  // The picture that was current at the start is the report before the change.
  const first = pictures.findLastIndex(({ at }) => at <= start);
  const wanted = pictures.slice(Math.max(first, 0));
  for (const picture of wanted) picture.ink = await countInk(picture);
  const least = Math.min(wanted[0].ink, wanted.at(-1).ink) / 2;
  const isBlank = ({ ink }) => ink < least;
  return {
    pictures: wanted.length,
    blankPictures: wanted.filter(isBlank).length,
    blankPicturesMs: sumBlank(wanted, isBlank, start, end),
  };
}

/** Changes the props of a visible report. Pictures take time, so they have rounds of their own. */
async function measure(name, change, isFilmed) {
  const site = subjects[name];
  const { props, text } = changes[change](site);
  const address = new URL(site.hostUrl);
  address.search = new URLSearchParams({
    subject: 'embed',
    reportId: site.salesId,
    ...(name === 'D' && { portalUrl: site.portalUrl }),
  });
  const page = await contexts[name].newPage();
  try {
    await page.goto(address.href);
    await waitForText(page, totalSales);
    const stopFilm = isFilmed ? await startFilm(page) : undefined;
    // The film starts with a picture, and idle tasks of the page end.
    await page.waitForTimeout(500);
    const start = await page.evaluate((changed) => {
      window.watched.reset();
      const at = performance.timeOrigin + performance.now();
      window.change(changed);
      return at;
    }, props);
    const { at: end } = await waitForText(page, text);
    if (stopFilm) {
      // The last picture shows the new report.
      await page.waitForTimeout(500);
      return findBlankPictures(await stopFilm(), start, end);
    }
    const { samples, created } = await page.evaluate(() => ({
      samples: window.watched.samples,
      created: window.watched.created,
    }));
    return {
      ms: end - start,
      frames: created,
      blankMs: sumBlank(samples, hasNoReport, start, end),
    };
  } finally {
    await page.close();
  }
}

const pick = (list, key) => list.map((each) => each[key]);
const names = Object.keys(subjects);
const results = Object.fromEntries(
  Object.keys(changes).map((change) => [
    change,
    Object.fromEntries(names.map((name) => [name, { timed: [], filmed: [] }])),
  ]),
);
// Chromium keeps compiled code from the second load on.
for (const name of names)
  for (const change of Object.keys(changes)) await measure(name, change, false);
const done = await repeat(rounds, Number(options.minutes), async (round) => {
  for (const change of Object.keys(changes))
    for (const name of rotate(names, round)) {
      const { timed, filmed } = results[change][name];
      timed.push(await measure(name, change, false));
      filmed.push(await measure(name, change, true));
    }
});

const rows = {};
for (const change of Object.keys(changes)) {
  const times = names.map((name) => results[change][name].timed.map(({ ms }) => ms));
  for (const [index, name] of names.entries()) {
    const { timed, filmed } = results[change][name];
    rows[`${change}, ${name}`] = {
      'new numbers, ms': Math.round(median(times[index])),
      'D/C': name === 'D' ? summarizeRatios(times[1], times[0]) : '',
      'new frames': median(pick(timed, 'frames')),
      'no report visible, ms': Math.round(median(pick(timed, 'blankMs'))),
      longest: Math.round(Math.max(...pick(timed, 'blankMs'))),
      pictures: pick(filmed, 'pictures').reduce((sum, count) => sum + count, 0),
      'blank pictures': pick(filmed, 'blankPictures').reduce((sum, count) => sum + count, 0),
      'blank in pictures, ms': Math.round(median(pick(filmed, 'blankPicturesMs'))),
    };
  }
}
print(`${done} rounds, round trip ${rttMs} ms, ${mbits} Mbit/s`, rows);

await browser.close();
for (const site of Object.values(subjects)) await site.stop();
base.remove();
