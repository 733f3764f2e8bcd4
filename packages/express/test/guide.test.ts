import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { buildFirst } from 'test-support/build';
import { jsonAnswer, mintAnswer, problemAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakeAnswer, FakePortal } from 'test-support/fake-portal';
import { findFreePort } from 'test-support/free-port';
import { readGuide } from 'test-support/guide';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const runFile = promisify(execFile);
const id = (n: number) => `6a1f4c1e-0000-4000-8000-00000000000${n}`;

const readBlocks = readGuide(path.join(repository, 'packages/docs/guides/host-backend.md'));
const guide = fs.readFileSync(
  path.join(repository, 'packages/docs/guides/host-backend.md'),
  'utf8',
);
const readSection = (heading: string) =>
  guide.split(/^## /m).find((each) => each.startsWith(heading))!;
const steps = ['1.', '2.', '3.', '4.'].flatMap(readBlocks);
const commands = steps.filter(({ language }) => language === 'sh').map(({ code }) => code);
const mount = readBlocks('3.')[0]!.code;
const policy = readBlocks('5.')[0]!.code;
const complete = fs
  .readFileSync(path.join(repository, 'packages/express/examples/guide/server.js'), 'utf8')
  .replace(/^\/\/ #(?:end)?region.*\n/gm, '');

let folder: string;
let portal: FakePortal;
let env: Record<string, string>;
let users: Set<string>;
let server: ChildProcess | undefined;
let port = 0;

buildFirst();
// The files of a reader after steps 1 to 4, with the packages of this repository.
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-embed-guide-'));
  const packages = path.join(repository, 'packages');
  const install = (name: string, from: string) => {
    const target = path.join(folder, 'node_modules', name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.symlinkSync(path.join(packages, from), target);
  };
  for (const name of ['express', 'react']) install(`@portal-embed/${name}`, name);
  for (const name of ['express', 'express-session', 'helmet'])
    install(name, `express/node_modules/${name}`);
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  fs.mkdirSync(path.join(folder, 'public'));
  for (const { language, code, file } of steps)
    if (language !== 'sh') fs.appendFileSync(path.join(folder, file), code);

  users = new Set(['west@acme.example', 'all@acme.example']);
  portal = await startFakePortal((received, response) => {
    const { userEmail = '', email = '' } = (received.body ?? {}) as Record<string, string>;
    const answers: Record<string, FakeAnswer> = {
      'GET /api/user': problemAnswer(401, 'invalid_api_key'),
      'POST /api/identity/url': users.has(userEmail)
        ? mintAnswer()
        : problemAnswer(404, 'user_not_found'),
    };
    users.add(email);
    const answer = answers[`${received.method} ${received.url}`] ?? jsonAnswer(200);
    answer(received, response);
  });
  env = {
    PATH: process.env['PATH']!,
    REPORTS_URL: portal.url,
    ACME_API_KEY: 'pk_acme',
    ACME_ORGANIZATION_ID: id(1),
    ACME_BASE_URL: portal.url,
    SALES_REPORT_ID: id(2),
    SALES_DATASET_ID: id(3),
  };
});
afterEach(async () => {
  if (server?.kill()) await once(server, 'exit');
  server = undefined;
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  await portal[Symbol.asyncDispose]();
});

async function start(): Promise<void> {
  port = await findFreePort();
  const options = { cwd: folder, env: { ...env, PORT: String(port) } };
  server = spawn(process.execPath, ['server.js'], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  server.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(server, 'exit').then(() => Promise.reject(new Error(errors)));
  await Promise.race([once(server.stdout!, 'data'), ended]);
}

async function send(target: string, type: string, body: string, cookie = '') {
  const headers = { Host: 'acme.localhost', 'Content-Type': type, Cookie: cookie };
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: target, headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

const mintWith = (cookie: string) =>
  send('/portal-embed/url', 'application/json', JSON.stringify({ reportId: id(2) }), cookie);

async function signIn(email: string, password = 'demo'): Promise<string> {
  const form = new URLSearchParams({ email, password }).toString();
  const { headers } = await send('/sign-in', 'application/x-www-form-urlencoded', form);
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

const lastMint = () => portal.received.findLast(({ url }) => url === '/api/identity/url')?.body;

describe('a reader who follows the guide', () => {
  const check = (command: string) => {
    const cli = path.join(repository, 'packages/host/dist/check/cli.js');
    return runFile(process.execPath, [cli, ...command.split(' ')], { cwd: folder, env });
  };
  const [, checkCommand] = /npx portal-embed-check (.*)/.exec(commands.join('\n'))!;
  const minted = 'ok      user: A URL for west@acme.example was minted';

  it('portal-embed-check of the guide works before there is a server', async () => {
    const { stdout } = await check(checkCommand!);
    expect(stdout).toContain(minted);
    expect(stdout).not.toContain('FAILED');
  });

  it('portal-embed-check checks each of two tenants, and --user only with --tenant', async () => {
    const file = path.join(folder, 'tenants.js');
    const alone = fs.readFileSync(file, 'utf8');
    fs.appendFileSync(file, "\ntenants['globex.localhost'] = { ...tenants['acme.localhost'] };\n");
    try {
      const { stdout } = await check(checkCommand!);
      expect(stdout).toContain(minted);
      expect(stdout).not.toMatch(/FAILED|globex/);
      const both = (await check('./tenants.js --origin http://{host}:3000')).stdout;
      expect(both).toMatch(/^acme\.localhost\n[^]*^globex\.localhost\n/m);
      for (const host of ['acme', 'globex'])
        expect(both).toContain(`The portal lets http://${host}.localhost:3000 frame it.`);
      for (const [flags, reason] of [
        ['--user west@acme.example', '--user names a user of one tenant. Add --tenant.'],
        ['--origin http://acme.localhost', '--origin is the same for all tenants. Put {host}'],
      ])
        await expect(check(`./tenants.js ${flags}`)).rejects.toMatchObject({
          code: 2,
          stderr: expect.stringContaining(reason!) as string,
        });
    } finally {
      fs.writeFileSync(file, alone);
    }
  });

  it.skipIf('typescript' in process.features && process.features.typescript !== false)(
    'portal-embed-check says which Node can load TypeScript, without its usage',
    async () => {
      const file = path.join(folder, 'tenants.ts');
      fs.copyFileSync(path.join(folder, 'tenants.js'), file);
      await expect(check(checkCommand!.replace('tenants.js', 'tenants.ts'))).rejects.toMatchObject({
        code: 2,
        stderr: `Unknown file extension ".ts" for ${file}. Node ${process.versions.node} cannot load TypeScript: name a JavaScript file, or use Node 22.18 or later.\n`,
      });
    },
  );

  it('portal-embed-check says what is wrong with a tenant, and checks the others', async () => {
    const file = path.join(folder, 'tenants.js');
    const alone = fs.readFileSync(file, 'utf8');
    const broken = "{ ...tenants['acme.localhost'], apiKey: '' }";
    fs.writeFileSync(
      file,
      `${alone.replace('tenants = {', 'all = {').replace('export ', '')}
export const tenants = { 'globex.localhost': ${broken.replace('tenants', 'all')}, ...all };`,
    );
    try {
      await expect(check('./tenants.js --origin http://{host}:3000')).rejects.toMatchObject({
        code: 1,
        stderr: '',
        stdout: expect.stringMatching(
          /^globex\.localhost\n {2}FAILED {2}tenant: apiKey is missing\. .*\nacme\.localhost\n {2}ok/,
        ) as string,
      });
    } finally {
      fs.writeFileSync(file, alone);
    }
  });

  it('the guide and the usage of portal-embed-check list the same flags', async () => {
    const { stdout: usage } = await check('--help');
    const flagsOf = (text: string) => new Set(text.match(/--[a-z]+(?=[ `])/g));
    expect(flagsOf(readSection('1.'))).toEqual(flagsOf(`${usage}--help `));
    expect(flagsOf(usage).size).toBeGreaterThan(4);
  });

  it('has after step 4 a page whose reader signs in and gets a URL', async () => {
    await start();
    expect((await mintWith(await signIn('west@acme.example', 'wrong'))).statusCode).toBe(401);
    const answer = await mintWith(await signIn('west@acme.example'));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-security-policy']).toContain(`frame-src 'self' ${portal.url}`);
    expect(lastMint()).toMatchObject({ userEmail: 'west@acme.example', baseUrl: portal.url });
  });

  it('can bundle the page', async () => {
    const [, args] = /npx esbuild (.*)/.exec(commands.at(-1)!)!;
    const esbuild = path.join(repository, 'packages/react/node_modules/.bin/esbuild');
    await runFile(esbuild, args!.split(' '), { cwd: folder });
    const page = fs.readFileSync(path.join(folder, 'public/index.html'), 'utf8');
    const [, script] = /src="(.*?)"/.exec(page)!;
    expect(fs.statSync(path.join(folder, 'public', script!)).size).toBeGreaterThan(1_000);
  });

  it('has after step 5 the complete file, which locks, sets and provisions', async () => {
    const file = path.join(folder, 'server.js');
    const lines = (text: string) => text.split('\n').filter((line) => line !== '');
    const followed = fs.readFileSync(file, 'utf8').replace(mount, policy);
    expect(lines(complete)).toEqual(lines(followed));
    fs.writeFileSync(file, complete);
    await start();
    expect((await mintWith(await signIn('west@acme.example'))).statusCode).toBe(200);
    expect(lastMint()).toMatchObject({
      hideSidebar: true,
      customFilters: [{ key: 'Superstore/Region', value: 'West' }],
    });
    expect((await mintWith(await signIn('all@acme.example'))).statusCode).toBe(200);
    expect(lastMint()).not.toHaveProperty('customFilters');
    expect((await mintWith(await signIn('new@acme.example'))).statusCode).toBe(200);
    expect(portal.received.find(({ url }) => url.endsWith('link-users'))?.body).toEqual({
      usersEmails: ['new@acme.example'],
      datasetId: id(3),
      role: 'East',
    });
  });
});
