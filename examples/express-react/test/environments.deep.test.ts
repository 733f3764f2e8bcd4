import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import type { Browser, Page } from 'playwright-core';
import { createTemporaryFolder, findFreePort, launchHeadless, send } from 'test-support';
import { serve as serveExample } from 'test-support/host-example';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { addEmbedOrigin, repository, startDemo } from './demo.ts';
import type { Demo } from './demo.ts';

const sources = path.join(repository, 'packages/docs/examples/environments');
const compilers = { '5.0': '5.0.4', '5.4': '5.4.5', '5.9': '5.9.3' };
const dependencies = [
  ...Object.entries(compilers).map(([name, version]) => `ts-${name}@npm:typescript@${version}`),
  'express@5.3.0 express-session@1.19.0 helmet@8.3.0 @types/express@5.0.6 @types/node@20.19.43',
  'react@19.3.1 react-dom@19.3.1 @types/react@19.3.0 vite@8.3.8 @vitejs/plugin-react@6.3.0 next@16.4.6',
  'jest@30.5.2 jest-environment-jsdom@30.5.2 babel-jest@30.5.2 @testing-library/react@16.3.3',
  '@testing-library/dom@10.4.1 @babel/preset-env@7 @babel/preset-react@7',
].flatMap((line) => line.split(' '));

const folder = createTemporaryFolder('portal-environments-');
let demo: Demo;
let browser: Browser;

const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);

/** Runs a command in the folder of the application. Resolves with its output and exit code. */
const run = async (command: string, ...args: string[]) =>
  promisify(execFile)(command, args, { cwd: folder, env: environment() }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      output: stdout + stderr,
    }),
  );

const expectSuccess = async (...command: [string, ...string[]]) =>
  expect(await run(...command)).toEqual({ code: 0, output: expect.any(String) as string });

const environment = () => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NEXT_TELEMETRY_DISABLED: '1',
  ...demo?.env,
  VITE_REPORT_ID: demo?.env.SALES_REPORT_ID,
});

/** Starts a server of the application and waits until it answers. */
async function serve(port: number, args: string[]) {
  const server = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...environment(), PORT: String(port) },
    stdio: 'inherit',
  });
  onTestFinished(async () => {
    server.kill();
    await once(server, 'exit');
  });
  await expect
    .poll(() => send(`http://acme.localhost:${port}/app/`).then(Boolean, () => false), {
      timeout: 60_000,
    })
    .toBe(true);
}

/** Starts the host application with the built pages. */
async function startHost() {
  const port = await findFreePort();
  addEmbedOrigin(demo, `http://acme.localhost:${port}`);
  await serve(port, ['server.js']);
  return port;
}

