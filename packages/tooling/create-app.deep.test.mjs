import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { findFreePort, launchHeadless, send } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { packPackages } from './prepare.mjs';

const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  NEXT_TELEMETRY_DISABLED: '1',
};
const timeout = 600_000;

let parent;
let packs;
let create;

buildFirst();
beforeAll(async () => {
  // Not in memory: the applications have 300 MB each.
  parent = fs.mkdtempSync(path.join(os.tmpdir(), 'create-app-'));
  packs = path.join(parent, 'packs');
  const packed = await packPackages(packs);
  const { file } = packed.find(({ name }) => name === '@portal-embed/create-app');
  // What `npm create` does with the package of the registry.
  const args = ['exec', '--yes', `--package=${path.join(packs, file)}`, '--', 'create-app'];
  create = (...options) => run('npm', [...args, ...options], parent);
}, timeout);
afterAll(() => fs.rmSync(parent, { recursive: true, force: true }));

/** Runs a command, and returns its exit code and its output. */
async function run(command, args, cwd) {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, env });
    return { code: 0, output: stdout };
  } catch ({ code, stdout, stderr }) {
    return { code, output: stdout + stderr };
  }
}

/** Starts a script of an application, until the test ends. */
function start(cwd, script, ports) {
  const child = spawn('npm', ['run', script], {
    cwd,
    env: { ...env, ...ports },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += chunk.toString()));
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    process.kill(-Number(child.pid));
    // npm ends before the program that it started, which still writes to the folder.
    await once(child, 'close');
  });
  return () => output;
}

describe.each(['express', 'hono', 'fastify', 'nextjs'])('an application on %s', (framework) => {
  it('passes its tests, and shows the demo portal’s report to a reader', { timeout }, async () => {
    const folder = path.join(parent, framework);
    const created = await create(framework, '--framework', framework, '--packs', packs);
    expect(created).toMatchObject({ code: 0 });
    expect(created.output).toContain('npm run portal');
    expect(await run('npm', ['install'], folder)).toMatchObject({ code: 0 });
    const tests = await run('npm', ['test'], folder);
    expect(tests.output).toMatch(/^# pass [1-9]/m);
    expect(tests).toMatchObject({ code: 0 });

    const ports = {
      PORT: String(await findFreePort()),
      PORTAL_PORT: String(await findFreePort()),
    };
    const portal = start(folder, 'portal', ports);
    await vi.waitFor(() => expect(portal()).toContain('The demo portal runs'), { timeout });
    start(folder, 'dev', ports);
    const address = `http://localhost:${ports.PORT}/`;
    await vi.waitFor(() => send(address), { timeout });

    const browser = await launchHeadless();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    // Next.js compiles each page and route at its first request.
    page.setDefaultTimeout(timeout);
    await page.goto(address);
    await page.getByText('Sign in to see this report').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    const report = page.frameLocator('iframe');
    await report.getByText('west@acme.example').waitFor();
    await report.getByText('Items').first().waitFor();
    await report.getByText('West').last().waitFor();
    expect(await report.getByText('East', { exact: true }).count()).toBe(0);

    const check = ['run', 'check', '--', '--origin', `http://{host}:${ports.PORT}`];
    const checked = await run('npm', check, folder);
    expect(checked.output).not.toMatch(/WARN|FAILED/);
    expect(checked).toMatchObject({ code: 0 });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Sign in to see this report').waitFor();

    const second = await run('npm', ['run', 'portal'], folder);
    expect(second.output).toContain(`Port ${ports.PORTAL_PORT} is taken. Stop the other portal`);
    expect(second.code).toBe(1);
  });
});

it('a folder that is not empty is refused, and the usage is shown', async () => {
  const folder = path.join(parent, 'full');
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'notes.txt'), 'mine');
  const { code, output } = await create('full', '--framework', 'hono', '--packs', packs);
  expect(code).toBe(2);
  expect(output).toContain('is not empty: it has notes.txt');
  expect(output).toContain('Usage: npm create @portal-embed/app');
  expect(fs.readdirSync(folder)).toEqual(['notes.txt']);
});

it('without --packs, the packages have exact versions, and the output names --packs', async () => {
  const { output } = await create('pinned', '--framework', 'express');
  expect(output).toContain('run this command again with --packs');
  const text = fs.readFileSync(path.join(parent, 'pinned/package.json'), 'utf8');
  const { dependencies, devDependencies } = JSON.parse(text);
  const versions = Object.values({ ...dependencies, ...devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([]);
});

it('without a terminal, a missing framework is refused', async () => {
  const { code, output } = await create('missing');
  expect(code).toBe(2);
  expect(output).toContain('create-app: The framework is missing. Add --framework.');
  expect(fs.existsSync(path.join(parent, 'missing'))).toBe(false);
});
