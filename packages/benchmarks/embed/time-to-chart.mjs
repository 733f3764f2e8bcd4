/**
 * Measures the time from mount to the first painted chart: PortalEmbed, a plain iframe with a ready
 * URL, and such an iframe that answers the portal's page. They take turns in one Chromium, with the
 * demo's portal and middleware. `cold` is a browser context without a cache, `warm` one that has
 * shown the report before.
 *
 * `npm run time-to-chart [-- <rounds>]` in this folder, after `npm run build` in the root.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { build } from 'esbuild';
import { findFreePort, launchChromium } from 'test-support';

const rounds = Number(process.argv.slice(2).find(Number) ?? 15);
const repository = new URL('../../../', import.meta.url).pathname;
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-chart-'));
const ports = { PORTAL_PORT: await findFreePort(), HOST_PORT: await findFreePort() };
const demo = spawn('npm', ['start'], {
  cwd: repository,
  detached: true,
  env: { ...process.env, ...ports, PORTAL_DATA_DIR: dataDir, PORTAL_DATABASE_URL: '' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
await new Promise((ready, failed) => {
  demo.once('exit', () => failed(new Error(`npm start ended:\n${output}`)));
  demo.stdout.on('data', (chunk) => {
    output += chunk;
    if (/^ready/m.test(output)) ready();
  });
});
const readEnv = (name) =>
  new RegExp(`^${name}="?([^"\n]+)`, 'm').exec(
    fs.readFileSync(path.join(dataDir, 'demo.env'), 'utf8'),
  )[1];
const hostUrl = `http://acme.localhost:${ports.HOST_PORT}`;
const request = { reportId: readEnv('SALES_REPORT_ID') };

const { outputFiles } = await build({
  entryPoints: [new URL('chart-page.mjs', import.meta.url).pathname],
  bundle: true,
  minify: true,
  format: 'esm',
  write: false,
  define: { 'process.env.NODE_ENV': '"production"' },
});

/** Notes in every frame when its first chart was painted. */
const notePaint = () => {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('svg.plot')) return;
    observer.disconnect();
    requestAnimationFrame(() =>
      setTimeout(() => {
        window.paintedAt = performance.timeOrigin + performance.now();
      }),
    );
  }).observe(document, { childList: true, subtree: true });
};

const browser = await launchChromium();
process.once('exit', () => {
  if (demo.exitCode === null && demo.signalCode === null) process.kill(-demo.pid, 'SIGINT');
});
const enter = async () => {
  const context = await browser.newContext();
  await context.addInitScript(notePaint);
  const page = await context.newPage();
  await page.goto(hostUrl);
  await page.getByRole('button', { name: 'west@acme.example' }).click();
  await page.locator('output[data-status]').waitFor();
  // A page of the host's server, because a page that the driver sets may not frame a local address.
  await page.goto(`${hostUrl}/livez`);
  await page.setContent('<div id="root"></div>');
  await page.addScriptTag({ type: 'module', content: outputFiles[0].text });
  await page.waitForFunction(() => 'mountEmbed' in window);
  return page;
};

const measure = async (page, kind) => {
  const startedAt =
    kind === 'embed'
      ? await page.evaluate((given) => window.mountEmbed(given), request)
      : await page.evaluate(
          async ([given, answers]) => window.mountPlainFrame(await window.mint(given), answers),
          [request, kind === 'answering'],
        );
  let paintedAt;
  let revealedAt;
  const deadline = Date.now() + 10_000;
  while (!paintedAt || !revealedAt) {
    if (Date.now() > deadline) {
      const picture = path.join(os.tmpdir(), 'no-chart.png');
      await page.screenshot({ path: picture });
      throw new Error(`There is no chart after 10 seconds (${kind}): see ${picture}.`);
    }
    await page.waitForTimeout(20);
    const frame = page.frames().find((each) => each !== page.mainFrame());
    paintedAt = await frame?.evaluate(() => window.paintedAt).catch(() => {});
    revealedAt = await page.evaluate(() => window.revealedAt);
  }
  const mintMs = await page.evaluate(
    () =>
      performance.getEntriesByType('resource').findLast(({ name }) => name.endsWith('/url'))
        ?.duration,
  );
  await page.evaluate(() => window.unmount());
  // The middleware mints 60 URLs a minute for a user, and the component delays a burst.
  await page.waitForTimeout(1_000);
  return { ms: Math.max(paintedAt, revealedAt) - startedAt, mintMs };
};

const toTenths = (value) => Math.round(value * 10) / 10;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const kinds = ['embed', 'plain', 'answering'];
const taken = {
  cold: { embed: [], plain: [], answering: [] },
  warm: { embed: [], plain: [], answering: [] },
};
const mints = { cold: [], warm: [] };
const take = async (page, heat, kind) => {
  const { ms, mintMs } = await measure(page, kind);
  taken[heat][kind].push(ms);
  if (kind === 'embed') mints[heat].push(mintMs);
};
const warm = await enter();
await measure(warm, 'embed');
for (let round = 0; round < rounds; round++)
  for (const kind of round % 2 ? kinds : kinds.toReversed()) {
    await take(warm, 'warm', kind);
    // The workbench has shown the report, so the cache is cleared with the context.
    const page = await enter();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    await take(page, 'cold', kind);
    await page.context().close();
  }

const least = (values) => Math.min(...values);
const rows = {};
for (const heat of ['cold', 'warm'])
  // Other load on the machine affects the fastest round least.
  for (const [name, pick] of Object.entries({ median, fastest: least })) {
    const [embed, plain, answering] = kinds.map((kind) => pick(taken[heat][kind]));
    const mint = pick(mints[heat]);
    rows[`${heat}, ${name}`] = {
      'PortalEmbed, ms': toTenths(embed),
      'plain iframe, ms': toTenths(plain),
      'iframe with connect, ms': toTenths(answering),
      'mint, ms': toTenths(mint),
      'PortalEmbed minus plain iframe and mint, ms': toTenths(embed - plain - mint),
    };
  }
// oxlint-disable-next-line no-console -- the result
console.table(rows);
await browser.close();
process.kill(-demo.pid, 'SIGINT');
await once(demo, 'close');
fs.rmSync(dataDir, { recursive: true, force: true });
