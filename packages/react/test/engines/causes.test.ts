import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { causesOf, expectFailure, mount, setUpEngine, statusOf } from './stage.ts';

const stage = setUpEngine();

/** Serves pages with a certificate that no browser trusts. */
async function startUntrustedPortal() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-certificate-'));
  const [keyFile, certificateFile] = [path.join(folder, 'key'), path.join(folder, 'certificate')];
  execFileSync(
    'openssl',
    `req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 1 -subj /CN=portal.localhost -keyout ${keyFile} -out ${certificateFile}`.split(
      ' ',
    ),
    { stdio: 'ignore' },
  );
  const server = createServer(
    { key: fs.readFileSync(keyFile), cert: fs.readFileSync(certificateFile) },
    (_, response) => response.end('<h1>Report</h1>'),
  );
  fs.rmSync(folder, { recursive: true });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  onTestFinished(() => void server.close());
  return `https://portal.localhost:${(server.address() as AddressInfo).port}`;
}

it('a portal whose port is closed is unreachable', async () => {
  await stage.portal.stop();
  await mount(stage);
  await expectFailure(stage, 'unreachable');
});

it('a portal whose name is unknown is unreachable', async () => {
  stage.host.embedUrl = 'https://portal.invalid/identity?token=1';
  await mount(stage);
  await expectFailure(stage, 'unreachable');
});

it('a portal whose certificate is not trusted is unreachable', async () => {
  stage.host.embedUrl = `${await startUntrustedPortal()}/identity?token=1`;
  await mount(stage);
  await expectFailure(stage, 'unreachable');
});

it('a portal that speaks no TLS at an https address is unreachable', async () => {
  stage.host.embedUrl = `${stage.portal.origin.replace('http:', 'https:')}/identity?token=1`;
  await mount(stage);
  await expectFailure(stage, 'unreachable');
});

it('a portal that refuses framing is not ready', async () => {
  stage.host.frameChannel = true;
  stage.portal.answer = (_, response) =>
    response.setHeader('content-security-policy', "frame-ancestors 'none'").end('<h1>No</h1>');
  await mount(stage);
  await expect.poll(() => statusOf(stage), { timeout: 15_000 }).toBe('failed');
  expect(await causesOf(stage)).toEqual([
    process.env['PORTAL_TEST_ENGINE'] === 'chromium' ? 'blocked_by_portal' : 'not_answering',
  ]);
});

it('a host policy without frame-src for the portal is blocked_by_host', async () => {
  stage.host.csp = "default-src 'self'; img-src data:; frame-src 'none'";
  await stage.page.open(stage.host.origin);
  await mount(stage);
  await expectFailure(stage, 'blocked_by_host');
});

it('a portal page that sends no boot is not_answering', async () => {
  stage.host.frameChannel = true;
  stage.portal.answer = (_, response) => response.end('<h1>Proxy</h1>');
  await mount(stage);
  await expectFailure(stage, 'not_answering');
});

it('a page without the frame channel is ready if the portal does not announce one', async () => {
  stage.portal.answer = (_, response) => response.end('<h1>Another portal</h1>');
  await mount(stage);
  await expect.poll(() => statusOf(stage)).toBe('ready');
  expect(await stage.page.evaluate(() => window.app.readies)).toMatchObject([{ unverified: true }]);
});