beforeAll(async () => {
  fs.cpSync(sources, folder, { recursive: true });
  write('package.json', '{ "private": true, "type": "module" }');
  await promisify(execFile)('npm', ['run', 'pack'], { cwd: repository });
  const packs = path.join(repository, 'packs');
  const tarballs = fs
    .readdirSync(packs)
    .filter((name) => /-(?:contract|client|host|express|react)-\d/.test(name))
    .map((name) => path.join(packs, name));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  await expectSuccess('npm', 'install', ...flags, ...tarballs, ...dependencies);
  demo = await startDemo();
  browser = await launchHeadless(['--host-resolver-rules=MAP *.intranet.example 127.0.0.1']);
  await expectSuccess('npx', 'vite', 'build');
});
afterAll(async () => {
  await browser?.close();
  await demo?.interrupt();
  demo?.remove();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Signs in and waits until the report is visible. */
async function expectReport(address: string): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(address);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.frameLocator('iframe').getByText('Superstore sales').first().waitFor();
  return page;
}

describe('TypeScript', () => {
  const compile = (compiler: string, file: string, module: string, moduleResolution: string) => {
    const options = {
      module,
      moduleResolution,
      jsx: 'react-jsx',
      target: 'es2022',
      types: 'node',
      // The types of zod use `NoInfer`, which TypeScript has since 5.4.
      skipLibCheck: String(compiler === '5.0'),
    };
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const tsc = `node_modules/ts-${compiler}/bin/tsc`;
    return run('node', tsc, '--noEmit', '--strict', ...flags, `typescript/${file}`);
  };

  it.each(Object.keys(compilers))(
    'the packages compile with TypeScript %s, `bundler` and `nodenext`',
    async (compiler) => {
      const compiled = { code: 0, output: '' };
      expect(await compile(compiler, 'app.tsx', 'esnext', 'bundler')).toEqual(compiled);
      expect(await compile(compiler, 'app.tsx', 'nodenext', 'nodenext')).toEqual(compiled);
    },
  );

  it('says which `moduleResolution` finds the packages', async () => {
    const { output } = await compile('5.9', 'app.tsx', 'commonjs', 'node');
    expect(output).toContain("TS2307: Cannot find module '@portal-embed/react'");
    expect(output).toContain("updating to 'node16', 'nodenext', or 'bundler'");
  });

  it('a CommonJS file compiles with TypeScript 5.8 and `nodenext`, and runs', async () => {
    const file = 'commonjs/embed.ts';
    expect((await compile('5.4', file, 'nodenext', 'nodenext')).output).toContain('TS1479');
    expect(await compile('5.9', file, 'nodenext', 'nodenext')).toEqual({ code: 0, output: '' });
    const print = "console.log(typeof require('./typescript/commonjs/embed.cjs'))";
    expect(await run('node', '-e', print)).toEqual({ code: 0, output: 'function\n' });
  });
});

it('Jest runs tests of a component with an embed', async () => {
  write(
    'babel.config.cjs',
    `module.exports = { presets: [
      ['@babel/preset-env', { targets: { node: 'current' } }],
      ['@babel/preset-react', { runtime: 'automatic' }],
    ] };`,
  );
  const jest = ['jest', '--testMatch', '**/sales.test.jsx'];
  expect(await run('npx', ...jest)).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 passed') as string,
  });
  write('without.config.cjs', "module.exports = { testEnvironment: 'jsdom' };");
  const without = await run('npx', ...jest, '--config', 'without.config.cjs');
  expect(without).toMatchObject({
    code: 1,
    output: expect.stringContaining('transformIgnorePatterns') as string,
  });
});

it('an application below a path shows its reports', async () => {
  const port = await startHost();
  await expectReport(`http://acme.localhost:${port}/app/`);
});

it("a dev server's page shows its reports through the proxy", async () => {
  const host = await startHost();
  const port = await findFreePort();
  addEmbedOrigin(demo, `http://acme.localhost:${port}`);
  const config = fs.readFileSync(path.join(folder, 'vite.config.js'), 'utf8');
  write('dev.config.js', config.replaceAll('3000', String(host)).replace('5173', String(port)));
  await serve(port, ['node_modules/vite/bin/vite.js', '--config', 'dev.config.js', '--strictPort']);
  await expectReport(`http://acme.localhost:${port}/app/`);
});

it('a pane can be dragged over the report', async () => {
  const port = await startHost();
  const page = await expectReport(`http://acme.localhost:${port}/app/`);
  const pane = page.locator('nav');
  const drag = async (to: number) => {
    const { x, y } = (await page.locator('hr').boundingBox())!;
    await page.mouse.move(x + 2, y + 2);
    await page.mouse.down();
    await page.mouse.move(to, y + 50, { steps: 5 });
    await page.mouse.up();
    return (await pane.boundingBox())!.width;
  };
  expect(await drag(500)).toBe(500);
  await page.addStyleTag({ content: '[data-portal-embed] { pointer-events: auto !important; }' });
  expect(await drag(800)).toBeLessThan(800);
});

