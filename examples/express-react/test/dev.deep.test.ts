import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Browser, Page } from 'playwright-core';
import { findFreePort, launchHeadless } from 'test-support';
import { copyRepository } from 'test-support/copy-repository';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runScript } from './demo.ts';

let copy: string;
let dev: ReturnType<typeof runScript>;
let browser: Browser;
let page: Page;
let admin: Page;
/** Console errors of the pages, such as a style that their policy blocks. */
const errors: string[] = [];

/** Writes a file as an editor may: for a moment it is empty. */
async function edit(file: string, before: string, after: string): Promise<void> {
  const target = path.join(copy, file);
  const text = fs.readFileSync(target, 'utf8');
  if (!text.includes(before)) throw new Error(`${file} does not contain ${before}.`);
  fs.writeFileSync(target, '');
  await delay(15);
  fs.writeFileSync(target, text.replace(before, after));
}

beforeAll(async () => {
  copy = copyRepository();
  const hostPort = await findFreePort();
  const portalPort = await findFreePort();
  const ports = { PORTAL_PORT: String(portalPort), HOST_PORT: String(hostPort) };
  dev = runScript('dev', { ...ports, PORTAL_DATA_DIR: path.join(copy, '.portal') }, copy);
  await dev.ready;
  browser = await launchHeadless();
  [page, admin] = [await browser.newPage(), await browser.newPage()];
  for (const opened of [page, admin])
    opened.on('console', (message) => {
      if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
    });
  await page.goto(`http://acme.localhost:${hostPort}`);
  await page.getByRole('button', { name: 'west@acme.example' }).click();
  await page.getByLabel('Whole portal').click();
  await frame().getByText('Wanda West').waitFor();
  await admin.goto(`http://admin.localhost:${portalPort}/admin`);
  await admin.getByRole('heading', { name: 'Sign in' }).waitFor();
});

afterAll(async () => {
  await browser?.close();
  const ended = once(dev.child, 'close');
  process.kill(-dev.child.pid!, 'SIGINT');
  await ended;
  fs.rmSync(copy, { recursive: true, force: true });
});

const frame = () => page.frameLocator('iframe');

/** Sets marks that a reload removes. */
const markPages = async () => {
  await page.evaluate('window.isSamePage = true');
  await frame().locator('body').evaluate('window.isSamePage = true');
};
const areSamePages = async () => [
  await page.evaluate('window.isSamePage'),
  await frame().locator('body').evaluate('window.isSamePage'),
];

const colorOf = (selector: string, of: Pick<Page, 'locator'> = page) =>
  of.locator(selector).evaluate((element) => getComputedStyle(element).color);

describe('npm run dev', () => {
  it('applies changed styles of the host’s and the portal’s page without a reload', async () => {
    await markPages();
    const rule = 'color: rgb(1, 2, 3) !important; }\n';
    fs.appendFileSync(path.join(copy, 'examples/express-react/web/host.css'), `h1 { ${rule}`);
    await expect.poll(() => colorOf('h1')).toBe('rgb(1, 2, 3)');
    const styles = path.join(copy, 'packages/viewer/src/styles/shell.css');
    fs.appendFileSync(styles, `.navbar-name { ${rule}`);
    await expect.poll(() => colorOf('.navbar-name', frame())).toBe('rgb(1, 2, 3)');
    const shared = path.join(copy, 'packages/page-kit/src/styles/base.css');
    fs.appendFileSync(shared, 'body { color: rgb(4, 5, 6) !important; }\n');
    await expect.poll(() => colorOf('body', frame())).toBe('rgb(4, 5, 6)');
    expect(await areSamePages()).toEqual([true, true]);
  });

  it('applies changed components of both pages and of packages/react without a reload', async () => {
    await markPages();
    await edit('examples/express-react/web/Workbench.tsx', '<h1>{data', '<h1>Edited {data');
    await page.getByText('Edited Acme').waitFor();
    await edit('packages/viewer/src/Navbar.tsx', '>{user.name}<', '>{user.name}, edited<');
    await frame().getByText('Wanda West, edited').waitFor();
    expect(await areSamePages()).toEqual([true, true]);
    const attribute = "'data-portal-embed': status,";
    await edit('packages/react/src/PortalEmbed.ts', attribute, `${attribute} 'data-edited': true,`);
    await page.locator('[data-edited]').waitFor();
  });

  it('applies changed styles and components of the administration without a reload', async () => {
    await admin.evaluate('window.isSamePage = true');
    const styles = path.join(copy, 'packages/admin/src/styles/admin.css');
    fs.appendFileSync(styles, 'h1 { color: rgb(1, 2, 3) !important; }\n');
    await expect.poll(() => colorOf('h1', admin)).toBe('rgb(1, 2, 3)');
    const title = '<Title order={1} size="h2">';
    await edit('packages/admin/src/sign-in/SignIn.tsx', title, `${title}Edited `);
    await admin.getByRole('heading', { name: 'Edited' }).waitFor();
    expect(await admin.evaluate('window.isSamePage')).toBe(true);
  });

  it('serves the pages without a console error', () => {
    // Nobody is signed in to the administration.
    expect(errors.filter((error) => !error.endsWith('/admin/api/session'))).toEqual([]);
  });

  it('restarts the portal with a changed service and shows the result', async () => {
    const name = 'name: session.userName,';
    await edit('packages/portal/src/viewer-sessions/presenter.ts', name, "name: 'Edited name',");
    await frame().getByText('Edited name').waitFor();
    expect(dev.output()).toContain('Restarted the portal');
  });

  it('restarts the host application with a changed contract', async () => {
    const mint = () =>
      page.evaluate(async () => {
        const headers = { 'Content-Type': 'application/json' };
        const body = '{"edited":true}';
        return (await fetch('/portal-embed/url', { method: 'POST', headers, body })).status;
      });
    expect(await mint()).toBe(400);
    const schema = 'hostRequestSchema = z';
    await edit('packages/contract/src/host/mint.ts', `${schema}.strictObject`, `${schema}.object`);
    // The restart has ended the session, which was in memory.
    await page.getByRole('button', { name: 'west@acme.example' }).click();
    await frame().getByText('Edited name').waitFor();
    expect(await mint()).toBe(200);
  });

  it('restarts the portal each time that a file is removed and written again', async () => {
    const file = path.join(copy, 'packages/portal/src/groups/service.ts');
    const restarts = () => dev.output().split('Restarted the portal').length;
    for (const round of [1, 2, 3]) {
      const before = restarts();
      const text = fs.readFileSync(file, 'utf8');
      fs.rmSync(file);
      await delay(5);
      fs.writeFileSync(file, `${text}// ${round}\n`);
      await expect.poll(restarts, { timeout: 40_000 }).toBeGreaterThan(before);
    }
  });
});
