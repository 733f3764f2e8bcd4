import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { findFreePort } from 'testing';
import { expect, it, onTestFinished } from 'vitest';

import { linkReports } from '../src/reports/service.ts';
import { listNewest } from './support/activity.ts';
import {
  expectAccessible,
  expectFits,
  setUpAdminPages,
  type AdminPage,
} from './support/admin-pages.ts';

const admin = setUpAdminPages();
const repository = fileURLToPath(new URL('../../../', import.meta.url));

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

/** An empty folder in which the packages can be installed without a network. */
function createFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-embed-paste-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const [name, from] of Object.entries(installed)) {
    const target = path.join(folder, 'node_modules', name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.symlinkSync(path.join(repository, from), target);
  }
  return folder;
}

/** Opens the embedding page as an administrator who may open a report. */
async function openEmbedding() {
  const email = `${randomUUID()}@acme.example`;
  const opened = await admin.open(1, email);
  const { ctx, reportId } = admin.portal.acme;
  await linkReports(ctx, { userEmail: email, reports: [reportId] });
  await opened.page.goto(`${opened.home}/settings/embedding`);
  return { ...opened, email };
}

async function choose(page: AdminPage, label: string, option: string) {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** The files and commands on the page, in their order. */
async function readSnippets(page: AdminPage): Promise<{ name: string; code: string }[]> {
  const blocks = page.locator('section[aria-label]:has(pre)');
  return Promise.all(
    (await blocks.all()).map(async (block) => ({
      name: (await block.getAttribute('aria-label'))!,
      code: (await block.locator('pre').textContent())!,
    })),
  );
}

/** Writes the files and runs the commands, except for those that install packages. */
async function paste(page: AdminPage): Promise<void> {
  const cwd = createFolder();
  const env = { PATH: process.env['PATH'], HOME: cwd };
  const run = (command: string) => {
    const child = spawn('bash', ['-ec', command], { cwd, env, detached: true, stdio: 'pipe' });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, output: () => output };
  };
  for (const { name, code } of await readSnippets(page)) {
    if (name !== 'Commands') {
      fs.writeFileSync(path.join(cwd, name), code);
      continue;
    }
    const commands = code.split('\n').filter((line) => !line.startsWith('npm install'));
    const isServer = commands.at(-1)!.endsWith('server.js');
    const { child, output } = run(commands.join('\n').replace('pek_…', admin.portal.acme.apiKey));
    if (isServer)
      onTestFinished(async () => {
        process.kill(-child.pid!);
        await once(child, 'close');
      });
    else if ((await once(child, 'close'))[0] !== 0) throw new Error(output());
  }
}

it.each([
  ['Express', 'Plain HTML'],
  ['Hono', 'React'],
  ['Fastify', 'React'],
  ['Fetch handler', 'Plain HTML'],
])('the code for %s and %s shows a report when pasted into a folder', async (server, pages) => {
  const { page } = await openEmbedding();
  const origin = `http://localhost:${await findFreePort()}`;
  await page.getByLabel('Origin of an application').fill(origin);
  await page.getByRole('button', { name: 'Add origin' }).click();
  await choose(page, 'Your server', server);
  await choose(page, 'Your page', pages);
  await choose(page, 'Origin of your application', origin);
  await paste(page);
  await expect
    .poll(() =>
      page.goto(origin).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const portal = page.frameLocator('iframe');
  await portal.getByRole('main').getByRole('button', { name: 'Orders', exact: true }).click();
  await portal.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.context().close();
});

it('the code of every framework has the values of the organization, and no others', async () => {
  const { page, complaints } = await openEmbedding();
  const { acme, publicUrl } = admin.portal;
  await choose(page, 'Origin of your application', acme.embedOrigin);
  for (const server of ['Express', 'Next.js', 'Hono', 'Fastify', 'Fetch handler']) {
    await choose(page, 'Your server', server);
    const code = (await readSnippets(page)).map((each) => each.code).join('\n');
    for (const value of [acme.id, acme.address, publicUrl, new URL(acme.embedOrigin).hostname])
      expect(code).toContain(`'${value}'`);
    expect(code).not.toContain('portal.example');
  }
  await page.getByText('createMinter').first().waitFor();
  await page
    .getByText('Add http://localhost:3000 to the origins above')
    .waitFor({ state: 'detached' });
  await choose(page, 'Origin of your application', 'http://localhost:3000');
  await page.getByText('Add http://localhost:3000 to the origins above').waitFor();
  await page.getByRole('button', { name: 'Copy tenants.js' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a test opens a report as the chosen user, in the name of the administrator', async () => {
  const { page, complaints, email } = await openEmbedding();
  const { acme } = admin.portal;
  await page.getByRole('combobox', { name: 'User', exact: true }).fill('west');
  await page.getByRole('option', { name: /west@acme/ }).click();
  await page.getByRole('combobox', { name: 'All reports' }).fill('Orders');
  await page.getByRole('option', { name: 'Orders', exact: true }).click();
  await page.getByRole('button', { name: 'Open as this user' }).click();
  const portal = page.frameLocator('iframe');
  await portal.getByText(`Viewed as west by ${email}. Read only.`).waitFor();
  await portal.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  expect(await listNewest(admin.portal, 1)).toMatchObject([
    {
      action: 'viewAs',
      subject: acme.emails.west,
      actor: { kind: 'user', name: email },
      details: { reportId: acme.reportId },
    },
  ]);
  expect(complaints).toEqual([]);
  await page.context().close();
});
