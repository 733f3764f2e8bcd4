import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { findFreePort } from 'test-support';
import { copyRepository } from 'test-support/copy-repository';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { repository } from './prepare.mjs';

const maxMegabytes = 450;

let clone;
beforeAll(() => {
  clone = copyRepository({ isEmpty: true });
});
afterAll(() => fs.rmSync(clone, { recursive: true, force: true }));

const { PATH, HOME } = process.env;

/** Runs `npm start` until the demo answers, then stops it. Returns what it printed. */
async function start() {
  const [portal, host] = [await findFreePort(), await findFreePort()];
  const child = spawn('npm', ['start'], {
    cwd: clone,
    detached: true,
    env: { PATH, HOME, PORTAL_PORT: String(portal), HOST_PORT: String(host) },
  });
  let output = '';
  const closed = once(child, 'close');
  const ready = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += text;
        if (/^ready in/m.test(output)) resolve(true);
      });
  });
  if (await Promise.race([ready, closed.then(() => false)])) {
    const answer = await fetch(`http://localhost:${portal}/docs`);
    output += `\n/docs answers ${answer.status}`;
    // The group, as Ctrl-C does.
    process.kill(-Number(child.pid), 'SIGINT');
    await closed;
  }
  return output;
}

/** The names of the packages that are installed, whichever package they are installed for. */
const listInstalled = () =>
  fs
    .readdirSync(path.join(clone, 'node_modules/.pnpm'))
    .map((name) => name.replace('+', '/').match(/^@?[^@]+/)[0]);

/** The names of the packages that are there for development and for nothing else, types excluded. */
function listTools() {
  const folders = ['packages', 'examples'].flatMap((group) =>
    fs.readdirSync(path.join(repository, group)).map((name) => `${group}/${name}`),
  );
  const manifests = ['.', ...folders].map((folder) =>
    JSON.parse(fs.readFileSync(path.join(repository, folder, 'package.json'), 'utf8')),
  );
  const list = (group) => manifests.flatMap((manifest) => Object.keys(manifest[group] ?? {}));
  const used = new Set(list('dependencies'));
  // `test-support` and an example depend on them.
  const ofTests = ['vitest', 'playwright-core', 'puppeteer-core', 'selenium-webdriver', 'next'];
  const tools = list('devDependencies').filter(
    (name) => !used.has(name) && !name.startsWith('@types/'),
  );
  return [...new Set([...ofTests, ...tools])];
}

describe('in an empty clone', () => {
  it('npm start installs what the demo needs, and no test tool', async () => {
    const output = await start();
    expect(output).toContain('Installing packages …');
    expect(output).toContain('/docs answers 200');
    const modules = path.join(clone, 'node_modules');
    const { stdout } = await promisify(execFile)('du', ['-sk', modules]);
    expect(Number.parseInt(stdout, 10) / 1024).toBeLessThan(maxMegabytes);
    const installed = new Set(listInstalled());
    expect(installed).toContain('vite');
    expect(listTools().filter((name) => installed.has(name))).toEqual([]);
  });

  it('a second npm start installs nothing', async () => {
    const output = await start();
    expect(output).toContain('/docs answers 200');
    expect(output).not.toContain('Installing');
  });

  it('npm test after npm start installs the rest, and both work', async () => {
    const { stdout, stderr } = await promisify(execFile)(
      'npm',
      ['test', '--', 'packages/contract/src/errors', 'packages/portal/test/groups'],
      { cwd: clone, env: { PATH, HOME } },
    );
    expect(stderr).toContain('Installing packages …');
    expect(stdout).toMatch(/^\d+ passed, 0 failed$/m);
    expect(listInstalled()).toContain('vitest');
    const output = await start();
    expect(output).toContain('/docs answers 200');
    expect(output).not.toContain('Installing');
  });
});