it('a sign-in on plain http passes the check for other sites', async () => {
  const port = await startHost();
  const address = `http://reports.intranet.example:${port}`;
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(`${address}/app/`);
  const signIn = page.waitForResponse(`${address}/app/sign-in`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect((await signIn).status()).toBe(303);
  const minted = await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch('/app/portal-embed/url', { method: 'POST', headers, body: '{}' })).status;
  });
  expect(minted).toBe(200);
  // What browsers send under helmet's default policy, `no-referrer`.
  const refused = await send(`http://127.0.0.1:${port}/app/sign-in`, {
    method: 'POST',
    headers: { host: `reports.intranet.example:${port}`, origin: 'null' },
  });
  expect(refused.status).toBe(403);
});

it('an outer sandbox needs `allow-downloads`, and onExport does not depend on it', async () => {
  const port = await startHost();
  const origin = `http://acme.localhost:${port}`;
  const outer = fs.readFileSync(path.join(folder, 'outer.html'), 'utf8');
  const exportIn = async (html: string) => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.route(`${origin}/outer`, (route) =>
      route.fulfill({ contentType: 'text/html', body: html }),
    );
    let downloads = 0;
    page.on('download', () => (downloads += 1));
    await page.goto(`${origin}/outer`);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Sign in' }).click();
    await frame.frameLocator('iframe').getByText('Superstore sales').first().waitFor();
    await frame.getByRole('button', { name: 'Download' }).click();
    await frame.getByText('csv handed to the browser').waitFor();
    return () => downloads;
  };
  const downloads = await exportIn(outer);
  await expect.poll(downloads).toBe(1);
  const blocked = await exportIn(outer.replace(' allow-downloads', ''));
  expect(blocked()).toBe(0);
});

it('a host that is framed itself needs the origin of each page around it', async () => {
  // By default, helmet lets no other page frame the application.
  const server = fs.readFileSync(path.join(folder, 'server.js'), 'utf8');
  const policy = "upgradeInsecureRequests: null, frameAncestors: ['*']";
  write('framed.js', server.replace('upgradeInsecureRequests: null', policy));
  const port = await findFreePort();
  const origin = `http://acme.localhost:${port}`;
  addEmbedOrigin(demo, origin);
  await serve(port, ['framed.js']);
  const frames = `<iframe src="${origin}/app/" style="width: 100%; height: 40rem"></iframe>`;
  await using around = await serveExample((_, response) =>
    response.setHeader('content-type', 'text/html').end(frames),
  );
  // Of the same site, so that the session cookie is sent.
  const outer = `http://intranet.acme.localhost:${around.port}`;
  const page = await expectReport(`${origin}/app/`);
  await page.goto(outer);
  const frame = page.frameLocator('iframe');
  await frame.getByText('Every ancestor must be an embed origin.').waitFor();
  addEmbedOrigin(demo, origin, outer);
  await page.reload();
  const report = frame.frameLocator('iframe').getByText('Superstore sales').first();
  await expect.poll(() => report.isVisible(), { timeout: 30_000 }).toBe(true);
});

it('Next.js with a base path and a trailing slash shows slots of a server component', async () => {
  fs.symlinkSync(path.join(folder, 'node_modules'), path.join(folder, 'next/node_modules'));
  const next = path.join(folder, 'node_modules/next/dist/bin/next');
  await expectSuccess('node', next, 'build', 'next');
  const port = await findFreePort();
  const origin = `http://acme.localhost:${port}`;
  addEmbedOrigin(demo, origin);
  await serve(port, [next, 'start', 'next', '--hostname', '127.0.0.1', '--port', String(port)]);
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(`${origin}/app/`);
  const link = page.getByRole('link', { name: 'Sign in' });
  expect(await link.getAttribute('href')).toBe('/app/sign-in/');
  await page.context().addCookies([{ name: 'user', value: 'west%40acme.example', url: origin }]);
  await page.reload();
  await page.frameLocator('iframe').getByText('Superstore sales').first().waitFor();
});
