import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { findFreePort, send } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { repository, startDemo } from './demo.ts';

const guide = fs.readFileSync(
  path.join(repository, 'packages/docs/guides/host-backend.md'),
  'utf8',
);

/** Returns steps 1 to 4 as one script: the commands, and each file written where it appears. */
function readSteps(): string {
  const [steps = ''] = guide.split(/^## 5\./m);
  const blocks = steps.matchAll(/([^]*?)^```(\w+)\n([^]*?)^```$/gm);
  let file = '';
  return [...blocks]
    .map(([, before = '', language, code = '']) => {
      if (language === 'sh') return code;
      file = before.match(/(?<=`)[\w/-]+\.(js|html)(?=`)/g)?.at(-1) ?? file;
      return `mkdir -p ${path.dirname(file)}; cat >> ${file} <<'END OF FILE'\n${code}END OF FILE\n`;
    })
    .join('\n');
}

it('the backend guide leads from an empty folder and tarballs to a report URL', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-guide-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const clone = path.join(folder, 'portal-embed');
  fs.mkdirSync(clone);
  execFileSync('npm', ['run', 'pack'], { cwd: repository });
  fs.symlinkSync(path.join(repository, 'packs'), path.join(folder, 'release'));
  const dataDir = path.join(clone, '.portal');
  const demo = await startDemo({ dataDir });
  onTestFinished(() => demo.interrupt());
  // The guide's pages use port 3000, whose origin the demo does not register.
  execFileSync(
    'npm',
    'run portal -- organizations set-embed-origins acme http://acme.localhost:3000'.split(' '),
    { cwd: repository, env: { ...process.env, PORTAL_DATA_DIR: dataDir } },
  );

  const port = await findFreePort();
  const reader = spawn('bash', ['--norc', '-e', '-c', readSteps()], {
    cwd: folder,
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(port),
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(reader, 'close');
  onTestFinished(async () => {
    if (reader.exitCode === null) process.kill(-reader.pid!, 'SIGTERM');
    await ended;
  });
  let output = '';
  for (const stream of [reader.stdout, reader.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const address = `http://acme.localhost:${port}`;
  await expect
    .poll(() => output.includes(address) || reader.exitCode !== null, { timeout: 150_000 })
    .toBe(true);
  expect(output).toContain(address);
  expect(output).not.toContain('FAILED');

  const signedIn = await send(`${address}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'email=west%40acme.example&password=demo',
  });
  const [cookie = ''] = signedIn.headers['set-cookie'] ?? [];
  const minted = await send(`${address}/portal-embed/url`, {
    method: 'POST',
    headers: { cookie: cookie.split(';')[0]! },
    json: { reportId: demo.env.SALES_REPORT_ID },
  });
  expect(minted.json()).toMatchObject({
    embedUrl: expect.stringContaining(`${demo.env.ACME_BASE_URL}/identity?token=`) as string,
  });
  expect((await send(minted.json().embedUrl)).body).toContain('Superstore sales');
});
