import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildFirst } from 'test-support/build';
import { mintAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakePortal } from 'test-support/fake-portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const { packageManager } = JSON.parse(
  fs.readFileSync(path.join(repository, 'package.json'), 'utf8'),
) as { packageManager: string };
const names = ['contract', 'client', 'conformance', 'host', 'express', 'testing'];

/** Runs a program. Throws with its output if it fails. */
function run(
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): string {
  const result = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  });
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed:\n${result.stdout}${result.stderr}`);
  return result.stdout;
}

const bin = (name: string) => path.join(repository, 'packages/express/node_modules/.bin', name);
const tsc = path.join(repository, 'node_modules/.bin/tsc');

let folder: string;
let tarballs: string[];
let portal: FakePortal;

buildFirst();
// Packs as for the registry, and installs as npm does.
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-embed-packed-'));
  const modules = path.join(folder, 'node_modules');
  const install = (name: string, from: string) => {
    const target = path.join(modules, name);
    if (fs.existsSync(target)) return;
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.symlinkSync(fs.realpathSync(from), target);
  };
  tarballs = names.map((name) => {
    const source = path.join(repository, 'packages', name);
    const tarball = path.join(folder, `${name}.tgz`);
    run('npx', ['-y', packageManager, 'pack', '--out', tarball], source);
    const target = path.join(modules, '@portal-embed', name);
    fs.mkdirSync(target, { recursive: true });
    run('tar', ['xzf', tarball, '--strip-components=1', '-C', target], folder);
    const manifest = JSON.parse(fs.readFileSync(path.join(target, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const dependency of Object.keys(manifest.dependencies))
      if (!dependency.startsWith('@portal-embed/'))
        install(dependency, path.join(source, 'node_modules', dependency));
    return tarball;
  });
  for (const name of ['express', '@types/express', '@types/node'])
    install(name, path.join(repository, 'packages/express/node_modules', name));
  portal = await startFakePortal();
});

afterAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  await portal[Symbol.asyncDispose]();
});

const body = `
const app = express();
const server = app.listen(0, '127.0.0.1', async () => {
  const tenant = {
    apiUrl: process.env.REPORTS_URL ?? '',
    apiKey: 'pk_1',
    organizationId: '11111111-0000-4000-8000-000000000001',
    portalUrl: 'https://acme.portal.example',
  };
  const client = createPortalClient({ apiUrl: tenant.apiUrl, apiKey: tenant.apiKey });
  await client.identity.mintUrl({ userEmail: 'west@acme.example' });
  const user = () => ({ email: 'west@acme.example' });
  app.use('/portal-embed', portalEmbed({ tenants: { '127.0.0.1': tenant }, user }));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const answer = await fetch(\`http://127.0.0.1:\${port}/portal-embed/url\`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  console.log(JSON.stringify(await answer.json()));
  process.exit(answer.ok ? 0 : 1);
});
`;
const esm = `import { createPortalClient } from '@portal-embed/client';
import { portalEmbed } from '@portal-embed/express';
import express from 'express';
${body}`;
const cjs = `const { createPortalClient } = require('@portal-embed/client');
const { portalEmbed } = require('@portal-embed/express');
const express = require('express');
${body}`;

// In another process, because this one answers as the portal.
function runConsumer(file: string, text: string): Promise<unknown> {
  fs.writeFileSync(path.join(folder, file), text);
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'], REPORTS_URL: portal.url };
    execFile(process.execPath, [file], { cwd: folder, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(stdout + stderr));
      else resolve(JSON.parse(stdout.trim()));
    });
  });
}

function runCheck(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const cli = 'node_modules/@portal-embed/host/dist/check/cli.js';
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

function writeTenant(apiUrl: string): void {
  const organizationId = '11111111-0000-4000-8000-000000000001';
  const tenant = { apiUrl, apiKey: 'pk_secret', organizationId, portalUrl: portal.url };
  const text = `export const tenants = { 'acme.example': ${JSON.stringify(tenant)} };`;
  fs.writeFileSync(path.join(folder, 'tenants.mjs'), text);
}

describe('the packed packages', () => {
  const minted = { embedUrl: expect.stringContaining('https://acme.portal.example/') as string };

  it('mint in an ESM consumer', async () => {
    expect(await runConsumer('consumer.mjs', esm)).toMatchObject(minted);
  });

  it('mint in a CommonJS consumer, by require', async () => {
    expect(await runConsumer('consumer.cjs', cjs)).toMatchObject(minted);
  });

  it('mint in a TypeScript consumer that checks its libraries strictly', async () => {
    fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    fs.writeFileSync(path.join(folder, 'consumer.ts'), esm);
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable', 'dom'],
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      types: ['node'],
      outDir: 'out',
    };
    const config = { compilerOptions, files: ['consumer.ts'] };
    fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    run(tsc, ['-p', '.'], folder);
    const compiled = fs.readFileSync(path.join(folder, 'out/consumer.js'), 'utf8');
    expect(await runConsumer('compiled.mjs', compiled)).toMatchObject(minted);
  });

  it('check a portal from the command line and say what to fix', async () => {
    writeTenant(`${portal.url}/wrong`);
    const result = await runCheck('tenants.mjs');
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/^acme\.example\n {2}FAILED {2}address: .* Set apiUrl to/);
    expect(result.stdout).not.toContain('pk_secret');
  });

  it("warn about checks that another vendor's portal does not support", async () => {
    portal.answer(({ url }, response) => {
      const status = url.startsWith('/api/user') ? 401 : 404;
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
    });
    writeTenant(portal.url);
    const result = await runCheck('tenants.mjs');
    portal.answer(mintAnswer());
    expect(result.stdout).toMatch(/\n {2}WARN {4}embed origins: Could not be checked: /);
    expect(result).toMatchObject({ code: 0, stderr: '' });
  });

  it.each(['--help', '-h'])('print their usage with %s', async (flag) => {
    const usage = expect.stringMatching(/^Usage: portal-embed-check <module>/) as string;
    expect(await runCheck(flag)).toEqual({ code: 0, stdout: usage, stderr: '' });
    expect(await runCheck()).toEqual({ code: 2, stdout: '', stderr: usage });
  });

  it.each(names.map((name, index) => [name, index] as const))(
    '%s passes publint and attw',
    (_name, index) => {
      const tarball = tarballs[index]!;
      expect(run(bin('publint'), [tarball, '--strict'], folder)).toContain('All good');
      const report = run(bin('attw'), [tarball, '--profile', 'esm-only'], folder);
      expect(report).toMatch(/from ESM\).*🟢/);
    },
  );

  it.each(names)('%s holds neither tests nor a dependency on the workspace', (name) => {
    const installed = path.join(folder, 'node_modules/@portal-embed', name);
    const files = fs.readdirSync(installed, { recursive: true }).map(String);
    expect(files.filter((file) => /\.test\.|tsbuildinfo|fixtures\//.test(file))).toEqual([]);
    expect(fs.readFileSync(path.join(installed, 'package.json'), 'utf8')).not.toContain(
      'workspace:',
    );
  });
});
