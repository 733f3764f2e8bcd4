import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { findFreePort } from 'test-support';
import { expect, onTestFinished } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import type { AdminPage, setUpAdminPages } from './admin-pages.ts';

export const repository = fileURLToPath(new URL('../../../../', import.meta.url));

type AdminPages = ReturnType<typeof setUpAdminPages>;

/** Opens the embedding page as an administrator who may open a report. */
export async function openEmbedding(admin: AdminPages) {
  const email = `${randomUUID()}@acme.example`;
  const opened = await admin.open(1, email);
  const { ctx, reportId } = admin.portal.acme;
  await linkReports(ctx, { userEmail: email, reports: [reportId] });
  await opened.page.goto(`${opened.home}/settings/embedding`);
  return { ...opened, email };
}

export async function choose(page: AdminPage, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** The files and commands on the page, in their order. */
export async function readSnippets(page: AdminPage): Promise<{ name: string; code: string }[]> {
  const blocks = page.locator('section[aria-label]:has(pre)');
  return Promise.all(
    (await blocks.all()).map(async (block) => ({
      name: (await block.getAttribute('aria-label'))!,
      code: (await block.locator('pre').textContent())!,
    })),
  );
}

/** A new folder, which is removed after the test. */
export function createFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-embed-paste-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/**
 * Writes the files of the page into a folder and runs the commands that `choose` returns. The last
 * command starts a server, which runs until the test ends.
 */
async function paste(
  page: AdminPage,
  cwd: string,
  apiKey: string,
  chooseCommands: (lines: string[]) => string[],
): Promise<void> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const run = (command: string) => {
    const child = spawn('bash', ['-ec', command], { cwd, env, detached: true, stdio: 'pipe' });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, output: () => output };
  };
  const snippets = await readSnippets(page);
  for (const [index, { name, code }] of snippets.entries()) {
    if (name !== 'Commands') {
      fs.mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
      fs.writeFileSync(path.join(cwd, name), code);
      continue;
    }
    const commands = chooseCommands(code.split('\n')).join('\n').replace('pek_…', apiKey);
    const { child, output } = run(commands);
    const isServer = index === snippets.length - 1;
    if (isServer)
      onTestFinished(async () => {
        if (child.exitCode !== null) return;
        process.kill(-child.pid!);
        await once(child, 'close');
      });
    else if ((await once(child, 'close'))[0] !== 0) throw new Error(output());
  }
}

/** Expects that the code for a server and a page, pasted into a folder, shows a report. */
export async function expectReport(
  admin: AdminPages,
  { server, pages }: { server: string; pages: string | undefined },
  folder: string,
  chooseCommands: (lines: string[]) => string[] = (lines) => lines,
): Promise<void> {
  const { page } = await openEmbedding(admin);
  const origin = `http://localhost:${await findFreePort()}`;
  await page.getByLabel('Origin of an application').fill(origin);
  await page.getByRole('button', { name: 'Add origin' }).click();
  await choose(page, 'Your server', server);
  if (pages !== undefined) await choose(page, 'Your page', pages);
  await choose(page, 'Origin of your application', origin);
  await paste(page, folder, admin.portal.acme.apiKey, chooseCommands);
  await expect
    .poll(() => fetch(origin).catch(() => undefined), { timeout: 120_000, interval: 100 })
    .toBeDefined();
  await page.goto(origin);
  const portal = page.frameLocator('iframe');
  await portal.getByRole('main').getByRole('button', { name: 'Orders', exact: true }).click();
  await portal.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.context().close();
}

/** What the commands of the snippets install, by folder of the repository. */
const installed = {
  '@portal-embed/express': 'packages/express',
  '@portal-embed/host': 'packages/host',
  '@portal-embed/react': 'packages/react',
  express: 'packages/express/node_modules/express',
  hono: 'examples/hono/node_modules/hono',
  '@hono/node-server': 'examples/hono/node_modules/@hono/node-server',
  fastify: 'examples/fastify/node_modules/fastify',
  srvx: 'examples/node/node_modules/srvx',
  react: 'packages/react/node_modules/react',
  'react-dom': 'packages/react/node_modules/react-dom',
  '.bin/esbuild': 'packages/portal/node_modules/esbuild/bin/esbuild',
};

/** A folder in which the packages are installed without a network. */
function createInstalled(): string {
  const folder = createFolder();
  for (const [name, from] of Object.entries(installed)) {
    const target = path.join(folder, 'node_modules', name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.symlinkSync(path.join(repository, from), target);
  }
  return folder;
}

/** Expects a report as `expectReport` does, in a folder in which the packages are installed. */
export const expectInstalledReport = (admin: AdminPages, server: string, pages: string) =>
  expectReport(admin, { server, pages }, createInstalled(), (lines) =>
    lines.filter((line) => !line.startsWith('npm install')),
  );
