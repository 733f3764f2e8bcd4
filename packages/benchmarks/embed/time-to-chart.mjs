/**
 * From mount to the first painted chart, PortalEmbed beside a plain iframe that was given a ready
 * URL, in turns in one Chromium, against the demo's portal and middleware. `cold` is a browser
 * context without any cache, `warm` one that has shown the report before.
 *
 * `npm run time-to-chart [-- <rounds>]` in this folder, after `npm run build` in the root.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { build } from 'esbuild';
import { findFreePort, launchChromium } from 'testing';

const rounds = Number(process.argv[2] ?? 15);
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
    if (!document.querySelector('figure svg, .chart svg')) return;
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
  if (demo.exitCode === null) process.kill(-demo.pid, 'SIGINT');
});
const enter = async () => {
  const context = await browser.newContext();
  await context.addInitScript(notePaint);
  const page = await context.newPage();
  await page.route(`${hostUrl}/bench`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script type="module">${outputFiles[0].text}</script>`,
    }),
  );
  await page.goto(hostUrl);
  await page.getByRole('button', { name: 'west@acme.example' }).click();
  await page.locator('output[data-status]').waitFor();
  await page.goto(`${hostUrl}/bench`);
  await page.waitForFunction(() => 'mountEmbed' in window);
  return page;
};

const measure = async (page, kind) => {
  const startedAt =
    kind === 'embed'
      ? await page.evaluate((given) => window.mountEmbed(given), request)
      : await page.evaluate(
          async (given) => window.mountPlainFrame(await window.mint(given)),
          request,
        );
  let paintedAt;
  const deadline = Date.now() + 10_000;
  while (!paintedAt) {
    if (Date.now() > deadline) throw new Error('There is no chart after 10 seconds.');
    await page.waitForTimeout(20);
    const frame = page.frames().find((each) => each !== page.mainFrame());
    paintedAt = await frame?.evaluate(() => window.paintedAt).catch(() => {});
  }
  const mintMs = await page.evaluate(
    () =>
      performance.getEntriesByType('resource').findLast(({ name }) => name.endsWith('/url'))
        ?.duration,
  );
  await page.evaluate(() => window.unmount());
  // Else the next mount is held back as one of a burst.
  await page.waitForTimeout(300);
  return { ms: paintedAt - startedAt, mintMs };
};

const round = (value) => Math.round(value * 10) / 10;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const taken = { cold: { embed: [], plain: [] }, warm: { embed: [], plain: [] } };
const mints = { cold: [], warm: [] };
const take = async (page, heat, kind) => {
  const { ms, mintMs } = await measure(page, kind);
  taken[heat][kind].push(ms);
  if (kind === 'embed') mints[heat].push(mintMs);
};
const warm = await enter();
await measure(warm, 'embed');
for (let round = 0; round < rounds; round++)
  for (const kind of round % 2 ? ['embed', 'plain'] : ['plain', 'embed']) {
    await take(warm, 'warm', kind);
    // The workbench has shown the report, so the cache goes, not only the context.
    const page = await enter();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    await take(page, 'cold', kind);
    await page.context().close();
  }

const rows = Object.fromEntries(
  ['cold', 'warm'].map((heat) => {
    const [embed, plain] = [median(taken[heat].embed), median(taken[heat].plain)];
    const mint = median(mints[heat]);
    return [
      heat,
      {
        'PortalEmbed, ms': round(embed),
        'plain iframe with a ready URL, ms': round(plain),
        'difference, ms': round(embed - plain),
        'of it the mint, ms': round(mint),
        'beyond the mint, ms': round(embed - plain - mint),
      },
    ];
  }),
);
// oxlint-disable-next-line no-console -- the result
console.table(rows);
await browser.close();
process.kill(-demo.pid, 'SIGINT');
await once(demo, 'close');
fs.rmSync(dataDir, { recursive: true, force: true });
