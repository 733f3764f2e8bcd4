import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { launchHeadless } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const { packageManager } = JSON.parse(
  fs.readFileSync(path.join(repository, 'package.json'), 'utf8'),
) as { packageManager: string };
const tsc = path.join(repository, 'node_modules/.bin/tsc');

const application = `
import { definePortalEmbed } from '@portal-embed/react/element';

definePortalEmbed();
const embed = document.createElement('portal-embed');
embed.options = { reportId: '6a1f4c1e-0000-4000-8000-000000000001' };
embed.addEventListener('statechange', ({ detail }) => console.log(detail.status));
document.body.append(embed);
`;

let folder: string;
let output: string;

const run = (command: string, args: string[], cwd = folder) =>
  execFileSync(command, args, { cwd, encoding: 'utf8' });

buildFirst();
// Packs as for the registry, and installs the files as an application without React does.
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-embed-packed-'));
  const tarballs = ['contract', 'react'].map((name) => {
    const tarball = path.join(folder, `${name}.tgz`);
    const source = path.join(repository, 'packages', name);
    run('npx', ['-y', packageManager, 'pack', '--out', tarball], source);
    return tarball;
  });
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
  output = run('bash', ['-c', 'npm install "$@" 2>&1', 'bash', ...flags, ...tarballs]);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Opens a page with one script in Chromium. The host endpoint answers that nobody is signed in. */
async function expectSignedOut(script: string, html: string, type: string) {
  await using browser = await launchHeadless();
  const page = await browser.newPage();
  const requests: unknown[] = [];
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/script.js')
      return route.fulfill({ contentType: 'text/javascript', body: script });
    if (pathname === '/')
      return route.fulfill({
        contentType: 'text/html',
        headers: { 'content-security-policy': "default-src 'self'" },
        body: `<!doctype html><body>${html}<script ${type} src="/script.js"></script>`,
      });
    requests.push(route.request().postDataJSON());
    return route.fulfill({ status: 401 });
  });
  await page.goto('http://host.localhost/');
  await page.getByText('Sign in to see this report').waitFor();
  expect(requests).toEqual([{ reportId: '6a1f4c1e-0000-4000-8000-000000000001' }]);
}

describe('the packed files', () => {
  it('install without React and without a warning', () => {
    // The configuration of the machine may cause warnings of its own.
    const warnings = output.split('\n').filter((line) => /warn(?!.* config )/.test(line));
    expect(warnings).toEqual([]);
    const modules = fs.readdirSync(path.join(folder, 'node_modules'));
    expect(modules.filter((name) => !name.startsWith('.'))).toEqual(['@portal-embed', 'zod']);
  });

  it('an application that is type-checked and bundled shows the element', async () => {
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      strict: true,
      noEmit: true,
      types: [],
    };
    fs.writeFileSync(path.join(folder, 'app.ts'), application);
    const config = { compilerOptions, files: ['app.ts'] };
    fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    run(tsc, ['-p', '.']);
    const { outputFiles } = await build({
      absWorkingDir: folder,
      entryPoints: ['app.ts'],
      bundle: true,
      format: 'esm',
      write: false,
    });
    await expectSignedOut(outputFiles[0]!.text, '', 'type="module"');
  });

  it('a page that loads the one script shows the element', async () => {
    const file = path.join(folder, 'node_modules/@portal-embed/react/dist/element.global.js');
    await expectSignedOut(
      fs.readFileSync(file, 'utf8'),
      '<portal-embed report-id="6a1f4c1e-0000-4000-8000-000000000001"></portal-embed>',
      'defer',
    );
  });

  it('pass publint and attw', () => {
    const bin = (name: string) => path.join(repository, 'packages/express/node_modules/.bin', name);
    expect(run(bin('publint'), ['react.tgz', '--strict'])).toContain('All good');
    const flags = ['--profile', 'esm-only', '--exclude-entrypoints', 'element.global.js'];
    expect(run(bin('attw'), ['react.tgz', ...flags])).toMatch(/from ESM\).*🟢/);
  });

  it('contain no tests and no dependency on the workspace', () => {
    const installed = path.join(folder, 'node_modules/@portal-embed/react');
    const files = fs.readdirSync(installed, { recursive: true }).map(String);
    expect(files.filter((file) => /\.test\.|tsbuildinfo|\.built/.test(file))).toEqual([]);
    expect(fs.readFileSync(path.join(installed, 'package.json'), 'utf8')).not.toContain(
      'workspace:',
    );
  });
});
